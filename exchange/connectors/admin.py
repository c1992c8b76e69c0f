"""Connected sources in the admin: to be looked at. They belong to owners."""

from django.contrib import admin

from datasources.admin import ReadOnlyAdmin
from exchange.connectors.models import Brought, Connector, Counterpart, FollowedFile


@admin.register(Connector)
class ConnectorAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "kind", "made_by", "created", "status", "error_code", "looked", "next_look")
    list_display = ("__str__", *open_fields)
    list_filter = ("kind", "status")
    list_select_related = ("datasource", "made_by")
    search_fields = ("datasource__name",)


@admin.register(FollowedFile)
class FollowedFileAdmin(ReadOnlyAdmin):
    open_fields = ("connector", "document_id")
    list_display = ("pk", *open_fields)
    list_select_related = ("connector__datasource",)


@admin.register(Counterpart)
class CounterpartAdmin(ReadOnlyAdmin):
    open_fields = ("connector", "files", "group")
    list_display = ("pk", *open_fields)
    list_select_related = ("connector__datasource", "group")


@admin.register(Brought)
class BroughtAdmin(ReadOnlyAdmin):
    open_fields = ("document_id",)
    list_display = open_fields
