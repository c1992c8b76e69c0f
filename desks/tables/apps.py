"""The app that asks the same of many documents: a row each, a column for each thing asked."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "desks.tables"
    verbose_name = "Tables"
