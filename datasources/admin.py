"""Datasources and memberships in the admin. What deletes files is registered by `ingestion.admin`."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from datasources.models import Document, Membership
from datasources.services import loss_of

# Of a list of rows that belong to a datasource: only the datasources that have any.
OF_ITS_DATASOURCE = ("datasource", admin.RelatedOnlyFieldListFilter)


class FieldExactAdmin(admin.ModelAdmin):
    """Writes just the fields that were changed in the form: jobs and people change others meanwhile."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change:
            own = {field.name for field in obj._meta.concrete_fields}
            obj.save(update_fields=own & set(form.changed_data))
        else:
            obj.save()


class ReadOnlyAdmin(FieldExactAdmin):
    """For rows that a job writes: to be looked at, never changed by hand."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DeletingAdmin(FieldExactAdmin):
    """Deletes through a service. The question before it names the loss, not thousands of derived rows."""

    def delete_one(self, obj: Any, by: Any) -> None:
        raise NotImplementedError

    def loss(self, obj: Any) -> str:
        return str(obj)

    def get_deleted_objects(
        self, objs: Iterable[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        losses = [self.loss(obj) for obj in objs]
        return losses, {str(self.model._meta.verbose_name_plural): len(losses)}, set(), []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_one(obj, request.user)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for pk in list(queryset.values_list("pk", flat=True)):
            if obj := self.model._default_manager.filter(pk=pk).first():  # one may take another along
                self.delete_one(obj, request.user)


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


class DatasourceAdmin(DeletingAdmin):
    list_display = ("name", "owner", "embedding_model", "paused", "created")
    list_filter = ("paused", "embedding_model", "created")
    list_select_related = ("owner",)
    search_fields = ("name", "description", "owner__email")
    autocomplete_fields = ("owner",)
    readonly_fields = ("embedding_model", "embedding_dimensions", "created", "updated")
    inlines = (MembershipInline,)

    def loss(self, obj: Any) -> str:
        return f"{obj}: {loss_of(obj)}"


class DocumentAdmin(DeletingAdmin):
    list_display = ("title", "datasource", "status", "page_count", "chunk_count", "size", "created")
    list_filter = ("status", "mime", "created")
    list_select_related = ("datasource",)
    search_fields = ("title", "filename", "sha256", "datasource__name")
    fields = (
        "title", "datasource", "filename", "mime", "size", "sha256", "stored_as", "passage", "version",
        "replaces", "uploaded_by", "status", "stage_done", "stage_total", "page_count", "pages_without_text",
        "pages_unreadable", "chunk_count", "error_code", "error_message", "error_hint", "error_detail",
        "attempts", "created", "ready_at",
    )  # fmt: skip
    readonly_fields = tuple(name for name in fields if name != "title")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a document begins with an upload

    @admin.display(description="Stored as")
    def stored_as(self, document: Document) -> str:
        return document.file.name or ""


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    list_display = ("user", "datasource", "role", "created")
    list_filter = ("role",)
    list_select_related = ("user", "datasource")
    search_fields = ("user__email", "datasource__name")
    autocomplete_fields = ("user", "datasource")
