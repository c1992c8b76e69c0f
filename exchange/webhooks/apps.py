"""The app of webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "exchange.webhooks"
    default_auto_field = "django.db.models.BigAutoField"
