"""The app of OpenID Connect providers."""

from django.apps import AppConfig


class OpenIdConfig(AppConfig):
    name = "accounts.openid"
    default_auto_field = "django.db.models.BigAutoField"
