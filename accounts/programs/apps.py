"""The app of programs that people let in."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    name = "accounts.programs"
    default_auto_field = "django.db.models.BigAutoField"
