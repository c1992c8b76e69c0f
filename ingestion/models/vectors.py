"""Vector spaces of datasources."""

from django.db import models
from django.db.models import Q

from datasources.models import Datasource
from jobs.models import FencedRow


class SpaceStatus(models.TextChoices):
    FILLING = "filling", "Being filled"
    CURRENT = "current", "Searched"
    KEPT = "kept", "Kept to go back"
    STOPPED = "stopped", "Stopped"
    FAILED = "failed", "Failed"


class VectorSpace(FencedRow):
    """The vectors of one datasource by one model: only these can be compared with each other.

    One of a datasource's spaces is searched. While another is filled, and after that has taken over, the old
    one stays, so that a question embedded by the old model is still answered and the change can be undone.
    """

    unfinished = (SpaceStatus.FILLING,)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="vector_spaces")
    model = models.CharField(max_length=200)
    dimensions = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=SpaceStatus)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now_add=True, help_text="When it got its status.")
    declined = models.BooleanField(default=False, help_text="A person has gone back from this model.")
    indexed = models.BooleanField(default=False, help_text="Whether searches may use its index.")
    recall = models.FloatField(null=True, help_text="The share of the nearest 10 that the index finds.")
    recall_tested = models.DateTimeField(null=True)
    recall_queries = models.PositiveIntegerField(default=0)
    short_answers = models.PositiveIntegerField(default=0, help_text="Queries that got too few passages.")
    exact_ms = models.FloatField(null=True, help_text="Median of the exact scans.")
    index_ms = models.FloatField(null=True, help_text="Median with the index.")

    class Meta:
        ordering = ["datasource", "-changed"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "model", "dimensions"], name="one_space_per_model"),
            models.UniqueConstraint(
                fields=["datasource"], condition=Q(status="current"), name="one_current_space"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model}, {self.dimensions} dimensions"
