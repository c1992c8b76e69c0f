"""Installations in the admin, to be looked at."""

from django.contrib import admin
from django.http import HttpRequest

from providers.local_models.models import Installation


@admin.register(Installation)
class InstallationAdmin(admin.ModelAdmin):
    list_display = ("name", "role", "status", "step", "error_message")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Installation | None = None) -> bool:
        return False
