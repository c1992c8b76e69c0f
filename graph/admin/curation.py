"""People's decisions in the admin, by the services of the app: each is remembered and can be undone."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.contents import may_see
from accounts.models import User
from datasources.admin import OF_ITS_DATASOURCE, DeletingAdmin, ReadOnlyAdmin
from graph.curation import services
from graph.models import Decision, Entity, EntityName


def person(request: HttpRequest) -> User:
    """Who is signed in to the admin."""
    assert isinstance(request.user, User)
    return request.user


class CurationAdmin(ReadOnlyAdmin):
    """Rows that are changed by decisions only."""

    def has_curate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("graph.change_entity")

    def say(self, request: HttpRequest, refusal: ValidationError) -> None:
        self.message_user(request, refusal.messages[0], messages.ERROR)


class EntityForm(forms.ModelForm):
    """A new name and new types are decisions; so is another name."""

    alias = forms.CharField(
        label="Another name",
        required=False,
        max_length=300,
        help_text="Documents that use it, now or later, mean this entity.",
    )

    class Meta:
        model = Entity
        fields = ("name", "types")

    def clean_alias(self) -> str:
        """Tries it, to learn whether it would be refused."""
        alias = str(self.cleaned_data["alias"])
        if alias:
            with transaction.atomic():
                services.add_alias(self.instance, alias)
                transaction.set_rollback(True)
        return alias


@admin.register(Entity)
class EntityAdmin(CurationAdmin):
    list_display = ("name", "types", "mention_count", "document_count", "hidden", "datasource")
    list_filter = ("hidden", OF_ITS_DATASOURCE)
    list_select_related = ("datasource",)
    search_fields = ("name", "key", "description")
    open_fields = ("mention_count", "document_count", "hidden", "datasource")
    form = EntityForm
    fields = (
        "name",
        "types",
        "alias",
        "datasource",
        "key",
        "sense",
        "description",
        "mention_count",
        "document_count",
        "hidden",
    )
    readonly_fields = fields[3:]
    actions = ("merge_two", "leave_out")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_see(request) and self.has_curate_permission(request)

    def save_model(self, request: HttpRequest, obj: Entity, form: Any, change: bool) -> None:
        """Never writes the row: what was changed becomes decisions, and the row follows."""
        try:
            if form.cleaned_data["name"] != form.initial["name"]:
                services.rename(obj, form.cleaned_data["name"], person(request))
            if form.cleaned_data["types"] != form.initial["types"]:
                services.retype(obj, form.cleaned_data["types"], person(request))
            if form.cleaned_data["alias"]:
                services.add_alias(obj, form.cleaned_data["alias"], person(request))
        except ValidationError as refusal:
            self.say(request, refusal)

    @admin.action(description="Merge the two selected entities", permissions=["curate"])
    def merge_two(self, request: HttpRequest, queryset: QuerySet[Entity]) -> None:
        chosen = list(queryset[:3])
        try:
            if len(chosen) != 2:
                raise ValidationError("Select exactly two entities to merge. Nothing was changed.")
            services.merge(chosen[0], chosen[1], person(request))
        except ValidationError as refusal:
            return self.say(request, refusal)
        return self.message_user(request, f"“{chosen[0]}” and “{chosen[1]}” are now one.")

    @admin.action(description="Leave the selected entities out", permissions=["curate"])
    def leave_out(self, request: HttpRequest, queryset: QuerySet[Entity]) -> None:
        done = 0
        for entity in list(queryset):
            try:
                services.hide(entity, person(request))
            except ValidationError as refusal:
                self.say(request, refusal)
            else:
                done += 1
        self.message_user(request, f"{done} left out. Delete the decision to bring one back.")


@admin.register(EntityName)
class EntityNameAdmin(CurationAdmin):
    open_fields = ("count", "entity", "datasource")
    list_display = ("name", "key", "sense", *open_fields)
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("entity", "datasource")
    search_fields = ("name", "key")
    actions = ("split_off", "keep_two_apart")

    @admin.action(description="Split each selected name off its entity", permissions=["curate"])
    def split_off(self, request: HttpRequest, queryset: QuerySet[EntityName]) -> None:
        for name in list(queryset):
            try:
                services.separate(name, person(request))
            except ValidationError as refusal:
                self.say(request, refusal)
            else:
                self.message_user(request, f"“{name}” is now an entity of its own.")

    @admin.action(description="Keep the two selected names apart", permissions=["curate"])
    def keep_two_apart(self, request: HttpRequest, queryset: QuerySet[EntityName]) -> None:
        chosen = list(queryset[:3])
        try:
            if len(chosen) != 2:
                raise ValidationError("Select exactly two names to keep apart. Nothing was changed.")
            services.keep_apart(chosen[0], chosen[1], person(request))
        except ValidationError as refusal:
            return self.say(request, refusal)
        return self.message_user(request, f"“{chosen[0]}” and “{chosen[1]}” are two different things.")


@admin.register(Decision)
class DecisionAdmin(DeletingAdmin):
    """Deleting a decision is its undo."""

    open_fields = ("kind", "decided_by", "decided", "datasource")
    list_display = ("kind", "key", "other_key", "name", "decided_by", "decided", "datasource")
    list_filter = ("kind", OF_ITS_DATASOURCE)
    list_select_related = ("decided_by", "datasource")
    search_fields = ("key", "other_key", "name")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_one(self, obj: Decision, by: Any) -> None:
        services.undo(obj)
