"""The map's rows: one a document, derived from its chunks' vectors and rebuilt at will."""

from django.db import models
from pgvector.django import HalfVectorField

from datasources.models import Datasource, Document


class DocumentNode(models.Model):
    """Where a document stands on the map; `vector` is the mean of its chunks' vectors."""

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="node")
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    vector = HalfVectorField()
    x = models.FloatField(null=True)
    y = models.FloatField(null=True)
    group = models.CharField(max_length=80, blank=True, help_text="Named from content; empty for loners.")

    class Meta:
        ordering = ["document"]

    def __str__(self) -> str:
        return f"{self.document} on the map"
