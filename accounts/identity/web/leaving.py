"""The way to a provider's page, and out of its session."""

from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.identity.models import IdentityProvider
from accounts.identity.pages import FROM_NETWORK, failed, leaving, too_many
from accounts.identity.refusals import Unusable
from accounts.identity.services import offered, open_to
from accounts.identity.web.kinds import kind_of
from accounts.limits import network
from accounts.models import User
from localization.in_english import in_english


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_with(request: HttpRequest, provider: int) -> HttpResponseBase:
    """To the provider's own page. Only a form of ours leads there, so that no link signs somebody in."""
    if request.method != "POST":
        return redirect("account_login")
    return _leave(request, get_object_or_404(offered(), pk=provider), "login")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def connect(request: HttpRequest, provider: int) -> HttpResponseBase:
    """The same for somebody who is signed in: from then on, the provider can sign them in."""
    if request.method != "POST":
        return redirect("account_settings")
    return _leave(request, get_object_or_404(open_to(cast(User, request.user)), pk=provider), "connect")


def _leave(request: HttpRequest, row: IdentityProvider, process: str) -> HttpResponse:
    if FROM_NETWORK.take(network(request)):
        return too_many(request)
    state: dict[str, Any] = {"process": process}
    if onwards := get_next_redirect_url(request):
        state["next"] = onwards
    try:
        address = in_english()(kind_of(row).way_there)(request, row, state)  # the log is
    except Unusable as refusal:
        return failed(request, row, refusal, status=424)
    return leaving(request, address, row.name)


def way_out(request: HttpRequest, begun: dict[str, Any]) -> str:
    """Where a browser ends the provider's session, too. begun: what `sessions.kept` has kept of it."""
    row = IdentityProvider.objects.filter(pk=begun.get("provider", 0)).first()
    return kind_of(row).way_out(request, row, begun) if row else ""
