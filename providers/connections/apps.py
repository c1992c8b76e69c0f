"""The app of connected models."""

from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "providers.connections"
    default_auto_field = "django.db.models.BigAutoField"
