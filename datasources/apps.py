"""The datasources app."""

from django.apps import AppConfig


class DatasourcesConfig(AppConfig):
    name = "datasources"
    default_auto_field = "django.db.models.BigAutoField"
