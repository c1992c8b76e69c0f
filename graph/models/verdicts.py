"""What a model thinks of two names, kept so that it is asked once."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from datasources.models import Datasource


class Verdict(models.TextChoices):
    SAME = "same", "The same thing"
    DIFFERENT = "different", "Two different things"
    UNSURE = "unsure", "Can't be told"


class PairVerdict(models.Model):
    """A model's answer about two names and what was said of them, known by hash: it quotes nothing.

    It holds while that is what is said of them, and goes with the first document that it was based on.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    sense = models.CharField(max_length=40, blank=True)
    other_key = models.CharField(max_length=200)
    other_sense = models.CharField(max_length=40, blank=True)
    content = models.CharField(max_length=64, help_text="SHA-256 of the prompt and of what it saw of them.")
    documents = ArrayField(models.BigIntegerField(), help_text="Those that it saw quotes of.")
    model = models.CharField(max_length=200)
    verdict = models.CharField(max_length=9, choices=Verdict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["datasource", "content", "model"], name="one_verdict_per_question"
            )
        ]
        indexes = [
            models.Index(fields=["datasource", "key"], name="verdict_key"),
            models.Index(fields=["datasource", "other_key"], name="verdict_other_key"),
        ]

    def __str__(self) -> str:
        return f"{self.key} = {self.other_key}? {self.get_verdict_display()}"
