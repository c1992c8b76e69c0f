"""REST: memos. Readers of the datasource see them and take them as files, editors write them."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import TokenScope
from chat.api.of_datasource import KeptSourceSerializer
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource
from datasources.models import Role
from datasources.web.downloads import saved_as
from memos import services
from memos.files.writing import FORMS, written
from memos.models import Memo


class MemoSerializer(serializers.ModelSerializer[Memo]):
    author = serializers.CharField(source="author.email", default="", help_text="Empty: the account is gone.")

    class Meta:
        model = Memo
        fields = ("id", "title", "author", "edition", "beside", "created", "updated")
        read_only_fields = fields


class MemoDetailSerializer(MemoSerializer):
    sources = KeptSourceSerializer(many=True)

    class Meta(MemoSerializer.Meta):
        fields = (*MemoSerializer.Meta.fields, "text", "sources")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class NotesSerializer(KnownFields[Any]):
    notes = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        max_length=500,
        help_text="Numbers of notes of the notebook.",
    )


class MemoTextSerializer(KnownFields[Any]):
    """The limits of title and text are checked where they are stored."""

    title = serializers.CharField(required=False, allow_blank=True)
    text = serializers.CharField(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="Markdown; [n] where source n is cited.",
    )
    edition = serializers.IntegerField(min_value=0, help_text="Which one the text was written from.")


class Memos(generics.ListAPIView[Memo]):
    """The memos of a datasource, those that were changed last first."""

    token_scope = BY_METHOD
    serializer_class = MemoSerializer
    queryset = Memo.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Memo]:
        memos = find_datasource(self.request, self.kwargs["pk"]).memos
        return memos.select_related("author").defer("text", "sources")

    @extend_schema(request=NotesSerializer, responses={201: MemoDetailSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """A draft of notes, the oldest first. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        made = services.make_memo(signed_in(request), datasource, _notes_in(request))
        return _shown(made, status.HTTP_201_CREATED)


class MemoDetail(APIView):
    """One memo, with its text and sources."""

    token_scope = BY_METHOD

    @extend_schema(responses=MemoDetailSerializer)
    def get(self, request: Request, pk: int, memo: int) -> Response:
        return _shown(_find(request, pk, memo))

    @extend_schema(
        request=MemoTextSerializer, responses={200: MemoDetailSerializer, 201: MemoDetailSerializer}
    )
    def patch(self, request: Request, pk: int, memo: int) -> Response:
        """Write it. If it was saved elsewhere since that edition, it stays as it is: 201 and a memo of your
        own with what you wrote, `beside` the other. For editors.
        """
        row = _find(request, pk, memo, Role.EDITOR)
        given = MemoTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = {"title": row.title, "text": row.text, **given.validated_data}
        saved = services.save_memo(signed_in(request), row, **asked)
        return _shown(saved, status.HTTP_200_OK if saved.pk == row.pk else status.HTTP_201_CREATED)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, memo: int) -> Response:
        """For editors."""
        _find(request, pk, memo, Role.EDITOR).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class MemoNotes(APIView):
    """More notes in a memo."""

    token_scope = BY_METHOD

    @extend_schema(request=NotesSerializer, responses=MemoDetailSerializer)
    def post(self, request: Request, pk: int, memo: int) -> Response:
        """At its end; the numbers go on. For editors."""
        row = _find(request, pk, memo, Role.EDITOR)
        return _shown(services.add_notes(row, _notes_in(request)))


class MemoSourceDetail(APIView):
    """One source of a memo."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, memo: int, n: int) -> Response:
        """One that the text does not cite. For editors."""
        row = _find(request, pk, memo, Role.EDITOR)
        if n not in [source["n"] for source in row.sources]:
            raise Http404
        services.take_out_source(row, n)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MemoFile(APIView):
    """A memo to hand on: `docx`, `pdf` or `md`."""

    token_scope = TokenScope.READ
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, form.mime): OpenApiTypes.BINARY for form in FORMS.values()})
    def get(self, request: Request, pk: int, memo: int, form: str) -> HttpResponse:
        row = _find(request, pk, memo)
        if form not in FORMS:
            raise Http404
        content = written(row, form, signed_in(request).pk)
        disposition = saved_as(f"{row.title}.{form}")
        return HttpResponse(
            content, content_type=FORMS[form].mime, headers={"Content-Disposition": disposition}
        )


def _find(request: Request, pk: int, memo: int, needed: Role = Role.VIEWER) -> Memo:
    """Raises Http404, PermissionDenied, Archived."""
    memos = find_datasource(request, pk, needed).memos.select_related("datasource", "author")
    return get_object_or_404(memos, pk=memo)


def _notes_in(request: Request) -> list[int]:
    given = NotesSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    return list(given.validated_data["notes"])


def _shown(memo: Memo, code: int = status.HTTP_200_OK) -> Response:
    return Response(MemoDetailSerializer(memo).data, code)
