"""Tables, their columns, rows and cells in the admin, to be looked at."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from desks.tables.models import Cell, Column, PaidReply, ReviewTable, Row


@admin.register(ReviewTable)
class ReviewTableAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "status", "reader", "tokens", "money", "attempts", "created", "updated")
    list_display = ("__str__", *open_fields)
    list_filter = ("status", OF_ITS_DATASOURCE)
    search_fields = ("name", "datasource__name")


@admin.register(Column)
class ColumnAdmin(ReadOnlyAdmin):
    open_fields = ("table", "place", "removed")
    list_display = ("__str__", *open_fields)
    search_fields = ("name", "question", "table__name")


@admin.register(Row)
class RowAdmin(ReadOnlyAdmin):
    open_fields = ("table", "document", "place", "removed")
    list_display = ("__str__", "table", "place")
    list_select_related = ("document", "table")
    search_fields = ("document__title", "table__name")


@admin.register(PaidReply)
class PaidReplyAdmin(ReadOnlyAdmin):
    open_fields = ("table", "row")
    list_display = ("__str__", "table", "row")
    list_select_related = ("table", "row__document")
    search_fields = ("table__name",)


@admin.register(Cell)
class CellAdmin(ReadOnlyAdmin):
    open_fields = ("row", "column", "state", "read_to", "pages", "on_page", "support")
    list_display = ("__str__", "state", "on_page", "support")
    list_filter = ("state", "support")
    list_select_related = ("row__document", "column")
    search_fields = ("value", "quote", "column__name")
