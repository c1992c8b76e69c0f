"""Datasources and memberships in the admin. What deletes files is registered by `ingestion.admin`."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from accounts.contents import may_see
from datasources.models import (
    Document,
    GroupShare,
    Introduction,
    Invitation,
    JoinLink,
    Matter,
    MatterShare,
    Membership,
    WebPage,
    widened,
)
from datasources.services import loss_of

# Of a list of rows that belong to a datasource: only the datasources that have any.
OF_ITS_DATASOURCE = ("datasource", admin.RelatedOnlyFieldListFilter)


# What a filter's address has after the name of the field.
LOOKUPS = {"exact", "isnull", "in", "gte", "gt", "lte", "lt", "isempty", "id", "pk"}


class ContentsAdmin(admin.ModelAdmin):
    """Rows that belong to people. Who may not see contents sees their numbers and states: `open_fields`.

    Names are hidden in `accounts.contents`; here it is fields, filters, searches and whatever asks for them.
    """

    open_fields: tuple[str, ...] = ()
    changed_unseen: tuple[str, ...] = ()  # of these, what may be changed without seeing the contents

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = super().get_list_display(request)
        return (
            shown if may_see(request) else ("__str__", *(name for name in shown if name in self.open_fields))
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        shown = super().get_fields(request, obj)
        return shown if may_see(request) else [name for name in shown if name in self.open_fields]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return fixed if may_see(request) else tuple(set(self.open_fields) - set(self.changed_unseen))

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters = super().get_list_filter(request)
        return filters if may_see(request) else [each for each in filters if self._is_open(each)]

    def _is_open(self, filter_: Any) -> bool:
        name = filter_ if isinstance(filter_, str) else filter_[0]
        return name.split("__")[0] in self.open_fields

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """An address may name any field and so ask for its contents."""
        if may_see(request):
            return super().lookup_allowed(lookup, value, request)
        parts = lookup.split("__")
        while parts and parts[-1] in LOOKUPS:
            parts.pop()
        filters = (each if isinstance(each, str) else each[0] for each in self.get_list_filter(request))
        return "__".join(parts) in filters

    def get_search_fields(self, request: HttpRequest) -> Any:
        return super().get_search_fields(request) if may_see(request) else ()

    def get_ordering(self, request: HttpRequest) -> Any:
        return super().get_ordering(request) if may_see(request) else ("-pk",)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        return {name: act for name, act in actions.items() if may_see(request) or name == "delete_selected"}

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return may_see(request) and super().has_add_permission(request, *args)


class FieldExactAdmin(ContentsAdmin):
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

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A member sees contents."""
        return may_see(request) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_see(request) and super().has_change_permission(request, obj)


class DatasourceAdmin(DeletingAdmin):
    list_display = ("name", "owner", "embedding_model", "paused", "created")
    list_filter = ("paused", "embedding_model", "created")
    list_select_related = ("owner",)
    search_fields = ("name", "description", "owner__email")
    autocomplete_fields = ("owner",)
    readonly_fields = (
        "embedding_model",
        "embedding_dimensions",
        "documents_at_most",
        "size_at_most",
        "created",
        "updated",
    )
    open_fields = (
        "owner",
        "recognition",
        "scan_reader",
        "scan_languages",
        "chunking",
        "chunk_size",
        "chunk_overlap",
        "expansion",
        "paused",
        *readonly_fields,
    )
    changed_unseen = ("paused",)
    inlines = (MembershipInline,)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Another owner can read it, too."""
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            if "owner" in form.changed_data:
                widened([obj.pk])

    def loss(self, obj: Any) -> str:
        return f"{obj}: {loss_of(obj)}"


class DocumentAdmin(DeletingAdmin):
    list_display = ("title", "datasource", "status", "page_count", "chunk_count", "size", "created")
    list_filter = ("status", "mime", "created")
    list_select_related = ("datasource",)
    search_fields = ("title", "filename", "sha256", "datasource__name")
    fields = (
        "title",
        "datasource",
        "filename",
        "mime",
        "size",
        "sha256",
        "stored_as",
        "passage",
        "version",
        "replaces",
        "uploaded_by",
        "status",
        "stage_done",
        "stage_total",
        "page_count",
        "pages_without_text",
        "pages_unreadable",
        "pages_recognised",
        "chunk_count",
        "error_code",
        "error_message",
        "error_hint",
        "error_detail",
        "attempts",
        "created",
        "ready_at",
    )
    readonly_fields = tuple(name for name in fields if name != "title")
    open_fields = (
        "datasource",
        "mime",
        "size",
        "passage",
        "version",
        "replaces",
        "uploaded_by",
        "status",
        "stage_done",
        "stage_total",
        "page_count",
        "pages_without_text",
        "pages_unreadable",
        "pages_recognised",
        "chunk_count",
        "error_code",
        "attempts",
        "created",
        "ready_at",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a document begins with an upload

    @admin.display(description="Stored as")
    def stored_as(self, document: Document) -> str:
        return document.file.name or ""


@admin.register(Introduction)
class IntroductionAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "made")
    list_display = ("description", *open_fields)
    list_filter = ("made",)
    list_select_related = ("datasource",)
    search_fields = ("description", "datasource__name")


@admin.register(Invitation)
class InvitationAdmin(FieldExactAdmin):
    open_fields = ("email", "datasource", "role", "created")
    list_display = open_fields
    list_filter = ("role",)
    list_select_related = ("datasource",)
    search_fields = ("email", "datasource__name")
    autocomplete_fields = ("datasource",)


@admin.register(GroupShare)
class GroupShareAdmin(FieldExactAdmin):
    open_fields = ("group", "datasource", "role", "created")
    list_display = open_fields
    list_filter = ("role",)
    list_select_related = ("group", "datasource")
    search_fields = ("group__name", "datasource__name")
    autocomplete_fields = ("group", "datasource")


@admin.register(Matter)
class MatterAdmin(ReadOnlyAdmin):
    open_fields = ("archived", "created")
    list_display = ("name", *open_fields)
    list_filter = ("archived",)
    search_fields = ("name",)


@admin.register(MatterShare)
class MatterShareAdmin(ReadOnlyAdmin):
    open_fields = ("matter", "person", "group", "email", "role", "created")
    list_display = open_fields
    list_filter = ("role",)
    list_select_related = ("matter", "person", "group")
    search_fields = ("email", "person__email", "group__name", "matter__name")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Otherwise no account that has a role could be deleted, and no group."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(JoinLink)
class JoinLinkAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "role", "made_by", "created", "expires", "used", "used_by")
    list_display = ("email", *open_fields)
    list_filter = ("role", "expires")
    list_select_related = ("datasource", "made_by", "used_by")
    search_fields = ("email", "datasource__name")


@admin.register(Membership)
class MembershipAdmin(FieldExactAdmin):
    open_fields = ("user", "datasource", "role", "created")
    list_display = open_fields
    list_filter = ("role",)
    list_select_related = ("user", "datasource")
    search_fields = ("user__email", "datasource__name")
    autocomplete_fields = ("user", "datasource")


@admin.register(WebPage)
class WebPageAdmin(ReadOnlyAdmin):
    open_fields = ("document", "fetched", "checked")
    list_display = ("address", *open_fields)
    list_filter = ("fetched", "checked")
    list_select_related = ("document",)
    search_fields = ("address", "document__title")
