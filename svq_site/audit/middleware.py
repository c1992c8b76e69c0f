"""Notes what people's requests have done in the audit log."""

import logging
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase
from django.urls import ResolverMatch
from django.utils.deprecation import MiddlewareMixin

from accounts.audit import DOCUMENTS, MADE, note_thing, note_things
from accounts.models import AuditAct, User
from chat.models import Conversation, Turn
from datasources.models import Document
from jobs.fair_slots import Busy
from svq_site.audit.acts import LOOKS, about, act_of, address_of
from svq_site.handing_out import while_allowed
from svq_site.serving.requests_at_once import no_slot

logger = logging.getLogger(__name__)
REDIRECTS, FAILED = 300, 400  # and above
ADMIN = "admin"  # it notes each look itself
SIGN_IN = "account/"  # what its views raise is answered by allauth's middleware, which only sees it as usual
SHOWN = (AuditAct.SAW, AuditAct.TOOK, AuditAct.ASKED)
DONE, DATASOURCE = "audit_done", "audit_datasource"


class NoteRequests(MiddlewareMixin):
    """Behind that of authentication. What was refused or went wrong has done nothing and is not noted."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Runs the view, so that its end and the note are in one thread: a client that hangs up cancels what
        stands between, and would leave no trace of what it did.
        """
        match = request.resolver_match
        if iscoroutinefunction(view) or (match and match.route.startswith(SIGN_IN)):
            return None
        if match and request.method not in LOOKS:  # what is deleted can't be asked for its datasource
            kind, number, datasource = about(match)
            request.META[DATASOURCE] = datasource or _datasource_of(kind, number)
        try:
            response = while_allowed(request, view(request, *args, **kwargs))
        except Busy as busy:  # what is raised here no other middleware sees
            response = no_slot(request, busy)
        request.META[DONE] = True
        return self._noted(request, response)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Of the other views."""
        return response if DONE in request.META else self._noted(request, response)

    def _noted(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Nothing is shown that cannot be noted. What was changed already is not said to have failed."""
        match = request.resolver_match
        if match is None or not match.url_name or response.status_code >= FAILED:
            return response
        # allauth shows a form that it refuses again as if nothing were wrong; one that it takes leads on.
        is_account = match.route.startswith(SIGN_IN) and request.method not in LOOKS
        if is_account and response.status_code < REDIRECTS:
            return response
        act = _act(request, match)
        person = request.user if act else None  # REST has put the one of the token here by now
        if act and isinstance(person, User):
            try:
                _note(request, match, act, person)
            except DatabaseError:
                if act in SHOWN:
                    raise
                logger.exception("not in the audit log: %s %s", request.method, request.path)
        return response


def _act(request: HttpRequest, match: ResolverMatch) -> AuditAct | None:
    if match.namespace != ADMIN:
        return act_of(request, match.url_name or "")
    return None if request.method in LOOKS or match.url_name == "switch_names" else AuditAct.CHANGED


def _note(request: HttpRequest, match: ResolverMatch, act: AuditAct, person: User) -> None:
    address = f"{request.method} {request.path}" if match.namespace == ADMIN else address_of(request, match)
    if act == AuditAct.ADDED and (made := request.META.get(MADE)):
        for each in made:
            note_things(
                person,
                act,
                subject=each.subject,
                numbers=each.numbers,
                datasource=each.datasource,
                address=address,
            )
        return
    if match.namespace == ADMIN:
        kind, number, datasource = "administration", str(match.kwargs.get("object_id", "")), None
    else:
        kind, number, datasource = about(match)
    if documents := request.META.get(DOCUMENTS):  # of a quote, or by an own id: its address doesn't name them
        kind = "document"
    for each in documents or [number]:
        note_thing(
            person,
            act,
            subject=kind,
            number=each,
            datasource=datasource or request.META.get(DATASOURCE) or _datasource_of(kind, str(each)),
            address=address,
        )


def _datasource_of(kind: str, number: str) -> int | None:
    """Of what REST names without it. None where it is gone, or is something else."""
    if kind == "document" and number.isascii() and number.isdigit() and len(number) < 19:
        return Document.objects.filter(pk=number).values_list("datasource", flat=True).first()
    if kind == "answer":
        return Turn.objects.filter(pk=number).values_list("conversation__datasource", flat=True).first()
    if kind == "conversation":
        return Conversation.objects.filter(pk=number).values_list("datasource", flat=True).first()
    return None
