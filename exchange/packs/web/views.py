"""Evidence packs in the browser: a dialog that says what one is, the file, and what verifies it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_safe

from chat.models import Conversation
from chat.web.answers.rendering import turn_address
from chat.web.lookup import find_conversation, find_turn
from datasources.models import Role
from datasources.refusals import too_busy
from datasources.web.pages import HtmxRequest, bar
from exchange.packs.content import Content, content_of_conversation, content_of_turn, summary
from exchange.packs.facts import CURRENT, state_of
from exchange.packs.keys import own_key
from exchange.packs.sending import key_file, pack_file, verifier
from jobs.fair_slots import Busy
from localization.numbers import numeral

BUSY = gettext_lazy(
    "Several packs are being written for you just now. Nothing was made; try again in a few seconds."
)


@login_required
@require_safe
def answer_pack(request: HtmxRequest, turn: UUID) -> HttpResponse:
    found = find_turn(request, turn, Role.VIEWER)
    address = reverse("answer_pack_file", args=[found.pk])
    return _dialog(request, found.conversation, lambda: content_of_turn(found), address, turn_address(found))


@login_required
@require_GET
def answer_pack_file(request: HtmxRequest, turn: UUID) -> HttpResponseBase:
    found = find_turn(request, turn, Role.VIEWER)
    return _file(lambda: content_of_turn(found))


@login_required
@require_safe
def conversation_pack(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    found = find_conversation(request, pk, conversation, Role.VIEWER)
    address = reverse("conversation_pack_file", args=[pk, found.pk])
    back = reverse("conversation", args=[pk, found.pk])
    return _dialog(request, found, lambda: content_of_conversation(found), address, back)


@login_required
@require_GET
def conversation_pack_file(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponseBase:
    found = find_conversation(request, pk, conversation, Role.VIEWER)
    return _file(lambda: content_of_conversation(found))


@login_required
@require_safe
def pack_key(request: HtmxRequest) -> HttpResponse:
    return key_file()


@require_safe
def pack_verifier(request: HtmxRequest) -> HttpResponse:
    """For everybody: whoever is handed a pack has no account here."""
    return verifier()


def _dialog(
    request: HtmxRequest, conversation: Conversation, make: Callable[[], Content], address: str, back: str
) -> HttpResponse:
    context: dict[str, Any] = bar(conversation.datasource, "chat") | {"address": address, "back": back}
    try:
        content = make()
    except ValidationError as refused:
        context["refused"] = refused.messages[0]
    else:
        context |= {"summary": summary(content), "changed": _changed(content), "key": own_key()}
    return render(request, "packs/pack.html", context)


def _changed(content: Content) -> str:
    """“1 of 3 documents has been replaced or deleted since”; empty where none has."""
    gone = len(content.gone)
    changed = gone + sum(state_of(document) != CURRENT for document in content.documents)
    if not changed:
        return ""
    documents = gone + len(content.documents)
    if documents == 1:
        return gettext("1 of 1 document has been replaced or deleted since.")
    told = ngettext(
        "{n} of {documents} documents has been replaced or deleted since.",
        "{n} of {documents} documents have been replaced or deleted since.",
        changed,
    )
    return told.format(n=numeral(changed), documents=numeral(documents))


def _file(make: Callable[[], Content]) -> HttpResponseBase:
    try:
        return pack_file(make())
    except ValidationError as refused:
        return HttpResponse(refused.messages[0], status=422, content_type="text/plain; charset=utf-8")
    except Busy as busy:
        return too_busy(str(BUSY), busy)
