"""GET /metrics, for Prometheus."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from svq_site.monitoring.exposition import exposition, is_bearer


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Not there without SVQ_METRICS_TOKEN. An address can't stand in for it: behind a proxy on this machine
    every request comes from here.
    """
    if not settings.METRICS_TOKEN:
        raise Http404
    if not is_bearer(request.headers.get("Authorization", ""), settings.METRICS_TOKEN):
        return HttpResponse(
            "This address needs the token that SVQ_METRICS_TOKEN has.\n",
            status=401,
            content_type="text/plain",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)
