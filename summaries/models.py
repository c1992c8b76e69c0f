"""One-sentence summaries of chunks and documents by a language model, and whether they are wanted."""

from typing import Self

from django.db import models

from datasources.models import Datasource, Document
from ingestion.models import Chunk

LONGEST = 400  # characters of a summary


class SummarySettingsQuerySet(models.QuerySet["SummarySettings"]):
    def of(self, datasource: Datasource) -> "SummarySettings":
        """The current settings; the defaults, not stored, if nobody has chosen any."""
        return self.filter(datasource=datasource).first() or SummarySettings(datasource=datasource)

    def switched_on(self, datasource_id: int) -> bool:
        return self.filter(datasource=datasource_id, enabled=True).exists()


class SummarySettings(models.Model):
    """Whether the chunks and documents of a datasource get summaries."""

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="summary_settings"
    )
    enabled = models.BooleanField("Summarise chunks and documents in a sentence", default=False)
    problem = models.CharField(max_length=500, blank=True, help_text="Why the last run stopped too early.")

    objects = SummarySettingsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "summary settings"

    def __str__(self) -> str:
        return f"summary settings of {self.datasource}"


class SummaryQuerySet(models.QuerySet["ChunkSummary | DocumentSummary"]):
    def written(self) -> Self:
        return self.exclude(text="")

    def failed(self) -> Self:
        """Not tried again until summaries are switched on again."""
        return self.filter(text="")


class Summary(models.Model):
    """A sentence of a model, or why there is none: then `text` is empty."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST, blank=True)
    error = models.CharField(max_length=500, blank=True)
    model = models.CharField(max_length=200)
    created = models.DateTimeField(auto_now_add=True)

    objects = SummaryQuerySet.as_manager()

    class Meta:
        abstract = True


class ChunkSummary(Summary):
    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, related_name="summary")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "chunk summaries"

    def __str__(self) -> str:
        return f"summary of {self.chunk}"


class DocumentSummary(Summary):
    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="summary")

    class Meta:
        verbose_name_plural = "document summaries"

    def __str__(self) -> str:
        return f"summary of {self.document}"
