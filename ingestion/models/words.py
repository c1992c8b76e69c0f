"""The words of chunks and documents, as searches by words need them."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from pgvector.django import SparseVectorField

from datasources.models import Datasource, Document
from ingestion.models.chunks import Chunk


class SearchTerms(models.Model):
    """What something is found by: hashes of its terms, and how much each weighs there.

    Hashes are those of `search_terms.hashed`; the weights are in a vector of all hashes that there can be.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    terms = ArrayField(models.IntegerField())
    weights = SparseVectorField()

    class Meta:
        abstract = True


class ChunkTerms(SearchTerms):
    """The words of a chunk, each weighed as BM25 weighs it but for its rarity."""

    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, related_name="search_terms")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "chunk terms"
        indexes = [GinIndex(fields=["terms"], name="chunk_terms", fastupdate=False)]

    def __str__(self) -> str:
        return f"terms of {self.chunk_id}"


class DocumentTerms(SearchTerms):
    """What a document is called by: its title, and names and dates of its beginning that recur in it.

    Empty for a document of one chunk, which says all of that itself.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="search_terms")
    language = models.CharField(max_length=2, blank=True, help_text="ISO 639-1; empty when nothing tells.")

    class Meta:
        verbose_name_plural = "document terms"
        indexes = [GinIndex(fields=["terms"], name="document_terms", fastupdate=False)]

    def __str__(self) -> str:
        return f"terms of {self.document_id}"


class TermCount(models.Model):
    """In how many chunks or documents of a datasource a term is. Triggers keep it, see the migration."""

    pk = models.CompositePrimaryKey("datasource_id", "term")
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+", db_index=False)
    term = models.IntegerField()
    count = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.term:x}: {self.count}"


class Word(models.Model):
    """A word as it is written in a datasource, to be found by its misspellings, beginning and end.

    It goes with the last chunk that has its term.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+", db_index=False)
    word = models.CharField(max_length=60)
    term = models.IntegerField(help_text="Of its stem.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "word", "term"], name="one_word_per_term")
        ]
        indexes = [models.Index(fields=["datasource", "term"], name="word_of_term")]

    def __str__(self) -> str:
        return self.word
