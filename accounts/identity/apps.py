"""The app of sign-in providers. Its label is what its tables and migrations have been called since there was
OpenID Connect alone.
"""

from django.apps import AppConfig


class IdentityConfig(AppConfig):
    name = "accounts.identity"
    label = "openid"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.socialaccount.signals import social_account_added

        from accounts.identity.services import note_connected

        social_account_added.connect(note_connected)
