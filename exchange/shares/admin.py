"""Share links in the admin: who made them and how often they were viewed, not what they show."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from datasources.admin import DeletingAdmin, ReadOnlyAdmin
from exchange.shares.models import ShareLink, ShareRule
from exchange.shares.services import remove_link


@admin.register(ShareRule)
class ShareRuleAdmin(ReadOnlyAdmin):
    """Who may share the answers of a datasource."""

    open_fields = ("datasource", "sharers")
    list_display = open_fields
    list_filter = ("sharers",)


@admin.register(ShareLink)
class ShareLinkAdmin(DeletingAdmin):
    open_fields = ("maker", "created", "expires", "ended", "views", "last_viewed")
    list_display = ("__str__", *open_fields)
    list_filter = ("expires", "created")
    list_select_related = ("maker",)
    search_fields = ("maker__email", "recipient")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_one(self, obj: ShareLink, by: Any) -> None:
        remove_link(obj, by)

    def loss(self, obj: ShareLink) -> str:
        return f"{obj}: its address shows nothing any more"
