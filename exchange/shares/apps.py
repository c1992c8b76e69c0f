"""The app of share links."""

from django.apps import AppConfig


class SharesConfig(AppConfig):
    name = "exchange.shares"
    default_auto_field = "django.db.models.BigAutoField"
