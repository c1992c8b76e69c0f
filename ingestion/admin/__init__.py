"""Documents and what was read from them in the admin; deletion is a purge."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from datasources.admin import OF_ITS_DATASOURCE, DatasourceAdmin, DocumentAdmin, ReadOnlyAdmin
from datasources.models import Datasource, Deletion, Document
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.models import (
    Annotation,
    Attachment,
    Chunk,
    ChunkTerms,
    DocumentTerms,
    Doubt,
    Page,
    Section,
    Table,
    TableRow,
    Word,
)


@admin.register(Datasource)
class DatasourceWithDeletionAdmin(DatasourceAdmin):
    def delete_one(self, obj: Datasource, by: Any) -> None:
        purge_datasource(obj, by)


@admin.register(Document)
class DocumentWithDeletionAdmin(DocumentAdmin):
    def delete_one(self, obj: Document, by: Any) -> None:
        purge(obj, by)


@admin.register(Deletion)
class DeletionAdmin(ReadOnlyAdmin):
    open_fields = (
        "deleted_by",
        "requested",
        "purged",
        "completed",
        "left_in_all",
        "removed",
        "left",
        "owner",
        "batch",
        "datasource",
        "document",
    )
    list_display = ("name", "datasource_name", "deleted_by", "requested", "completed", "left_in_all")
    list_filter = ("requested", "completed")
    list_select_related = ("deleted_by",)
    search_fields = ("document_name", "datasource_name", "deleted_by__email")


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    open_fields = ("document", "number", "source", "confidence", "start", "width", "height")
    list_display = open_fields
    list_filter = (("document__datasource", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("document",)
    search_fields = ("document__title", "text")
    exclude = ("boxes", "certainty", "layout")


@admin.register(Annotation)
class AnnotationAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("page", "position", "kind", "made")
    list_filter = ("kind",)
    list_select_related = ("page__document",)
    search_fields = ("page__document__title", "text", "author")


@admin.register(Doubt)
class DoubtAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("page", "position", "kind", "script", "start", "end")
    list_filter = ("kind",)
    list_select_related = ("page__document",)
    search_fields = ("page__document__title",)


@admin.register(Section)
class SectionAdmin(ReadOnlyAdmin):
    open_fields = ("document", "number", "level", "page", "start", "end")
    list_display = (*open_fields, "name")
    list_filter = ("level",)
    list_select_related = ("document",)
    search_fields = ("document__title", "name")


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    open_fields = ("document", "page", "start", "end")
    list_display = (*open_fields, "caption")
    list_filter = (("document__datasource", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("document",)
    search_fields = ("document__title", "caption")


@admin.register(TableRow)
class TableRowAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("document", "table", "kind", "start", "end")
    list_filter = ("kind",)
    list_select_related = ("document", "table__document")
    search_fields = ("document__title",)


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    list_display = ("document", "index", "kind", "quality", "token_count", "first_page", "left_out")
    list_filter = ("kind", "left_out", OF_ITS_DATASOURCE)
    list_select_related = ("document",)
    search_fields = ("document__title", "text")
    fields = (
        "left_out",
        "datasource",
        "document",
        "index",
        "text",
        "start",
        "end",
        "first_page",
        "last_page",
        "token_count",
        "kind",
        "quality",
    )
    readonly_fields = tuple(name for name in fields if name != "left_out")
    open_fields = tuple(name for name in fields if name != "text")
    changed_unseen = ("left_out",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("ingestion.change_chunk")  # to leave it out of searches


@admin.register(ChunkTerms)
class ChunkTermsAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("chunk", "document", "datasource")
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("chunk", "document", "datasource")
    search_fields = ("document__title",)
    exclude = ("weights",)


@admin.register(DocumentTerms)
class DocumentTermsAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("document", "language", "datasource")
    list_filter = ("language", OF_ITS_DATASOURCE)
    list_select_related = ("document", "datasource")
    search_fields = ("document__title",)
    exclude = ("weights",)


@admin.register(Word)
class WordAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "term")
    list_display = ("word", "datasource")
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("datasource",)
    search_fields = ("word",)


@admin.register(Attachment)
class AttachmentAdmin(ReadOnlyAdmin):
    open_fields = ("mail", "position", "size", "document")
    list_display = ("filename", *open_fields)
    list_filter = (("mail__datasource", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("mail", "document")
    search_fields = ("filename", "mail__title")
