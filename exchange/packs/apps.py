"""The app of evidence packs."""

from django.apps import AppConfig


class PacksConfig(AppConfig):
    name = "exchange.packs"
