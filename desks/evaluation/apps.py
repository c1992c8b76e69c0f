"""The app that measures how well a datasource is answered."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "desks.evaluation"
    verbose_name = "Evaluation"
