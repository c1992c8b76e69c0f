"""REST: searching arXiv, importing papers, the papers of a datasource, the bibliography of an answer."""

from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import refuse_body
from accounts.api_tokens import BY_METHOD
from accounts.models import TokenScope
from chat.api.turns import find_turn
from datasources.api.views import find_datasource, find_row
from datasources.models import Role
from desks.research import searching, services
from desks.research.api.serializers import (
    NewPaperImportSerializer,
    NewPaperSearchSerializer,
    PaperImportSerializer,
    PaperSearchSerializer,
    PaperSerializer,
)
from desks.research.arxiv_api.bibliography import Listed, read_bib
from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id
from desks.research.arxiv_api.query import PaperQuery
from desks.research.citing import FORMS, bibliography, cited_by
from desks.research.models import Paper, PaperImport, PaperSearch


class PaperSearches(APIView):
    """Searching arXiv."""

    token_scope = BY_METHOD

    @extend_schema(
        request=NewPaperSearchSerializer, responses={202: PaperSearchSerializer, 200: PaperSearchSerializer}
    )
    def post(self, request: Request) -> Response:
        """Ask arXiv, which allows one request every three seconds: 202 until its answer is here, then 200.

        Ask the row of the search, or send the same again. What was asked within the last hour is answered
        at once.
        """
        if signed_in(request).reach is not None:  # searches belong to no datasource
            raise PermissionDenied
        given = NewPaperSearchSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = searching.find(signed_in(request), PaperQuery.of(given.validated_data))
        code = status.HTTP_202_ACCEPTED if row.is_unfinished else status.HTTP_200_OK
        return Response(PaperSearchSerializer(row).data, status=code)


class PaperSearchDetail(APIView):
    """A search and its results."""

    token_scope = BY_METHOD

    @extend_schema(responses=PaperSearchSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        row = get_object_or_404(PaperSearch.objects.visible_to(signed_in(request)), pk=pk)
        return Response(PaperSearchSerializer(row).data)


class Papers(generics.ListAPIView[Paper]):
    """The papers of a datasource."""

    token_scope = BY_METHOD
    serializer_class = PaperSerializer
    queryset = Paper.objects.none()  # tells the schema the model

    @extend_schema(
        parameters=[
            OpenApiParameter("q", str, description="In title or abstract."),
            OpenApiParameter("author", str),
            OpenApiParameter("year", int),
            OpenApiParameter("category", str),
        ]
    )
    def get(self, request: Request, pk: int) -> Response:
        """The newest first."""
        return self.list(request, pk)

    def get_queryset(self) -> QuerySet[Paper]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        return Paper.objects.of(datasource).narrowed(self.request.query_params)


class PaperImports(generics.ListAPIView[PaperImport]):
    """The imports of a datasource."""

    token_scope = BY_METHOD
    serializer_class = PaperImportSerializer
    queryset = PaperImport.objects.none()

    def get_queryset(self) -> QuerySet[PaperImport]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        return PaperImport.objects.filter(datasource=datasource).prefetch_related("imported_papers")

    @extend_schema(request=NewPaperImportSerializer, responses={201: PaperImportSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Fetch papers in the background: all abstracts first, then the PDFs. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewPaperImportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        chosen: list[Listed | ArxivId] = []
        for text in given.validated_data.get("papers", ()):
            if (found := arxiv_id(text)) is None:
                raise ValidationError(f"“{text}” is not a number of arXiv or a link to a paper there.")
            chosen.append(found)
        if bib := given.validated_data.get("bib", ""):
            chosen += read_bib(bib.encode())
        row = services.start_import(datasource, signed_in(request), chosen)
        return Response(PaperImportSerializer(row).data, status=status.HTTP_201_CREATED)


def find_import(request: Request, pk: int, needed: Role = Role.VIEWER) -> PaperImport:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    return find_row(request, PaperImport.objects.all(), pk, needed)


def import_response(pk: int) -> Response:
    return Response(PaperImportSerializer(PaperImport.objects.get(pk=pk)).data)


class PaperImportDetail(APIView):
    """One import with its papers."""

    token_scope = BY_METHOD

    @extend_schema(responses=PaperImportSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(PaperImportSerializer(find_import(request, pk)).data)


class PaperImportPause(APIView):
    """Letting an import wait."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=PaperImportSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What is downloaded stays. For editors."""
        refuse_body(request)
        services.pause(find_import(request, pk, Role.EDITOR))
        return import_response(pk)


class PaperImportResume(APIView):
    """Going on with an import."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=PaperImportSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Fetch what is left, and what failed once more. For editors."""
        refuse_body(request)
        services.go_on(find_import(request, pk, Role.EDITOR))
        return import_response(pk)


class PaperImportCancel(APIView):
    """Ending an import before its time."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=PaperImportSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What is imported stays. For editors."""
        refuse_body(request)
        services.cancel(find_import(request, pk, Role.EDITOR))
        return import_response(pk)


class Bibliography(APIView):
    """What an answer cites."""

    token_scope = TokenScope.ASK

    @extend_schema(
        parameters=[OpenApiParameter("form", str, OpenApiParameter.PATH, enum=list(FORMS))],
        responses={(200, "text/plain"): OpenApiTypes.STR},
    )
    def get(self, request: Request, pk: UUID, form: str) -> HttpResponse:
        """As BibTeX (`bib`) or RIS (`ris`)."""
        turn = find_turn(request, pk, Role.VIEWER)
        if form not in FORMS:
            raise Http404
        return bibliography(cited_by(turn), form, str(turn))
