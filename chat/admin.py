"""Conversations, turns and citations in the admin: read-only, and deleted through the service."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from chat import services
from chat.models import AnswerSettings, Citation, Conversation, Feedback, Instructions, Note, PaidReply, Turn
from datasources.admin import OF_ITS_DATASOURCE, DeletingAdmin, ReadOnlyAdmin


@admin.register(Conversation)
class ConversationAdmin(DeletingAdmin):
    open_fields = ("user", "datasource", "created", "updated")
    list_display = ("__str__", *open_fields)
    list_filter = ("updated", OF_ITS_DATASOURCE)
    list_select_related = ("user", "datasource")
    search_fields = ("title", "user__email", "datasource__name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_one(self, obj: Conversation, by: Any) -> None:
        services.delete_conversation(obj)

    def loss(self, obj: Conversation) -> str:
        return f"{obj}: {obj.turns.count()} questions with their answers"


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    open_fields = (
        "status",
        "mode",
        "model",
        "quotes_only",
        "seconds",
        "attempts",
        "created",
        "conversation",
    )
    list_display = ("__str__", *open_fields[:-1])
    list_filter = ("status", "mode", "model", "created")
    search_fields = ("question", "answer", "conversation__user__email")


@admin.register(PaidReply)
class PaidReplyAdmin(ReadOnlyAdmin):
    open_fields = ("turn", "key")
    list_display = ("__str__", "turn")
    list_filter = ("turn__status",)
    search_fields = ("key",)


@admin.register(Citation)
class CitationAdmin(ReadOnlyAdmin):
    open_fields = ("on_page", "support", "pages", "turn")
    list_display = ("__str__", *open_fields)
    list_filter = ("on_page", "support")
    list_select_related = ("turn",)
    search_fields = ("quote", "written", "document_title")


@admin.register(Feedback)
class FeedbackAdmin(ReadOnlyAdmin):
    open_fields = ("helpful", "reason", "given", "turn")
    list_display = ("__str__", *open_fields[:-1])
    list_filter = ("helpful", "reason", "given")
    list_select_related = ("turn",)
    search_fields = ("note", "turn__question")


@admin.register(Instructions)
class InstructionsAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "user", "changed")
    list_display = ("__str__", *open_fields)
    list_filter = ("changed", OF_ITS_DATASOURCE)
    list_select_related = ("datasource", "user")
    search_fields = ("text", "user__email", "datasource__name")


@admin.register(Note)
class NoteAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "author", "created")
    list_display = ("__str__", *open_fields)
    list_filter = ("created", OF_ITS_DATASOURCE)
    list_select_related = ("datasource", "author")
    search_fields = ("question", "text", "remark", "author__email", "datasource__name")


@admin.register(AnswerSettings)
class AnswerSettingsAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "strict", "personal_data", "remember", "passages", "context_tokens")
    list_display = open_fields
    list_filter = ("strict", "personal_data")
    search_fields = ("datasource__name",)
