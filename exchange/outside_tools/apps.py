"""The app of outside tools."""

from django.apps import AppConfig


class OutsideToolsConfig(AppConfig):
    name = "exchange.outside_tools"
    default_auto_field = "django.db.models.BigAutoField"
