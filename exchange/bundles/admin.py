"""Imports of bundles in the admin: to be looked at."""

from django.contrib import admin

from datasources.admin import ReadOnlyAdmin
from exchange.bundles.models import BundleImport


@admin.register(BundleImport)
class BundleImportAdmin(ReadOnlyAdmin):
    open_fields = (
        "id",
        "owner",
        "status",
        "done",
        "datasource",
        "created",
        "changed",
        "error_code",
        "error_detail",
    )
    list_display = ("id", "owner", "status", "datasource", "created")
    list_filter = ("status", "created")
    list_select_related = ("owner", "datasource")
    search_fields = ("id",)
