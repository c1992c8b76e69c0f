"""REST: deleting many documents with a way back, and the receipts of deletions."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_datasource
from datasources.models import Deletion, Document, Role
from datasources.numbers import number_in
from datasources.refusals import in_parts
from ingestion.lifecycle import deletion

AT_MOST = 10_000  # documents in one request


class DeletionSerializer(serializers.ModelSerializer[Deletion]):
    deleted_by = serializers.EmailField(source="deleted_by.email", read_only=True, default=None)
    left_in_all = serializers.IntegerField(read_only=True, allow_null=True)

    class Meta:
        model = Deletion
        fields = (
            "id",
            "batch",
            "datasource",
            "datasource_name",
            "document",
            "document_name",
            "deleted_by",
            "requested",
            "purged",
            "completed",
            "removed",
            "left",
            "left_in_all",
        )
        read_only_fields = fields


class ChosenDocumentsSerializer(KnownFields[Document]):
    documents = serializers.ListField(
        child=serializers.IntegerField(min_value=1), allow_empty=False, max_length=AT_MOST
    )


class DeletedDocumentsSerializer(serializers.Serializer[Any]):
    undo_seconds = serializers.IntegerField()
    deletions = DeletionSerializer(many=True)


class RefusedSerializer(serializers.Serializer[Any]):
    document = serializers.IntegerField()
    error = serializers.JSONField()


class RestoredDocumentsSerializer(serializers.Serializer[Any]):
    restored = serializers.ListField(child=serializers.IntegerField())
    refused = RefusedSerializer(many=True)


def chosen(request: Request) -> list[int]:
    given = ChosenDocumentsSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    ids: list[int] = given.validated_data["documents"]
    return ids


class DocumentsDelete(APIView):
    """Deleting many documents at once."""

    token_scope = BY_METHOD

    @extend_schema(request=ChosenDocumentsSerializer, responses={202: DeletedDocumentsSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """They are hidden at once and deleted for good after `undo_seconds`; until then they can be restored.
        Documents that are not here, or deleted already, get no receipt. For editors.
        """
        datasource = find_datasource(request, pk, Role.EDITOR)
        receipts = deletion.delete_documents(datasource, chosen(request), signed_in(request))
        shown = DeletionSerializer(receipts, many=True).data
        return Response({"undo_seconds": deletion.UNDO_SECONDS, "deletions": shown}, 202)


class DocumentsRestore(APIView):
    """The way back from a deletion."""

    token_scope = BY_METHOD

    @extend_schema(request=ChosenDocumentsSerializer, responses=RestoredDocumentsSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Bring deleted documents back as they were; `refused` says why others can't be. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        restored = deletion.restore_documents(datasource, chosen(request))
        refused = [
            {"document": document, "error": in_parts(refusal)}
            for document, refusal in sorted(restored.refused.items())
        ]
        return Response({"restored": [document.pk for document in restored.documents], "refused": refused})


class Deletions(generics.ListAPIView[Deletion]):
    """Receipts of what you owned or have deleted, the newest first."""

    token_scope = BY_METHOD
    serializer_class = DeletionSerializer
    queryset = Deletion.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Deletion]:
        rows = Deletion.objects.visible_to(signed_in(self.request)).select_related("deleted_by")
        for name in ("datasource", "document"):
            if text := self.request.query_params.get(name):
                number = number_in(text)
                if number is None:
                    raise ValidationError(f"“{name}” is not a number.", code="not_a_number")
                rows = rows.filter(**{name: number})
        return rows

    @extend_schema(parameters=[OpenApiParameter("datasource", int), OpenApiParameter("document", int)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class DeletionDetail(generics.RetrieveAPIView[Deletion]):
    """One receipt: how much of each kind was removed, and what the last check found to be left."""

    token_scope = BY_METHOD
    serializer_class = DeletionSerializer
    queryset = Deletion.objects.none()

    def get_queryset(self) -> QuerySet[Deletion]:
        return Deletion.objects.visible_to(signed_in(self.request)).select_related("deleted_by")
