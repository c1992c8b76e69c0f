"""Renaming, deleting and exporting a conversation."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from chat import services
from chat.exports import conversation_file
from chat.web.files.word_file import word_file
from chat.web.lookup import find_conversation
from chat.web.replies import done
from datasources.models import Role
from datasources.web.downloads import saved_as
from datasources.web.pages import HtmxRequest, bar
from formats.word.format import WORD


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    thread = find_conversation(request, pk, conversation, Role.ASKER)
    context: dict[str, Any] = bar(thread.datasource, "chat") | {"conversation": thread}
    if request.method == "POST":
        try:
            services.rename(thread, request.POST.get("title", ""))
            return done(request, reverse("conversation", args=[pk, thread.pk]), _("Renamed"))
        except ValidationError as error:
            context |= {"error": " ".join(error.messages), "title": request.POST.get("title", "")}
    return render(request, "chat/rename.html", context, status=422 if "error" in context else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    thread = find_conversation(request, pk, conversation, Role.ASKER)
    if request.method == "POST":
        services.delete_conversation(thread)
        return done(request, reverse("chat", args=[pk]), _("Conversation deleted"))
    context = bar(thread.datasource, "chat") | {"conversation": thread, "questions": thread.turns.count()}
    return render(request, "chat/delete.html", context)


@login_required
@require_safe
def export(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """All questions, answers and sources as a Markdown file."""
    return conversation_file(find_conversation(request, pk, conversation, Role.VIEWER))


@login_required
@require_safe
def export_word(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    """The same as a Word file, with the pages that the quotes are on."""
    thread = find_conversation(request, pk, conversation, Role.VIEWER)
    content = word_file(thread, request.build_absolute_uri("/")[:-1])
    disposition = saved_as(f"{thread}.docx")
    return HttpResponse(content, content_type=WORD.mime, headers={"Content-Disposition": disposition})
