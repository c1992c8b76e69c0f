"""The app of connectors."""

from django.apps import AppConfig


class ConnectorsConfig(AppConfig):
    name = "exchange.connectors"
    default_auto_field = "django.db.models.BigAutoField"
