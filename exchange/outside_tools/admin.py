"""Outside tools in the admin: to be looked at. Servers are for the settings, ticks for owners."""

from django.contrib import admin

from datasources.admin import ReadOnlyAdmin
from exchange.outside_tools.models import AttachedTool, OutsideServer, PersonalToken


@admin.register(OutsideServer)
class OutsideServerAdmin(ReadOnlyAdmin):
    open_fields = (
        "name",
        "address",
        "is_private",
        "is_for_owners",
        "is_per_person",
        "looked",
        "failure",
        "created",
    )
    list_display = ("__str__", *open_fields)
    search_fields = ("name",)


@admin.register(AttachedTool)
class AttachedToolAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "server", "name", "attached_by", "attached")
    list_display = ("__str__", *open_fields)
    list_select_related = ("datasource", "server", "attached_by")
    search_fields = ("datasource__name",)


@admin.register(PersonalToken)
class PersonalTokenAdmin(ReadOnlyAdmin):
    open_fields = ("server", "person", "entered")
    list_display = ("__str__", *open_fields)
    list_select_related = ("server", "person")
    search_fields = ("server__name", "person__email")
