"""Memos in the admin: to look at, by those who may see contents."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from memos.models import Memo


@admin.register(Memo)
class MemoAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "author", "edition", "created", "updated")
    list_display = ("__str__", *open_fields)
    list_filter = ("updated", OF_ITS_DATASOURCE)
    list_select_related = ("datasource", "author")
    search_fields = ("title", "text", "author__email", "datasource__name")
