"""The app of spending."""

from django.apps import AppConfig


class SpendingConfig(AppConfig):
    name = "providers.spending"
    default_auto_field = "django.db.models.BigAutoField"
