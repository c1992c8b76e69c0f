"""What every page of a datasource begins with: the row, if this person may see it, and the bar above."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from datasources import access
from datasources.models import Datasource, Document, Role
from datasources.web.tabs import navigation


class HtmxRequest(HttpRequest):
    """A request as HtmxMiddleware hands it on; `htmx` is true where a part of a page is asked for."""

    htmx: HtmxDetails


def signed_in(request: HttpRequest) -> User:
    """The person behind a request that has passed `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def datasource_for(request: HttpRequest, pk: int, needed: Role = Role.VIEWER) -> Datasource:
    """For whoever is signed in: see `datasources.access`."""
    return access.find_datasource(signed_in(request), pk, needed, reads=request.method in access.LOOKS)


def can_edit(request: HttpRequest, datasource: Datasource) -> bool:
    """Whether whoever is signed in, and sees it, may change what is in it: what a page offers."""
    return datasource.has_role(signed_in(request), Role.EDITOR)


def find_document(request: HttpRequest, pk: int, document: int) -> Document:
    """A document of that datasource, older versions too. Raises Http404 for a stranger."""
    found = access.find_document(signed_in(request), document, reads=True)
    if found.datasource_id != pk:
        raise Http404
    return found


def bar(datasource: Datasource, tab: str) -> dict[str, Any]:
    """The context of base.html's bar on a page of the datasource."""
    return {
        "datasource": datasource,
        "tab": tab,
        "tabs": navigation(datasource, tab),
    }


def go(request: HtmxRequest, address: str) -> HttpResponse:
    """To another page, also when a part of a page was asked for."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def posted_from(
    page: Callable[..., str],
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """For the address of a form: POST does what the view does; GET goes to the page that has the form.

    A refused form is shown at its own address, so a reload or a kept link asks for it. `page` makes the
    address of that page from the arguments of the view.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        @require_http_methods(["GET", "HEAD", "POST"])
        def answer(request: HttpRequest, **arguments: Any) -> HttpResponse:
            return view(request, **arguments) if request.method == "POST" else redirect(page(**arguments))

        return answer

    return decorate


def page_of_datasource(name: str, anchor: str = "") -> Callable[..., str]:
    """The address of that page of the datasource `pk`, for `posted_from`."""
    return lambda pk, **_: f"{reverse(name, args=[pk])}{anchor}"
