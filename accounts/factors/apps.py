"""The app of second factors."""

from django.apps import AppConfig


class FactorsConfig(AppConfig):
    name = "accounts.factors"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.factors.noting import listen

        listen()
