"""`knowledge-base`: documents one by one, in a datasource that stands for all that a program adds."""

from typing import Any, BinaryIO, cast

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import signed_in
from accounts.api_tokens import BY_METHOD
from accounts.models import User
from chat.api.numbered_sources import own_id
from datasources.access import find_datasource
from datasources.models import UNFINISHED, Datasource, Document, DocumentQuerySet, DocumentStatus, Role
from datasources.models.outside_ids import EXTERNAL_ID, LONGEST_ID, SUBJECT_ID
from datasources.numbers import LARGEST, limited, number_in
from datasources.services import own_datasource
from ingestion.adding.describing import checked_title, describe
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete_documents
from ingestion.models import Chunk
from retrieval.api.document_ids import OURS, SubjectField, number_of
from retrieval.api.errors import CompatibleView
from retrieval.engine.filters import has

NAME = "Knowledge base"
MOST_LISTED = 1_000  # documents, the newest
MOST_CHUNKS = 1_000
STATUS = {
    DocumentStatus.READY: "completed",
    DocumentStatus.FAILED: "failed",
    DocumentStatus.CANCELLED: "failed",
}
WHOLE = 100  # per cent


class AddedSerializer(serializers.Serializer[Any]):
    """Other fields are ignored."""

    file = serializers.FileField(allow_empty_file=True)
    title = serializers.CharField(required=False, allow_blank=True)
    subjectId = SubjectField(required=False)
    documentId = serializers.CharField(
        required=False, max_length=LONGEST_ID, help_text="The program's own id."
    )
    dataSource = serializers.CharField(required=False, help_text="Of data-sources; else the knowledge base.")


class KnowledgeBase(CompatibleView):
    """The documents that programs added here, and one more."""

    token_scope = BY_METHOD
    parser_classes = (MultiPartParser,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        rows = documents_of(signed_in(request)).filter(datasource__archived=None)
        if subject := request.query_params.get("subjectId"):
            rows = rows.filter(has(SUBJECT_ID, subject))
        return Response({"success": True, "documents": [shown(row) for row in rows[:MOST_LISTED]]})

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """PDF, PPTX, DOCX, a picture, or any other file that SVQ reads."""
        given = AddedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values, file = given.validated_data, given.validated_data["file"]
        datasource = datasource_for(signed_in(request), values.get("dataSource"))
        ids = {EXTERNAL_ID: values.get("documentId"), SUBJECT_ID: values.get("subjectId")}
        title = values.get("title", "").strip() and checked_title(values["title"])
        accepted = accept_upload(
            datasource,
            signed_in(request),
            file.name or "",
            cast(BinaryIO, file.file),
            metadata={name: value for name, value in ids.items() if value is not None},
        )[0]
        if title and not accepted.duplicate:
            describe(accepted.document, title=title)
        code = status.HTTP_200_OK if accepted.duplicate else status.HTTP_201_CREATED
        known = values.get("documentId", "")
        return Response({"success": True, **shown(accepted.document, known)}, code)


class KnowledgeBaseDocument(CompatibleView):
    """One of them, by the program's own id or by what stands for its number."""

    token_scope = BY_METHOD

    @extend_schema(exclude=True)
    def get(self, request: Request, document: str) -> Response:
        return Response({"success": True, **shown(find(signed_in(request), document), document)})

    @extend_schema(exclude=True)
    def delete(self, request: Request, document: str) -> Response:
        """It can be brought back for ten seconds. One that another id is left for loses this id alone."""
        found = find(signed_in(request), document)
        find_datasource(signed_in(request), found.datasource_id, Role.EDITOR, reads=False)
        others = [each for each in found.external_ids if each != document]
        if others and document in found.external_ids:
            describe(found, metadata={**found.metadata, EXTERNAL_ID: others})
        else:
            delete_documents(found.datasource, [found.pk], signed_in(request))
        return Response({"success": True})


class KnowledgeBaseChunks(CompatibleView):
    """What was cut from one of them."""

    token_scope = BY_METHOD

    @extend_schema(exclude=True)
    def get(self, request: Request, document: str) -> Response:
        """The first thousand; `skip` so many before them."""
        chunks = find(signed_in(request), document).chunks.order_by("index")
        skipped = limited(request.query_params.get("skip"), 0, LARGEST)
        listed = [chunk_json(chunk) for chunk in chunks[skipped : skipped + MOST_CHUNKS]]
        return Response({"success": True, "total": chunks.count(), "chunks": listed})


def documents_of(person: User) -> DocumentQuerySet:
    return Document.objects.visible_to(person).current().order_by("-created", "-pk")


def find(person: User, given: str) -> Document:
    """By a program's own id, else by what stands for its number. Raises Http404."""
    rows = documents_of(person)
    number = number_of(given) if given.startswith(OURS) else None
    return rows.called([given]).first() or get_object_or_404(rows, pk=number or 0)


def datasource_for(person: User, given: str | None) -> Datasource:
    """The one that is named; else the only one that a limited token reaches; else the person's knowledge
    base, which the first document makes. Raises Http404, PermissionDenied, Archived, ValidationError.
    """
    if given is None and person.reach is not None:
        if len(person.reach) != 1:
            raise ValidationError(
                "This token is for several datasources. Name one as “dataSource”.", code="invalid"
            )
        (number,) = person.reach
    elif given is not None:
        number = number_in(given) or 0
    else:
        number = own_datasource(person, NAME).pk
    return find_datasource(person, number, Role.EDITOR, reads=False)


def shown(document: Document, known: str = "") -> dict[str, Any]:
    """known: by which of its ids it was asked for."""
    progress = document.stage_done * WHOLE // document.stage_total if document.stage_total else 0
    ended = document.status not in UNFINISHED
    known = known or own_id(document)
    error = document.error or {}
    return {
        "_id": known,
        "id": known,
        "title": document.title,
        "fileName": document.filename,
        "fileType": document.mime,
        "fileSize": document.size,
        "subjectId": document.metadata.get(SUBJECT_ID),
        "dataSource": str(document.datasource_id),
        "status": STATUS.get(DocumentStatus(document.status), "processing"),
        "processingStatus": {
            "stage": document.status,
            "progress": WHOLE if ended else min(progress, WHOLE - 1),
            "error": error.get("message"),
        },
        "pageCount": document.page_count,
        "chunkCount": document.chunk_count,
        "createdAt": document.created.isoformat(),
    }


def chunk_json(chunk: Chunk) -> dict[str, Any]:
    """SVQ writes no summary of a chunk; its section stands for it."""
    return {
        "chunkId": chunk.pk,
        "chunkIndex": chunk.index,
        "content": chunk.text,
        "charCount": len(chunk.text),
        "wordCount": len(chunk.text.split()),
        "chunkType": chunk.kind,
        "pageNumber": chunk.first_page,
        "summary": None,
        "section": chunk.section,
        "quality": chunk.quality,
    }
