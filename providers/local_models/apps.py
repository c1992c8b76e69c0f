"""The app of installed models."""

from django.apps import AppConfig


class LocalModelsConfig(AppConfig):
    name = "providers.local_models"
    default_auto_field = "django.db.models.BigAutoField"
