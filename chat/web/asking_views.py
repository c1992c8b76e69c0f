"""Asking a question from the page, and stopping its answer."""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.quotas import with_retry_after
from chat import services
from chat.branches import branches_of
from chat.models import Conversation, Mode, Turn
from chat.scope import UNCHANGED
from chat.web.answers.rendering import anchor, turn_address
from chat.web.answers.turn_view import views_of
from chat.web.conversation_list import conversation_list
from chat.web.lookup import SHOWN_WITH, find_conversation, find_turn
from chat.web.replies import conflict
from chat.web.scope_list import scope_list
from chat.web.thread_views import page_context, thread_context
from datasources.in_use.models import writer_of
from datasources.models import Datasource, Role
from datasources.numbers import number_in, numbers_in
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in

THESE = "these"  # the scope that is the ticked documents; any other is all


def thread_address(pk: int, conversation: UUID | None = None) -> str:
    """Of the page with the form that asks."""
    return reverse("conversation", args=[pk, conversation]) if conversation else reverse("chat", args=[pk])


def question_survives_sign_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A question that is sent while signed out is in the question box after signing in."""

    @wraps(view)
    def answer(request: HttpRequest, pk: int, conversation: UUID | None = None) -> HttpResponse:
        if request.method != "POST" or request.user.is_authenticated:
            return view(request, pk=pk, conversation=conversation)
        return redirect_to_login(f"{thread_address(pk, conversation)}?{urlencode({'q': asked_in(request)})}")

    return answer


def asked_in(request: HttpRequest) -> str:
    """The question that the form holds."""
    return request.POST.get("question") or request.POST.get("suggestion", "")


@question_survives_sign_in
@login_required
@posted_from(thread_address)
def ask(request: HtmxRequest, pk: int, conversation: UUID | None = None) -> HttpResponse:
    """Ask in the conversation, or in a new one. Responds with the turn, or with its page."""
    datasource = datasource_for(request, pk, Role.ASKER)
    thread = find_conversation(request, pk, conversation, Role.ASKER) if conversation else None
    mode, scope = request.POST.get("mode", ""), request.POST.get("scope", "")
    chosen = numbers_in(request.POST.getlist("documents")) if scope == THESE else None
    try:
        turn = services.ask(
            signed_in(request),
            datasource,
            asked_in(request),
            conversation=thread,
            document_ids=chosen if scope else UNCHANGED,
            mode=Mode(mode) if mode in Mode else Mode.AGENT,
            after=number_in(request.POST.get("after")),
            fresh=bool(request.POST.get("fresh")),
        )
    except ValidationError as error:
        return with_retry_after(refused(request, datasource, thread, " ".join(error.messages)), error)
    if not request.htmx:
        address = reverse("conversation", args=[pk, turn.conversation_id])
        return redirect(f"{address}#{anchor(turn)}")
    return asked(request, turn, is_new=thread is None)


def asked(request: HtmxRequest, turn: Turn, *, is_new: bool) -> HttpResponse:
    """The turn to append to the thread, and what changes around it."""
    response = added(request, turn.conversation, [turn], is_new=is_new)
    if is_new:
        response["HX-Push-Url"] = reverse(
            "conversation", args=[turn.conversation.datasource_id, turn.conversation_id]
        )
    return response


def added(
    request: HtmxRequest, conversation: Conversation, turns: list[Turn], *, is_new: bool = False
) -> HttpResponse:
    """Turns to append to the thread; what changes around it follows the last one."""
    views = views_of(turns)
    context = {
        "views": views,
        "view": views[-1],
        "conversation": conversation,
        "datasource": conversation.datasource,
        "is_new": is_new,
        "list": conversation_list(signed_in(request), conversation.datasource),
        "scope": scope_list(conversation.datasource, views[-1].turn.document_ids),
        "writer": writer_of(conversation.datasource),
        "mode": views[-1].turn.mode,
        "ask_address": reverse("ask", args=[conversation.datasource_id, conversation.pk]),
    }
    return render(request, "chat/_asked.html", context)


@login_required
@require_safe
def newer(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """Questions asked in another window after number ?after=; 204 if there are none."""
    thread = find_conversation(request, pk, conversation, Role.ASKER)
    after = number_in(request.GET.get("after")) or 0
    path = branches_of(thread).path()
    if after and after not in path:  # another branch is open
        return HttpResponse(status=204)
    new = [number for number in path if number > after]
    turns = (
        thread.turns.filter(number__in=new)
        .select_related(*SHOWN_WITH)
        .prefetch_related("citations__document")
    )
    if not (found := list(turns.order_by("number"))):
        return HttpResponse(status=204)
    return added(request, thread, found)


def refused(
    request: HtmxRequest, datasource: Datasource, thread: Conversation | None, why: str
) -> HttpResponse:
    """Why nothing was asked; the typed question stays in its box."""
    if request.htmx:
        return conflict(why)
    context = thread_context(request, thread) if thread else page_context(request, datasource, None)
    context |= {"question": asked_in(request), "refusal": why}
    return render(request, "chat/chat.html", context, status=409)


@login_required
@require_http_methods(["GET", "POST"])
def stop(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """End an answer that is being written; open pages learn of it through their streams.

    GET, which a reload may send, only shows the conversation.
    """
    stopped = find_turn(request, turn, Role.ASKER)
    if request.method == "POST":
        services.stop(stopped)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversation", stopped.conversation.datasource_id, stopped.conversation_id)


@login_required
@require_safe
def stage(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """What an answer took; for a stopped one this is known a moment after its end."""
    view = views_of([find_turn(request, turn, Role.ASKER)])[0]
    if not request.htmx:
        return redirect(turn_address(view.turn))
    return render(request, "chat/_stage.html", {"view": view})
