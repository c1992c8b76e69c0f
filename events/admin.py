"""Event channels in the admin, with their newest events: rows of a compound key have no page of their own."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from events.models import Channel, Event

NEWEST = 100  # events shown


@admin.register(Channel)
class ChannelAdmin(admin.ModelAdmin):
    list_display = ("name", "last_seq", "run_token")
    list_filter = (("run_token", admin.EmptyFieldListFilter),)
    search_fields = ("name",)
    open_fields = ("name", "last_seq", "run_token")
    fields = (*open_fields, "events")
    readonly_fields = fields
    ordering = ("name",)
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Events have questions and answers in them."""
        return self.fields if getattr(request.user, "may_see_contents", False) else self.open_fields

    @admin.display(description="Newest events")
    def events(self, channel: Channel) -> str:
        newest: QuerySet[Event] = Event.objects.filter(channel=channel.name).order_by("-seq")[:NEWEST]
        rows = ((e.seq, e.created, e.kind, json.dumps(e.data, ensure_ascii=False)) for e in newest)
        return format_html_join("", "<p>{} · {} · {}<br>{}</p>", rows)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
