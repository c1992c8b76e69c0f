"""The chat page of a datasource: a thread, or a new one."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from chat.branches import branches_of
from chat.models import Citation, Conversation, Mode
from chat.web.answers.turn_view import TurnView, views_of
from chat.web.conversation_list import conversation_list
from chat.web.lookup import SHOWN_WITH, find_conversation
from chat.web.scope_list import scope_list
from chat.web.source_views import neighbours
from datasources.in_use.models import writer_of
from datasources.models import Datasource, Role
from datasources.numbers import number_in, numbers_in
from datasources.web.pages import HtmxRequest, bar, datasource_for, signed_in
from providers.language_models import playing
from providers.roles import ModelRole

TURNS = 20  # the newest ones of a thread; the others on request


def page_context(request: HtmxRequest, datasource: Datasource, chosen: list[int] | None) -> dict[str, Any]:
    """What a new chat and a thread have in common."""
    person = signed_in(request)
    return bar(datasource, "chat") | {
        "list": conversation_list(person, datasource, whole="all" in request.GET),
        "scope": scope_list(datasource, chosen),
        "writer": writer_of(datasource),
        "mode": Mode.AGENT,
        "question": request.GET.get("q", ""),
        "ask_address": reverse("ask_new", args=[datasource.pk]),
    }


def thread_context(request: HtmxRequest, conversation: Conversation) -> dict[str, Any]:
    """The thread's newest turns, and the source that the address names."""
    branches = branches_of(conversation)
    path = branches.path(number_in(request.GET.get("turn")))
    shown = path[first_shown(request, path) :]
    turns = conversation.turns.select_related(*SHOWN_WITH).prefetch_related("citations__document")
    views = views_of(turns.filter(number__in=shown).order_by("number"), branches)
    last = views[-1] if views else None
    context = page_context(request, conversation.datasource, conversation.document_ids) | {
        "conversation": conversation,
        "views": views,
        "last": last,
        "earlier": len(path) - len(shown),
        "connected": _connected_since(last, conversation.datasource) if last else "",
        "continued": last.turn.number if last and path != branches.path() else None,
        "mode": last.turn.mode if last else Mode.AGENT,
        "ask_address": reverse("ask", args=[conversation.datasource_id, conversation.pk]),
    }
    citation = opened_citation(request, views)
    return context | (neighbours(citation) if citation else {})


def _connected_since(last: TurnView, datasource: Datasource) -> str:
    """The language model that was connected after the last question was answered without one; else empty."""
    if last.live or not last.keyless or last.turn.stopped_by:
        return ""
    server = playing(datasource, ModelRole.AGENT)
    return server.model if server else ""


def first_shown(request: HtmxRequest, path: list[int]) -> int:
    """Where in the branch the page begins: an address of an earlier turn shows it and all after it."""
    first = max(0, len(path) - TURNS)
    if "earlier" in request.GET:
        return 0
    linked = number_in(request.GET.get("turn"))
    return min(first, path.index(linked)) if linked in path else first


def opened_citation(request: HtmxRequest, views: list[TurnView]) -> Citation | None:
    """The source that the address names by ?cite=, of the question ?turn= or else of the last one."""
    n, number = number_in(request.GET.get("cite")), number_in(request.GET.get("turn"))
    asked = [view for view in views if view.turn.number == number] if "turn" in request.GET else views[-1:]
    return next((citation for view in asked for citation in view.citations if citation.n == n), None)


@login_required
@require_safe
def new_chat(request: HtmxRequest, pk: int) -> HttpResponse:
    """A chat without questions yet: suggestions, and the documents to choose from."""
    datasource = datasource_for(request, pk, Role.ASKER)
    chosen = numbers_in(request.GET.getlist("documents")) or None
    context = page_context(request, datasource, chosen)
    return render(request, "chat/chat.html", context)


@login_required
@require_safe
def conversation(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """A thread with its answers, and the source named by ?turn= and ?cite= beside it."""
    thread = find_conversation(request, pk, conversation, Role.ASKER)
    return render(request, "chat/chat.html", thread_context(request, thread))


@login_required
@require_safe
def scope(request: HtmxRequest, pk: int) -> HttpResponse:
    """The documents to choose from whose title holds ?filter=."""
    datasource = datasource_for(request, pk, Role.ASKER)
    chosen = numbers_in(request.GET.getlist("documents"))
    listed = scope_list(datasource, chosen, request.GET.get("filter", "").strip()[:200])
    return render(request, "chat/_scope_list.html", {"scope": listed})
