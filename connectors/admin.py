"""Connected folders in the admin: to be looked at. They belong to owners."""

from django.contrib import admin

from connectors.models import Brought, Connector, FollowedFile
from datasources.admin import ReadOnlyAdmin


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


@admin.register(Brought)
class BroughtAdmin(ReadOnlyAdmin):
    open_fields = ("document_id",)
    list_display = open_fields
