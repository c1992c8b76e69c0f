"""The way back from a provider's page, and the provider's own word that somebody has signed out there."""

import logging
from math import ceil

from allauth.socialaccount.internal import statekit
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.identity import sessions
from accounts.identity.entrance import come_in
from accounts.identity.models import IdentityProvider, Language
from accounts.identity.pages import FROM_NETWORK, failed, one_line, too_many
from accounts.identity.refusals import Refused, Unusable
from accounts.identity.saml import answers, logouts
from accounts.identity.saml.answers import LEEWAY, Answer
from accounts.identity.saml.claims import claims_in
from accounts.identity.saml.handover import hand_over, take_over
from accounts.identity.saml.messages import by_redirect, own_metadata, sign_out_answer
from accounts.identity.saml.metadata import current
from accounts.identity.saml.way import here
from accounts.identity.services import ready
from accounts.limits import Limit, network
from localization.in_english import in_english

logger = logging.getLogger(__name__)
LOGOUTS = Limit(name="saml-logouts", attempts=300, seconds=60)
USED_LOGOUT = Limit(name="saml-logout-request", attempts=1, seconds=3600)
NOT_ASKED = "nobody here has asked for it, or more than ten minutes ago"


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def returned(request: HttpRequest, provider: int) -> HttpResponseBase:
    """From the provider's page, by a form there: no cookie of ours comes with it. What it says is checked
    and handed over to `entered`. RelayState is not read: what the way back has to know is kept here.
    """
    if request.method != "POST":
        return redirect("account_login")
    row = get_object_or_404(ready(Language.SAML), pk=provider)
    if FROM_NETWORK.take(network(request)):
        return too_many(request)
    try:
        encoded = request.POST.get("SAMLResponse", "")
        answers.check_shape(encoded)  # before the provider is asked for its metadata
        metadata = in_english()(current)(row)  # the log is
        answer = answers.read(row, metadata, encoded, here(request, "saml_returned", row))
        if not (answer.in_response_to or row.takes_unasked):
            raise Refused(NOT_ASKED)
        claims = claims_in(row, answer)
        _use(row, answer)
    except (Refused, Unusable) as refusal:
        return failed(request, row, refusal)
    path = reverse("saml_entered", args=[row.pk])
    onwards = redirect(path)
    onwards.status_code = 303
    ending = {
        "name_id": answer.name,
        "name_attributes": answer.name_attributes,
        "sid": answer.session,
        "sign_out": metadata.sign_out,
    }
    said = {"provider": row.pk, "claims": claims, "answers": answer.in_response_to, "ending": ending}
    hand_over(onwards, said, path)
    return onwards


@require_safe
def entered(request: HttpRequest, provider: int) -> HttpResponseBase:
    """The same browser, with its cookies: whoever has asked is who is answered."""
    row = get_object_or_404(ready(Language.SAML), pk=provider)
    said = take_over(request)
    if said is None or said["provider"] != row.pk:
        return failed(request, row, "there is nothing that was handed over")
    state = {"process": "login"}
    if said["answers"]:
        asked = statekit.unstash_state(request, provider_id=row.key, state_id=said["answers"])
        if asked is None:
            return failed(request, row, NOT_ASKED)
        state = asked
    return come_in(request, row, said["claims"], state, **said["ending"])


@require_safe
def metadata_of_ours(request: HttpRequest, provider: int) -> HttpResponse:
    """For the provider to read. It has no secrets."""
    row = get_object_or_404(IdentityProvider, pk=provider, language=Language.SAML)
    called = row.client_id or here(request, "saml_metadata", row)
    content = own_metadata(
        row, called, here(request, "saml_returned", row), here(request, "saml_ended_there", row)
    )
    return HttpResponse(content, content_type="application/samlmetadata+xml")


@require_safe
def ended_there(request: HttpRequest, provider: int) -> HttpResponseBase:
    """Either the provider's answer to our request, which ends nothing more, or a request of its own."""
    row = get_object_or_404(ready(Language.SAML), pk=provider)
    if "SAMLRequest" not in request.GET:
        return redirect("account_login")
    if LOGOUTS.take(network(request)):
        return too_many(request)
    try:
        metadata = in_english()(current)(row)  # the log is
        own = here(request, "saml_ended_there", row)
        asked = logouts.read(row, metadata, request.META["QUERY_STRING"], own)
        if USED_LOGOUT.take(f"{row.key} {asked.id}"):
            raise Refused("it was used before")
        to = metadata.sign_out_answered
        back = by_redirect(row, to, sign_out_answer(row, to, asked.id), asked.relay_state) if to else ""
    except (Refused, Unusable) as refusal:
        logger.warning("A logout by %s was refused: %s.", row.key, one_line(refusal))
        return render(request, "400.html", status=400)
    own_session = request.session.session_key
    for named in [{"sid": one} for one in asked.sessions] or [{}]:
        sessions.end(row, {"name_id": asked.name} | named)
    if asked.sessions:  # those of which the provider has told no name may be meant as well
        sessions.end(row, {"name_id": asked.name, "sid": ""})
    if own_session and not request.session.exists(own_session):
        request.session.flush()
    return redirect(back or "account_login")


def _use(row: IdentityProvider, answer: Answer) -> None:
    """An assertion counts once, whichever process is asked. Raises Refused."""
    left = ceil((answer.ends + 2 * LEEWAY - timezone.now()).total_seconds())
    used = Limit(name="saml-assertion", attempts=1, seconds=left)
    if used.take(f"{row.key} {answer.assertion}"):
        raise Refused("it was used before")
