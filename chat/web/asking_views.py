"""Asking a question from the page, and stopping its answer."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from chat import services
from chat.models import Conversation, Mode, Turn
from chat.scope import UNCHANGED
from chat.web.conversation_list import conversation_list
from chat.web.rendering import anchor
from chat.web.scope_list import scope_list
from chat.web.thread_views import find_conversation, page_context, thread_context
from chat.web.turn_view import view_of
from datasources.models import Datasource
from datasources.numbers import numbers_in
from datasources.pages import HtmxRequest, datasource_for, posted_from, signed_in

THESE = "these"  # the scope that is the ticked documents; any other is all
PLAIN = "text/plain; charset=utf-8"


def thread_address(pk: int, conversation: UUID | None = None) -> str:
    """Of the page with the form that asks."""
    return reverse("conversation", args=[pk, conversation]) if conversation else reverse("chat", args=[pk])


@login_required
@posted_from(thread_address)
def ask(request: HtmxRequest, pk: int, conversation: UUID | None = None) -> HttpResponse:
    """Ask in the conversation, or in a new one; answers with the turn, or with its page."""
    datasource = datasource_for(request, pk)
    thread = find_conversation(request, pk, conversation) if conversation else None
    question = request.POST.get("question") or request.POST.get("suggestion", "")
    mode, scope = request.POST.get("mode", ""), request.POST.get("scope", "")
    chosen = numbers_in(request.POST.getlist("documents")) if scope == THESE else None
    try:
        turn = services.ask(
            signed_in(request), datasource, question, conversation=thread,
            document_ids=chosen if scope else UNCHANGED,
            mode=Mode(mode) if mode in Mode else Mode.AGENT,
        )  # fmt: skip
    except ValidationError as error:
        return refused(request, datasource, thread, " ".join(error.messages))
    if not request.htmx:
        address = reverse("conversation", args=[pk, turn.conversation_id])
        return redirect(f"{address}#{anchor(turn)}")
    return asked(request, turn, is_new=thread is None)


def asked(request: HtmxRequest, turn: Turn, *, is_new: bool) -> HttpResponse:
    """The turn for the end of the thread, and what changes around it."""
    conversation = turn.conversation
    context = {"view": view_of(turn), "conversation": conversation, "datasource": conversation.datasource}
    address = [conversation.datasource_id, conversation.pk]
    context |= {
        "is_new": is_new,
        "list": conversation_list(signed_in(request), conversation.datasource),
        "scope": scope_list(conversation.datasource, turn.document_ids),
        "mode": turn.mode,
        "ask_address": reverse("ask", args=address),
    }
    response = render(request, "chat/_asked.html", context)
    if is_new:
        response["HX-Push-Url"] = reverse("conversation", args=address)
    return response


def refused(
    request: HtmxRequest, datasource: Datasource, thread: Conversation | None, why: str
) -> HttpResponse:
    """Why nothing was asked; what was typed stays in its field."""
    if request.htmx:
        return HttpResponse(why, status=409, content_type=PLAIN)
    context = thread_context(request, thread) if thread else page_context(request, datasource, None)
    context |= {"question": request.POST.get("question", ""), "refusal": why}
    return render(request, "chat/chat.html", context, status=409)


@login_required
@require_http_methods(["GET", "POST"])
def stop(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """End an answer that is being written; every open page hears of it through its stream.

    GET, which a reload may send, only shows the conversation.
    """
    stopped = get_object_or_404(Turn.objects.visible_to(signed_in(request)), pk=turn)
    if request.method == "POST":
        services.stop(stopped)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversation", stopped.conversation.datasource_id, stopped.conversation_id)
