"""The app that brings papers from arXiv, with what is known about them."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    name = "desks.research"
    verbose_name = "Research"
