"""What a model has read for the graph: its answers, kept so that none is paid twice, and what they cost."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from datasources.models import Datasource, Document


class CachedExtraction(models.Model):
    """A model's answer about a text. It goes when no chunk has that text any more."""

    content = models.CharField(max_length=64, help_text="SHA-256 of the text.")
    prompt = models.CharField(max_length=64, help_text="SHA-256 of prompt and schema.")
    model = models.CharField(max_length=200)
    answer = models.JSONField(help_text="See graph.extraction.llm.schema.ModelAnswer.")
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["content", "prompt", "model"], name="one_answer_per_question")
        ]

    def __str__(self) -> str:
        return f"{self.model} on {self.content[:8]}"


class ExtractionState(models.TextChoices):
    DONE = "done", "Read"
    WAITING = "waiting", "Waits for budget or for a retry"
    FAILED = "failed", "Failed"


class ChunkExtraction(models.Model):
    """How far the model is with a chunk. A chunk without a row has not been tried."""

    chunk = models.OneToOneField(
        "ingestion.Chunk", models.CASCADE, primary_key=True, related_name="extraction"
    )
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, models.CASCADE, related_name="extractions")
    state = models.CharField(max_length=8, choices=ExtractionState)
    error = models.CharField(max_length=500, blank=True)
    keywords = ArrayField(models.CharField(max_length=60), default=list, help_text="What the chunk is about.")
    cached = models.ForeignKey(CachedExtraction, models.SET_NULL, null=True, related_name="chunks")

    class Meta:
        indexes = [models.Index(fields=["datasource", "state"], name="extraction_state")]

    def __str__(self) -> str:
        return f"{self.chunk_id}: {self.get_state_display()}"


class ExtractionSpend(models.Model):
    """What reading a datasource with a model has cost so far, deleted documents included."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="extraction_spends")
    model = models.CharField(max_length=200)
    calls = models.PositiveIntegerField(default=0)
    cached_calls = models.PositiveIntegerField(default=0, help_text="Saved by answers that were there.")
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)
    money = models.DecimalField(
        max_digits=14, decimal_places=6, default=0, help_text="At the prices of the time; 0 while unknown."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["datasource", "model"], name="one_spend_per_model")]

    def __str__(self) -> str:
        return f"{self.datasource}: {self.model}"
