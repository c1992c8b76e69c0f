"""The app of directories."""

from django.apps import AppConfig


class ScimConfig(AppConfig):
    name = "accounts.scim"
    default_auto_field = "django.db.models.BigAutoField"
