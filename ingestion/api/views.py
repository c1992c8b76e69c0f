"""REST: files in, their state, what was read from them, and everything that deletes files."""

from typing import Any, BinaryIO, cast

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import refuse_body
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log
from datasources.api.views import DatasourceDetail, find_datasource, find_document, require
from datasources.models import Datasource, Document, DocumentStatus, Role
from datasources.refusals import in_parts
from datasources.services import loss_of
from ingestion.adding import describing
from ingestion.adding.upload import accept_upload
from ingestion.api.serializers import (
    AnnotationSerializer,
    ChunkSerializer,
    DocumentChangeSerializer,
    DocumentSerializer,
    DoubtSerializer,
    PageSerializer,
    ReplacementSerializer,
    SentAlongSerializer,
    UploadedSerializer,
    UploadSerializer,
    UploadsSerializer,
)
from ingestion.lifecycle import deletion, recognising, retrying
from ingestion.lifecycle.leaving_out import set_left_out
from ingestion.lifecycle.purging import purge_datasource
from ingestion.models import Annotation, Chunk, Doubt, Page


class DatasourceWithDeletion(DatasourceDetail):
    """One datasource."""

    @extend_schema(responses={200: {"type": "object", "properties": {"lost": {"type": "string"}}}})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with all files and conversations; the answer says what was lost, and `Location` is the
        address of the receipt. For owners.
        """
        datasource = find_datasource(request, pk, Role.OWNER)
        lost = Response({"lost": str(loss_of(datasource))})
        lost["Location"] = reverse("api-deletion", args=[purge_datasource(datasource, signed_in(request)).pk])
        return lost


# --- files in --------------------------------------------------------------------------------------------
class Documents(generics.ListAPIView[Document]):
    """The documents of a datasource, newest first, without versions that were replaced."""

    token_scope = BY_METHOD
    serializer_class = DocumentSerializer
    queryset = Document.objects.none()  # tells the schema the model
    parser_classes = (MultiPartParser,)

    def get_queryset(self) -> QuerySet[Document]:
        found = find_datasource(self.request, self.kwargs["pk"]).documents.current()
        if states := self.request.query_params.getlist("status"):
            found = found.filter(status__in=states)
        if words := self.request.query_params.get("q", "").strip():
            found = found.filter(Q(title__icontains=words) | Q(filename__icontains=words))
        return found

    @extend_schema(
        parameters=[
            OpenApiParameter("status", str, many=True, enum=DocumentStatus.values),
            OpenApiParameter("q", str, description="Part of the title or of the file's name."),
        ]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request={"multipart/form-data": UploadSerializer},
        responses={201: UploadsSerializer, 200: UploadsSerializer, 207: UploadsSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add files, sent as parts named `files`. 201: all were accepted or here already (200: all were here
        already). 207: at least one of several was rejected. A single file that is rejected is an error.
        For editors.
        """
        datasource = find_datasource(request, pk, Role.EDITOR)
        files = cast(list[UploadedFile], request.FILES.getlist("files"))
        if not files:
            raise ValidationError(
                "No file came with the request. Send one or more parts named “files”.", code="file_missing"
            )
        given = SentAlongSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if len(files) == 1:
            rows = [accept(datasource, request, files[0], **given.validated_data)]
        else:
            rows = [accept_or_tell(datasource, request, file, **given.validated_data) for file in files]
        outcomes = {row["outcome"] for row in rows}
        code = 207 if "rejected" in outcomes else 200 if outcomes == {"duplicate"} else 201
        return Response({"files": rows}, code)


def accept(datasource: Datasource, request: Request, file: UploadedFile, **more: Any) -> dict[str, Any]:
    """Take one file in; its row of the answer. Raises ValidationError."""
    accepted = accept_upload(
        datasource, signed_in(request), file.name or "", cast(BinaryIO, file.file), **more
    )
    accepted.sort(key=lambda one: one.duplicate)
    made_in_audit_log(request, "document", [one.document.pk for one in accepted], datasource.pk)
    duplicates = sum(one.duplicate for one in accepted)
    return {
        "file": file.name,
        "outcome": "duplicate" if duplicates == len(accepted) else "accepted",
        "documents": [one.document.pk for one in accepted],
        "duplicates": duplicates,
        "error": None,
    }


def accept_or_tell(
    datasource: Datasource, request: Request, file: UploadedFile, **more: Any
) -> dict[str, Any]:
    """Take one of several files in: its fault must not keep the others out."""
    try:
        return accept(datasource, request, file, **more)
    except ValidationError as error:
        rejected: dict[str, Any] = {
            "file": file.name,
            "outcome": "rejected",
            "documents": [],
            "duplicates": 0,
        }
        return {**rejected, "error": in_parts(error)}


# --- one document ----------------------------------------------------------------------------------------
class DocumentDetail(APIView):
    """One document: its state, its progress while it is read, and what went wrong."""

    token_scope = BY_METHOD

    @extend_schema(responses=DocumentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(DocumentSerializer(find_document(request, pk)).data)

    @extend_schema(request=DocumentChangeSerializer, responses=DocumentSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Name it, describe it, or give it metadata, by which searches may be filtered. For editors."""
        document = find_document(request, pk, Role.EDITOR)
        given = DocumentChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        describing.describe(document, **given.validated_data)
        document.refresh_from_db()
        return Response(DocumentSerializer(document).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its earlier versions and all that was read from them. It is hidden at once, may be
        restored for ten seconds; `Location` is the address of the receipt. For editors.
        """
        document = find_document(request, pk, Role.EDITOR)
        gone = Response(status=status.HTTP_204_NO_CONTENT)
        for receipt in deletion.delete_documents(document.datasource, [pk], signed_in(request))[:1]:
            gone["Location"] = reverse("api-deletion", args=[receipt.pk])
        return gone


class DocumentReplace(APIView):
    """A new version of a document."""

    token_scope = BY_METHOD
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": ReplacementSerializer},
        responses={201: UploadedSerializer, 200: UploadedSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Send the file as the part `file`. The old version answers until the new one is read; 200 when the
        same content is here already. For editors.
        """
        document = find_document(request, pk, Role.EDITOR)
        given = ReplacementSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = accept(document.datasource, request, given.validated_data["file"], replaces=document)
        return Response(row, 200 if row["outcome"] == "duplicate" else 201)


class DocumentRetry(APIView):
    """Reading a failed or cancelled document again."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=DocumentSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Queue it again; what was read before is not read twice. For editors."""
        refuse_body(request)
        retrying.retry(document := find_document(request, pk, Role.EDITOR))
        document.refresh_from_db()
        return Response(DocumentSerializer(document).data)


class DocumentRecognise(APIView):
    """Text recognition of a document's pictures."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=DocumentSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Read by OCR the pages that need it, whatever the datasource's `recognition`. For editors."""
        refuse_body(request)
        recognising.recognise(document := find_document(request, pk, Role.EDITOR))
        document.refresh_from_db()
        return Response(DocumentSerializer(document).data)


class DocumentCancel(APIView):
    """Stopping the reading of a document."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=DocumentSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop it; what was read so far is kept for a later retry. For editors."""
        refuse_body(request)
        retrying.cancel(document := find_document(request, pk, Role.EDITOR))
        document.refresh_from_db()
        return Response(DocumentSerializer(document).data)


# --- what was read ---------------------------------------------------------------------------------------
class Pages(generics.ListAPIView[Page]):
    """The pages of a document: text, its offset in the document, size in points."""

    token_scope = BY_METHOD
    serializer_class = PageSerializer
    queryset = Page.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Page]:
        return (
            find_document(self.request, self.kwargs["pk"])
            .pages.defer("boxes", "certainty")
            .order_by("number")
        )


class PageDetail(APIView):
    """One page, by its number from 1."""

    token_scope = BY_METHOD

    @extend_schema(responses=PageSerializer)
    def get(self, request: Request, pk: int, page: int) -> Response:
        found = get_object_or_404(find_document(request, pk).pages.defer("boxes", "certainty"), number=page)
        return Response(PageSerializer(found).data)


class Annotations(generics.ListAPIView[Annotation]):
    """Comments and tracked changes of a document, page by page. The text of pages is that with all changes
    accepted.
    """

    token_scope = BY_METHOD
    serializer_class = AnnotationSerializer
    queryset = Annotation.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Annotation]:
        found = Annotation.objects.filter(page__document=find_document(self.request, self.kwargs["pk"]))
        return found.select_related("page__document").order_by("page__number", "position")


class Doubts(generics.ListAPIView[Doubt]):
    """Parts of a document's pages where the page and its text disagree: words that nobody can see, letters
    other than the printed ones, print that was not read, and pages that were not compared.
    """

    token_scope = BY_METHOD
    serializer_class = DoubtSerializer
    queryset = Doubt.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Doubt]:
        found = Doubt.objects.filter(page__document=find_document(self.request, self.kwargs["pk"]))
        return found.select_related("page__document").order_by("page__number", "position")


class Chunks(generics.ListAPIView[Chunk]):
    """The passages that a document was cut into, in reading order."""

    token_scope = BY_METHOD
    serializer_class = ChunkSerializer
    queryset = Chunk.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Chunk]:
        return find_document(self.request, self.kwargs["pk"]).chunks.order_by("index")


class ChunkDetail(APIView):
    """One passage."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, needed: Role) -> Chunk:
        person = signed_in(request)
        documents = Document.objects.visible_to(person)
        chunk = get_object_or_404(
            Chunk.objects.select_related("datasource", "document"), pk=pk, document__in=documents
        )
        require(request, chunk.datasource, needed)
        return chunk

    @extend_schema(responses=ChunkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(ChunkSerializer(self.find(request, pk, Role.VIEWER)).data)

    @extend_schema(request=ChunkSerializer, responses=ChunkSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Keep it out of every search (`left_out`), or take it back in. For editors."""
        chunk = self.find(request, pk, Role.EDITOR)
        given = ChunkSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        set_left_out(chunk, given.validated_data.get("left_out", chunk.left_out))
        return Response(ChunkSerializer(chunk).data)
