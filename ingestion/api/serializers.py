"""The JSON of documents, their pages and chunks, and of what became of an upload."""

import json
import math
from typing import Any

from rest_framework import serializers

from accounts.api_fields import KnownFields
from datasources.models import Document
from datasources.models.documents import READ_ELSEWHERE
from datasources.models.outside_ids import LARGEST_METADATA, check_ids
from ingestion.adding.describing import LONGEST_DESCRIPTION, LONGEST_TITLE
from ingestion.models import Annotation, Chunk, Doubt, Page
from text.normal_forms.storable import storable


class ErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    hint = serializers.CharField(allow_blank=True)


class DocumentSerializer(serializers.ModelSerializer[Document]):
    progress = serializers.SerializerMethodField(help_text="Pages, chunks or vectors of the current stage.")
    error = serializers.SerializerMethodField()

    class Meta:
        model = Document
        fields = (
            "id",
            "datasource",
            "title",
            "description",
            "filename",
            "mime",
            "size",
            "sha256",
            "passage",
            "version",
            "replaces",
            "part_of",
            "status",
            "progress",
            "page_count",
            "pages_without_text",
            "pages_unreadable",
            "pages_recognised",
            "chunk_count",
            "read_elsewhere",
            "error",
            "created",
            "ready_at",
            "metadata",
            "file_properties",
        )
        read_only_fields = fields

    def get_progress(self, document: Document) -> dict[str, int]:
        return {"done": document.stage_done, "total": document.stage_total}

    def get_error(self, document: Document) -> dict[str, str] | None:
        return document.error


class MetadataField(serializers.JSONField):
    """Names with texts, numbers, true, false, or lists of these: what searches may be filtered by."""

    MOST, LONGEST = 50, 500  # names; characters of a text

    def to_internal_value(self, data: Any) -> Any:
        """Raises ValidationError."""
        given = super().to_internal_value(data)
        if not isinstance(given, dict) or len(given) > self.MOST:
            raise serializers.ValidationError(f"Must be an object of at most {self.MOST} names.")
        if len(json.dumps(given)) > LARGEST_METADATA:
            raise serializers.ValidationError(f"Must have at most {LARGEST_METADATA:,} characters as JSON.")
        if storable(given) != given:
            raise serializers.ValidationError("Null characters and halves of characters are not allowed.")
        for name, value in given.items():
            values = value if isinstance(value, list) else [value]
            if not name or not all(self._is_plain(each) for each in [name, *values]):
                raise serializers.ValidationError(
                    "Values must be texts, numbers, true, false, or lists of these."
                )
        check_ids(given)
        return given

    def _is_plain(self, value: Any) -> bool:
        if isinstance(value, str):
            return len(value) <= self.LONGEST
        return isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))


class DocumentChangeSerializer(KnownFields[Any]):
    """What is left out stays as it is."""

    title = serializers.CharField(required=False, max_length=LONGEST_TITLE)
    description = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_DESCRIPTION)
    metadata = MetadataField(required=False, help_text="In place of what there was; tags are its `tags`.")


class ReadElsewhereField(serializers.BooleanField):
    """Of what has a document: as that says it. of: where it has it."""

    def __init__(self, of: str = "document", **options: Any) -> None:
        options |= {"source": f"{of}.read_elsewhere", "read_only": True, "help_text": READ_ELSEWHERE}
        super().__init__(**options)


class PageSerializer(serializers.ModelSerializer[Page]):
    read_elsewhere = ReadElsewhereField()

    class Meta:
        model = Page
        fields = (
            "number",
            "text",
            "readable",
            "read_elsewhere",
            "address",
            "source",
            "confidence",
            "start",
            "width",
            "height",
        )
        read_only_fields = fields


class AnnotationSerializer(serializers.ModelSerializer[Annotation]):
    page = serializers.IntegerField(source="page.number", read_only=True)
    read_elsewhere = ReadElsewhereField("page.document")

    class Meta:
        model = Annotation
        fields = ("page", "kind", "text", "quote", "author", "made", "read_elsewhere")
        read_only_fields = fields


class DoubtSerializer(serializers.ModelSerializer[Doubt]):
    page = serializers.IntegerField(source="page.number", read_only=True)
    read_elsewhere = ReadElsewhereField("page.document")
    start = serializers.SerializerMethodField(help_text="Offset in the document's text; null without words.")
    end = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField(help_text="The words that it is about; empty without any.")

    class Meta:
        model = Doubt
        fields = ("page", "kind", "start", "end", "text", "box", "script", "read_elsewhere")
        read_only_fields = fields

    def get_start(self, doubt: Doubt) -> int | None:
        return doubt.page.start + doubt.start if doubt.end > doubt.start else None

    def get_end(self, doubt: Doubt) -> int | None:
        return doubt.page.start + doubt.end if doubt.end > doubt.start else None

    def get_text(self, doubt: Doubt) -> str:
        return doubt.page.text[doubt.start : doubt.end]


class ChunkSerializer(KnownFields[Chunk], serializers.ModelSerializer[Chunk]):
    read_elsewhere = ReadElsewhereField()

    class Meta:
        model = Chunk
        fields = (
            "id",
            "document",
            "index",
            "text",
            "start",
            "end",
            "first_page",
            "last_page",
            "read_elsewhere",
            "token_count",
            "kind",
            "section",
            "quality",
            "left_out",
        )
        read_only_fields = tuple(name for name in fields if name != "left_out")


class SentAlongSerializer(serializers.Serializer[Any]):
    metadata = MetadataField(
        required=False,
        help_text="A JSON object that all documents of these files get: what searches may be filtered by. "
        "`externalId` is an id by which `rag/` finds them too.",
    )


class UploadSerializer(SentAlongSerializer):
    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)


class ReplacementSerializer(KnownFields[Any]):
    file = serializers.FileField(allow_empty_file=True)


class UploadedSerializer(serializers.Serializer[Any]):
    """What became of one file. A file of ready passages has one document a line."""

    file = serializers.CharField()
    outcome = serializers.ChoiceField(["accepted", "duplicate", "rejected"])
    documents = serializers.ListField(
        child=serializers.IntegerField(), help_text="New ones first, then those that were here already."
    )
    duplicates = serializers.IntegerField(help_text="How many of them were here already.")
    error = ErrorSerializer(allow_null=True)


class UploadsSerializer(serializers.Serializer[Any]):
    files = UploadedSerializer(many=True)
