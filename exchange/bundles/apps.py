"""The app of bundles."""

from django.apps import AppConfig


class BundlesConfig(AppConfig):
    name = "exchange.bundles"
