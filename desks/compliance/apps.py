"""The app that checks vendors' documents against the requirements of frameworks."""

from django.apps import AppConfig


class ComplianceConfig(AppConfig):
    name = "desks.compliance"
    verbose_name = "Compliance"
