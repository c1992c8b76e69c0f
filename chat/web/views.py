"""The chat page of a datasource: a thread or a new one, and asking, stopping, renaming, deleting."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import services
from chat.exports import conversation_file
from chat.models import Conversation, Mode, Turn
from chat.web.conversation_list import conversation_list
from chat.web.rendering import anchor
from chat.web.scope_list import scope_list
from chat.web.source_views import neighbours
from chat.web.turn_view import view_of, views_of
from datasources.models import Datasource
from datasources.numbers import number_in, numbers_in
from datasources.pages import HtmxRequest, bar, datasource_for, go, signed_in

TURNS = 20  # the newest ones of a thread; the others on request
PLAIN = "text/plain; charset=utf-8"


def find(request: HtmxRequest, pk: int, conversation: UUID) -> Conversation:
    """One's own conversation about that datasource. Raises Http404."""
    mine = Conversation.objects.visible_to(signed_in(request)).select_related("datasource", "user")
    return get_object_or_404(mine, pk=conversation, datasource_id=pk)


def page_context(request: HtmxRequest, datasource: Datasource, chosen: list[int]) -> dict[str, Any]:
    """What a new chat and a thread have in common."""
    person = signed_in(request)
    return bar(datasource, "chat") | {
        "list": conversation_list(person, datasource, whole="all" in request.GET),
        "scope": scope_list(datasource, chosen),
        "mode": Mode.AGENT,
        "question": request.GET.get("q", ""),
        "ask_address": reverse("ask_new", args=[datasource.pk]),
    }


def thread_context(request: HtmxRequest, conversation: Conversation) -> dict[str, Any]:
    """The thread's newest turns, and the source that the address names."""
    turns = conversation.turns.select_related("conversation__user").prefetch_related("citations")
    shown = turns.order_by("-number") if "earlier" in request.GET else turns.order_by("-number")[:TURNS]
    views = views_of(reversed(shown))
    last = views[-1] if views else None
    chosen = list(conversation.documents.values_list("pk", flat=True))
    context = page_context(request, conversation.datasource, chosen) | {
        "conversation": conversation,
        "views": views,
        "last": last,
        "earlier": views[0].turn.number - 1 if views else 0,
        "mode": last.turn.mode if last else Mode.AGENT,
        "ask_address": reverse("ask", args=[conversation.datasource_id, conversation.pk]),
    }
    cite = number_in(request.GET.get("cite"))
    number = number_in(request.GET.get("turn", str(last.turn.number) if last else ""))
    if cite is not None and number is not None:
        asked = next((view for view in views if view.turn.number == number), None)
        citation = next((one for one in asked.citations if one.n == cite), None) if asked else None
        context |= neighbours(citation) if citation else {}
    return context


@login_required
@require_safe
def new_chat(request: HtmxRequest, pk: int) -> HttpResponse:
    """A chat without questions yet: suggestions, and the documents to choose from."""
    datasource = datasource_for(request, pk)
    context = page_context(request, datasource, numbers_in(request.GET.getlist("documents")))
    return render(request, "chat/chat.html", context)


@login_required
@require_safe
def conversation(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """A thread with its answers, and the source named by ?turn= and ?cite= beside it."""
    return render(request, "chat/chat.html", thread_context(request, find(request, pk, conversation)))


@login_required
@require_POST
def ask(request: HtmxRequest, pk: int, conversation: UUID | None = None) -> HttpResponse:
    """Ask in the conversation, or in a new one; answers with the turn, or with its page."""
    datasource = datasource_for(request, pk)
    thread = find(request, pk, conversation) if conversation else None
    question = request.POST.get("question") or request.POST.get("suggestion", "")
    mode = request.POST.get("mode", "")
    chosen = numbers_in(request.POST.getlist("documents")) if "scope" in request.POST else None
    try:
        turn = services.ask(
            signed_in(request), datasource, question, conversation=thread, document_ids=chosen,
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
    context = thread_context(request, thread) if thread else page_context(request, datasource, [])
    context |= {"question": request.POST.get("question", ""), "refusal": why}
    return render(request, "chat/chat.html", context, status=409)


@login_required
@require_POST
def stop(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """End an answer that is being written; every open page hears of it through its stream."""
    found = get_object_or_404(Turn.objects.visible_to(signed_in(request)), pk=turn)
    services.stop(found)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversation", found.conversation.datasource_id, found.conversation_id)


@login_required
@require_safe
def scope(request: HtmxRequest, pk: int) -> HttpResponse:
    """The documents to choose from whose title holds ?filter=."""
    datasource = datasource_for(request, pk)
    chosen = numbers_in(request.GET.getlist("documents"))
    listed = scope_list(datasource, chosen, request.GET.get("filter", "").strip()[:200])
    return render(request, "chat/_scope_list.html", {"scope": listed})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    found = find(request, pk, conversation)
    context: dict[str, Any] = bar(found.datasource, "chat") | {"conversation": found}
    if request.method == "POST":
        try:
            services.rename(found, request.POST.get("title", ""))
            return done(request, reverse("conversation", args=[pk, found.pk]), "Renamed")
        except ValidationError as error:
            context |= {"error": " ".join(error.messages), "title": request.POST.get("title", "")}
    return render(request, "chat/rename.html", context, status=422 if "error" in context else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    found = find(request, pk, conversation)
    if request.method == "POST":
        services.delete_conversation(found)
        return done(request, reverse("chat", args=[pk]), "Conversation deleted")
    context = bar(found.datasource, "chat") | {"conversation": found, "questions": found.turns.count()}
    return render(request, "chat/delete.html", context)


def done(request: HtmxRequest, address: str, text: str) -> HttpResponse:
    """Go on to a page that says what was done."""
    messages.success(request, text)
    return go(request, address)


@login_required
@require_safe
def export(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """All questions, answers and sources as a Markdown file."""
    return conversation_file(find(request, pk, conversation))
