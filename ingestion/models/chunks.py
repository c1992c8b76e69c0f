"""Chunks: the pieces of a document that are searched and quoted, and their vectors."""

from typing import Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import MD5, Cast
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pgvector.django import HalfVectorField

from datasources.models import Datasource, Document, DocumentStatus
from ingestion.models.vectors import VectorSpace


class ChunkKind(models.TextChoices):
    HEADING = "heading", _("Heading")
    PROSE = "prose", _("Prose")
    CLAUSE = "clause", _("Clause")
    LIST = "list", pgettext_lazy("noun", "List")
    TABLE = "table", _("Table")
    BOILERPLATE = "boilerplate", _("Boilerplate")


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def searchable(self) -> Self:
        return self.filter(left_out=False, document__status=DocumentStatus.READY)

    def without_vector(self, space: VectorSpace) -> Self:
        """Those that are not embedded in the space."""
        return self.exclude(Exists(ChunkEmbedding.objects.filter(chunk=OuterRef("pk"), space=space)))


class Chunk(models.Model):
    """A passage: `text` is exactly the document's text from `start` to `end`."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="chunks")
    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks")
    index = models.PositiveIntegerField(help_text="From 0, in reading order.")
    text = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    first_page = models.PositiveIntegerField()
    last_page = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=12, choices=ChunkKind, default=ChunkKind.PROSE)
    section = models.CharField(max_length=300, blank=True, help_text="The headings over it.")
    quality = models.FloatField(default=0, help_text="0 to 1: how much it is worth as evidence.")
    left_out = models.BooleanField(default=False, help_text="Not offered by any search.")

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["document", "index"]
        constraints = [models.UniqueConstraint(fields=["document", "index"], name="one_chunk_per_index")]
        indexes = [
            models.Index(fields=["datasource"], condition=Q(left_out=True), name="chunk_left_out"),
            GinIndex(SearchVector("text", config="simple"), name="chunk_words"),
            models.Index("datasource", Cast(MD5("text"), models.UUIDField()), name="chunk_text"),
        ]

    def __str__(self) -> str:
        return f"{self.document} chunk {self.index}"


class ChunkEmbedding(models.Model):
    """A chunk's unit vector in one space, in a narrow table of its own so that exact scans stay quick.

    The column has no fixed dimension (each space has its own); every query must name the space.
    """

    pk = models.CompositePrimaryKey("chunk_id", "space_id")
    chunk = models.ForeignKey(Chunk, models.CASCADE, db_index=False, related_name="embeddings")
    space = models.ForeignKey(VectorSpace, models.CASCADE, related_name="+")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of {self.chunk_id}"
