"""What was spent on models, a row a day, and what may be spent in a month.

Rows name people and datasources by number, for they outlive both; 0 is nobody, or no datasource.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

EVERYWHERE = 0  # in place of a datasource's number: the whole deployment


class Purpose(models.TextChoices):
    ANSWERS = "answers", _("Answers")
    INDEXING = "indexing", _("Indexing")
    EVALUATION = "evaluation", _("Evaluation")
    TABLES = "tables", _("Tables")
    ASSESSMENT = "assessment", _("Assessment")
    TESTS = "tests", _("Tests of models")


class Spending(models.Model):
    """What one person's use of one model took on one day, in one datasource, for one purpose."""

    day = models.DateField(db_index=True)
    person = models.BigIntegerField(default=0)
    datasource = models.BigIntegerField(default=0)
    purpose = models.CharField(max_length=10, choices=Purpose)
    model = models.CharField(max_length=200)
    host = models.CharField(max_length=255, blank=True, help_text="Of the model's server.")
    calls = models.PositiveBigIntegerField(default=0)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)
    milliseconds = models.PositiveBigIntegerField(default=0)
    money = models.DecimalField(
        max_digits=16, decimal_places=8, default=0, help_text="At the prices of the time; 0 while unknown."
    )

    class Meta:
        verbose_name_plural = "spending"
        constraints = [
            models.UniqueConstraint(
                fields=["day", "person", "datasource", "purpose", "model", "host"], name="spending_once_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.model}"


class MonthlyBudget(models.Model):
    """What language models may cost in a calendar month; an empty limit is none."""

    datasource = models.BigIntegerField(unique=True, help_text="Its number; 0 is the whole deployment.")
    tokens = models.PositiveBigIntegerField(null=True, blank=True)
    money = models.DecimalField(
        max_digits=12, decimal_places=2, null=True, blank=True, help_text="In the currency of the prices."
    )

    def __str__(self) -> str:
        return f"Budget of datasource {self.datasource}" if self.datasource else "Budget of the deployment"
