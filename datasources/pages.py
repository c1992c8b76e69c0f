"""What every page of a datasource begins with: the row as this person may see it, and the bar above."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from datasources.models import Datasource, Document, Role
from datasources.tabs import tab_links


class HtmxRequest(HttpRequest):
    """A request as HtmxMiddleware hands it on; `htmx` is true where a part of a page is asked for."""

    htmx: HtmxDetails


def signed_in(request: HttpRequest) -> User:
    """The person behind a request that has passed `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def datasource_for(request: HttpRequest, pk: int, needed: Role = Role.VIEWER) -> Datasource:
    """The datasource for a person of that role. Raises Http404 (stranger), PermissionDenied (low role)."""
    person = signed_in(request)
    datasource = get_object_or_404(Datasource.objects.visible_to(person).select_related("owner"), pk=pk)
    if not datasource.allows(person, needed):
        raise PermissionDenied
    return datasource


def find_document(request: HttpRequest, pk: int, document: int) -> Document:
    """A document of that datasource, older versions too. Raises Http404 for a stranger."""
    documents = Document.objects.visible_to(signed_in(request)).select_related("datasource")
    return get_object_or_404(documents, pk=document, datasource_id=pk)


def bar(datasource: Datasource, tab: str) -> dict[str, Any]:
    """The context of base.html's bar on a page of the datasource."""
    return {
        "datasource": datasource,
        "tabs": tab_links(datasource, tab),
    }


def go(request: HtmxRequest, address: str) -> HttpResponse:
    """To another page, also when a part of a page was asked for."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
