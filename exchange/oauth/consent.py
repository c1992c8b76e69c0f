"""The page on which a person is asked whether to let a program in, and the way back to the program."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import FatalClientError, OAuth2Error
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError

from accounts.audit import note
from accounts.models import AuditAct
from accounts.programs.addresses import is_of_this_computer
from accounts.programs.documents import Unreadable, program_of
from accounts.programs.models import Program
from accounts.programs.rule import is_offered
from datasources.web.pages import signed_in
from datasources.web.token_forms import RightsForm
from exchange.oauth.server import parts, server


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    """Both the question and its answer are checked by what stands in the address: the form adds the person's
    choice alone.
    """
    if not is_offered():
        return _refused(request, _("Programs can’t be let in here. Use an API token instead."))
    asked = {**parts(request), "http_method": "GET", "body": ""}
    try:
        program_of(request.GET.get("client_id", ""), signed_in(request))
        scopes, found = server.validate_authorization_request(**asked)
    except Unreadable as why:
        return _refused(request, str(why))
    except FatalClientError as error:
        return _refused(request, _("What the program has sent is wrong: {why}.").format(why=_reason(error)))
    except OAuth2Error as error:
        return _back(request, error.in_uri(error.redirect_uri), waits_at=error.redirect_uri)
    program = found["request"].client
    if request.method == "POST" and "grant" not in request.POST:
        note(signed_in(request), AuditAct.PROGRAM, program, f"did not let in {program}")
        denied = AccessDeniedError(request=found["request"])
        return _back(request, denied.in_uri(denied.redirect_uri))
    form = RightsForm(signed_in(request), request.POST or None, offered=scopes, initial={"scopes": scopes})
    if request.method == "POST" and form.is_valid():
        return _back(request, _let_in(asked, form, request))
    return _question(request, program, found["redirect_uri"], form)


def _let_in(asked: dict[str, Any], form: RightsForm, request: HttpRequest) -> str:
    """Where the program waits for its code."""
    chosen = form.rights()
    headers, *_rest = server.create_authorization_response(
        **asked,
        scopes=[scope.value for scope in chosen["scopes"]],
        credentials={"user": signed_in(request), "datasource_ids": chosen["datasource_ids"]},
    )
    return str(headers["Location"])


def _question(request: HttpRequest, program: Program, address: str, form: RightsForm) -> HttpResponse:
    context = {
        "program": program,
        "address": address,
        "is_of_this_computer": is_of_this_computer(address),
        "form": form,
    }
    return render(request, "programs/consent.html", context, status=422 if form.errors else 200)


def _back(request: HttpRequest, address: str, *, waits_at: str = "") -> HttpResponse:
    """Says who we are (RFC 9207). Not a redirect: the policy of our pages lets forms lead to ourselves alone.
    Where the person has chosen nothing they are told where it waits, and choose whether to follow: anybody
    can register an address.
    """
    address = add_params_to_uri(address, [("iss", settings.SITE_URL)])
    return render(request, "programs/back.html", {"address": address, "waits_at": waits_at})


def _refused(request: HttpRequest, why: str) -> HttpResponse:
    return render(request, "programs/refused.html", {"why": why}, status=400)


def _reason(error: OAuth2Error) -> str:
    return str(error.description or error.error).rstrip(".")
