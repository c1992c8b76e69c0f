"""`knowledge-base`: documents one by one, those that the token reaches. New ones go into one datasource."""

from typing import Any, BinaryIO, cast

from django.core.exceptions import ValidationError
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import signed_in
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log, named_in_audit_log
from accounts.models import User
from datasources.access import find_datasource
from datasources.models import UNFINISHED, Datasource, Document, DocumentQuerySet, DocumentStatus, Role
from datasources.models.outside_ids import EXTERNAL_ID, LONGEST_ID, OURS, SUBJECT_ID, check_ids
from datasources.numbers import LARGEST, limited, number_in
from datasources.services import own_datasource
from datasources.whose_ids import KNOWLEDGE_BASE, is_added_by, meant, names_of
from exchange.compatible.own_ids import add, take_away
from ingestion.adding.describing import checked_title, describe
from ingestion.lifecycle.deletion import delete_documents
from ingestion.models import Chunk
from retrieval.api.document_ids import Id, SubjectField
from retrieval.api.errors import CompatibleView
from retrieval.engine.filters import has

CHUNKS = "/chunks"  # behind an id: its chunks
MOST_LISTED = 1_000  # documents
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

    def validate_documentId(self, given: str) -> str:
        check_ids({EXTERNAL_ID: given})
        if given.endswith(CHUNKS):
            raise serializers.ValidationError(f"An id can't end in “{CHUNKS}”.")
        return given


class KnowledgeBase(CompatibleView):
    """The documents that the token reaches, and one more."""

    token_scope = BY_METHOD
    parser_classes = (MultiPartParser,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        person, subject = signed_in(request), request.query_params.get("subjectId")
        rows = documents_of(person).filter(datasource__archived=None)
        if subject:
            rows = rows.filter(has(SUBJECT_ID, subject))
        skipped = limited(request.query_params.get("skip"), 0, LARGEST)
        listed = list(rows[skipped : skipped + MOST_LISTED])
        names = names_of(person, listed)
        return Response(
            {"success": True, "documents": [shown(row, names[row.pk], subject) for row in listed]}
        )

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """PDF, PPTX, DOCX, a picture, or any other file that SVQ reads."""
        given = AddedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person, values, file = signed_in(request), given.validated_data, given.validated_data["file"]
        datasource = datasource_for(person, values.get("dataSource"))
        own, subject = values.get("documentId"), values.get("subjectId")
        ids = {EXTERNAL_ID: own, SUBJECT_ID: subject}
        title = values.get("title", "").strip() and checked_title(values["title"])
        metadata = {name: value for name, value in ids.items() if value is not None}
        accepted = add(datasource, person, file.name or "", cast(BinaryIO, file.file), metadata)
        made_in_audit_log(request, "document", [accepted.document.pk], datasource.pk)
        document = accepted.document
        if title and not accepted.duplicate:
            describe(document, title=title)
        document.refresh_from_db()
        code = status.HTTP_200_OK if accepted.duplicate else status.HTTP_201_CREATED
        name = own or names_of(person, [document])[document.pk]
        return Response({"success": True, **shown(document, name, subject)}, code)


class KnowledgeBaseDocument(CompatibleView):
    """One of them, by the program's own id or by what stands for its number."""

    token_scope = BY_METHOD

    @extend_schema(exclude=True)
    def get(self, request: Request, document: str) -> Response:
        return Response({"success": True, **shown(find(request, document)[0], document)})

    @extend_schema(exclude=True)
    def delete(self, request: Request, document: str) -> Response:
        """It can be brought back for ten seconds. One that another id is left for loses this id alone. By an
        own id nothing is deleted that others have added: the same request twice would take theirs.
        """
        person = signed_in(request)
        found = find(request, document)
        named_in_audit_log(request, [row.pk for row in found])
        datasource = find_datasource(person, found[0].datasource_id, Role.EDITOR, reads=False)
        if document.startswith(OURS):
            delete_documents(datasource, [row.pk for row in found], person)
        elif all(is_added_by(person, row) for row in found):
            take_away(found, document, person)
        else:
            raise ValidationError(
                f"Somebody else has added what has the id “{document}”. Nothing was deleted. If it is "
                f"to go, delete it as {OURS}{found[0].pk}.",
                code="not_added",
            )
        return Response({"success": True})


class KnowledgeBaseChunks(CompatibleView):
    """What was cut from one of them."""

    token_scope = BY_METHOD

    @extend_schema(exclude=True)
    def get(self, request: Request, document: str) -> Response:
        """The first thousand; `skip` so many before them."""
        newest = find(request, document)[0]
        named_in_audit_log(request, [newest.pk])
        chunks = newest.chunks.order_by("index")
        skipped = limited(request.query_params.get("skip"), 0, LARGEST)
        listed = [chunk_json(chunk) for chunk in chunks[skipped : skipped + MOST_CHUNKS]]
        return Response({"success": True, "total": chunks.count(), "chunks": listed})


def documents_of(person: User) -> DocumentQuerySet:
    return Document.objects.visible_to(person).current().order_by("-created", "-pk")


def find(request: Request, given: str) -> list[Document]:
    """By a program's own id, or by what stands for its number; the newest first, where one id has several.
    Raises Http404, ValidationError.
    """
    person = signed_in(request)
    found = meant(person, [given], documents_of(person)).get(given)
    if not found:
        raise Http404
    return found


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
        number = own_datasource(person, KNOWLEDGE_BASE).pk
    return find_datasource(person, number, Role.EDITOR, reads=False)


def shown(document: Document, name: str, subject: Id | None = None) -> dict[str, Any]:
    """name, subject: by which of its ids and subjects it was asked for."""
    progress = document.stage_done * WHOLE // document.stage_total if document.stage_total else 0
    ended = document.status not in UNFINISHED
    subjects = document.metadata.get(SUBJECT_ID)
    error = document.error or {}
    return {
        "_id": name,
        "id": name,
        "title": document.title,
        "fileName": document.filename,
        "fileType": document.mime,
        "fileSize": document.size,
        "subjectId": subject or (subjects[0] if subjects and isinstance(subjects, list) else subjects),
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
        "read_elsewhere": chunk.document.read_elsewhere,
    }
