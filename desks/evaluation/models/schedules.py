"""Which question sets are run after each upload, and how."""

from django.conf import settings
from django.db import models

from desks.evaluation.models.sets import QuestionSet


class Schedule(models.Model):
    """A run of a set whenever documents were added: one for all that are read together."""

    question_set = models.OneToOneField(
        QuestionSet, models.CASCADE, primary_key=True, related_name="schedule"
    )
    variant = models.CharField(max_length=200, blank=True, help_text="As it is written for the command line.")
    judged = models.BooleanField(default=False)
    thresholds = models.CharField(max_length=500, blank=True, help_text="adherence=0.97, none.refused=0.8")
    token_budget = models.PositiveBigIntegerField(null=True, blank=True, help_text="Of each run.")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", help_text="As whom it runs."
    )
    problem = models.CharField(max_length=500, blank=True, help_text="Why the last run was not started.")
    problem_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.question_set} after each upload"
