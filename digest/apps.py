"""The app of documents at a glance."""

from django.apps import AppConfig


class DigestConfig(AppConfig):
    name = "digest"
