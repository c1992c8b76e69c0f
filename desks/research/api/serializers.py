"""What REST returns about searches, imports and papers, and what it accepts."""

from typing import Any

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_fields import KnownFields
from desks.research import queue
from desks.research.arxiv_api.query import FARTHEST, SORTS
from desks.research.models import ImportedPaper, Paper, PaperImport, PaperSearch


class ArxivPaperSerializer(serializers.Serializer[Any]):
    """A paper as arXiv describes it."""

    number = serializers.CharField(help_text="At arXiv, without the version.")
    version = serializers.IntegerField()
    title = serializers.CharField()
    authors = serializers.ListField(child=serializers.CharField())
    abstract = serializers.CharField()
    published = serializers.CharField()
    updated = serializers.CharField()
    categories = serializers.ListField(child=serializers.CharField())
    doi = serializers.CharField()
    journal = serializers.CharField()
    comment = serializers.CharField()
    link = serializers.CharField()
    is_withdrawn = serializers.BooleanField()


class NewPaperSearchSerializer(KnownFields[Any]):
    """At least one of words, title, author, categories, since and until."""

    words = serializers.CharField(
        required=False, allow_blank=True, max_length=500, help_text="Also arXiv's own syntax, numbers, links."
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=500)
    author = serializers.CharField(required=False, allow_blank=True, max_length=500)
    categories = serializers.CharField(required=False, allow_blank=True, max_length=500)
    since = serializers.CharField(
        required=False, allow_blank=True, max_length=10, help_text="A day or a year."
    )
    until = serializers.CharField(required=False, allow_blank=True, max_length=10)
    sort = serializers.ChoiceField(choices=list(SORTS), required=False)
    start = serializers.IntegerField(required=False, min_value=0, max_value=FARTHEST)


class PaperSearchSerializer(serializers.ModelSerializer[PaperSearch]):
    papers = ArxivPaperSerializer(many=True, read_only=True)
    wait = serializers.SerializerMethodField(help_text="Seconds until arXiv may be asked next.")

    class Meta:
        model = PaperSearch
        fields = (
            "id",
            "query",
            "status",
            "wait",
            "total",
            "unreadable",
            "papers",
            "error_code",
            "error_message",
            "created",
        )
        read_only_fields = fields

    def get_wait(self, row: PaperSearch) -> float:
        return round(queue.seconds_left(), 1)


class NewPaperImportSerializer(KnownFields[Any]):
    """Numbers or links, the text of a .bib file, or both."""

    papers = serializers.ListField(
        child=serializers.CharField(max_length=300), required=False, max_length=500
    )
    bib = serializers.CharField(required=False, allow_blank=True, max_length=500_000)


class ImportedPaperSerializer(serializers.ModelSerializer[ImportedPaper]):
    document = serializers.IntegerField(source="document_id", read_only=True, allow_null=True)

    class Meta:
        model = ImportedPaper
        fields = (
            "number",
            "version",
            "title",
            "status",
            "message",
            "tries",
            "size_done",
            "size_total",
            "document",
        )
        read_only_fields = fields


class PaperImportSerializer(serializers.ModelSerializer[PaperImport]):
    datasource = serializers.IntegerField(source="datasource_id", read_only=True)
    items = ImportedPaperSerializer(source="imported_papers", many=True, read_only=True)
    wait = serializers.SerializerMethodField(help_text="Seconds until arXiv may be asked next.")

    class Meta:
        model = PaperImport
        fields = (
            "id",
            "datasource",
            "status",
            "wait",
            "error_code",
            "error_message",
            "error_hint",
            "items",
            "created",
            "finished",
        )
        read_only_fields = fields

    def get_wait(self, row: PaperImport) -> float:
        return self._wait

    @cached_property
    def _wait(self) -> float:
        """The same for all rows that one serializer shows."""
        return round(queue.seconds_left(), 1)


class PaperSerializer(serializers.ModelSerializer[Paper]):
    document = serializers.IntegerField(source="document_id", read_only=True)
    authors = serializers.SerializerMethodField()
    categories = serializers.SerializerMethodField()
    link = serializers.CharField(source="told.link", read_only=True)

    class Meta:
        model = Paper
        fields = (
            "document",
            "number",
            "version",
            "newest",
            "has_full_text",
            "withdrawn",
            "title",
            "authors",
            "abstract",
            "published",
            "updated",
            "categories",
            "doi",
            "journal",
            "comment",
            "link",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_authors(self, row: Paper) -> Any:
        return row.authors

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_categories(self, row: Paper) -> Any:
        return row.categories
