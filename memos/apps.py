"""The app of memos."""

from django.apps import AppConfig


class MemosConfig(AppConfig):
    name = "memos"
    default_auto_field = "django.db.models.BigAutoField"
