"""The app of OpenID Connect providers."""

from django.apps import AppConfig


class OpenIdConfig(AppConfig):
    name = "accounts.openid"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.socialaccount.signals import social_account_added

        from accounts.openid.services import note_connected

        social_account_added.connect(note_connected)
