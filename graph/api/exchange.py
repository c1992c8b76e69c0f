"""REST: the whole graph out, and what other tools found in."""

from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource
from datasources.client import has_left
from datasources.models import Role
from graph.exchange.exports import FORMS, download
from graph.exchange.jsonl_import import NobodyWaits, import_graph
from graph.exchange.rows import Imported

MEGABYTE = 2**20


class GraphFileSerializer(KnownFields[Any]):
    file = serializers.FileField(allow_empty_file=True, help_text="Lines of JSON.")


class ImportedSerializer(serializers.Serializer[Imported]):
    """What an import did."""

    rows = serializers.IntegerField()
    documents = serializers.IntegerField(help_text="Whose graph was replaced.")
    entities = serializers.IntegerField()
    relations = serializers.IntegerField()
    decisions = serializers.IntegerField(help_text="New ones.")
    malformed = serializers.IntegerField(help_text="Rows and parts of rows that were passed over.")
    unknown = serializers.IntegerField(help_text="Rows about documents that are not here, or not ready.")
    unplaced = serializers.IntegerField(help_text="Things without a word in their document.")
    problems = serializers.ListField(
        child=serializers.CharField(), help_text="The first that were malformed, by their lines."
    )


class GraphExport(APIView):
    """The whole graph as a file."""

    token_scope = BY_METHOD
    content_negotiation_class = AnyAccept

    @extend_schema(
        parameters=[OpenApiParameter("form", str, OpenApiParameter.PATH, enum=list(FORMS))],
        responses={(200, form.mime): OpenApiTypes.STR for form in FORMS.values()},
    )
    def get(self, request: Request, pk: int, form: str) -> HttpResponseBase:
        """`jsonl` can be imported again; `graphml` and `json` (nodes and edges) are for drawing."""
        datasource = find_datasource(request, pk)
        if form not in FORMS:
            raise Http404
        return download(datasource, FORMS[form])


class GraphImport(APIView):
    """What other tools found in the documents."""

    token_scope = BY_METHOD
    parser_classes = (MultiPartParser,)

    @extend_schema(request={"multipart/form-data": GraphFileSerializer}, responses=ImportedSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Send lines of JSON as the part `file`. They take the place of all that the graph has from the
        documents that they name; twice is the same as once. For editors.
        """
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = GraphFileSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        file = given.validated_data["file"]
        if file.size > settings.MAX_GRAPH_IMPORT_BYTES:
            raise _too_large(file.size)
        try:
            done = import_graph(datasource, file.file, partial(has_left, request._request))
        except NobodyWaits:
            done = Imported()
        return Response(ImportedSerializer(done).data)


def _too_large(size: int) -> ValidationError:
    limit = f"{settings.MAX_GRAPH_IMPORT_BYTES / MEGABYTE:,.0f} MB"
    return ValidationError(
        f"The file has {size / MEGABYTE:,.0f} MB; {limit} are allowed. Nothing was imported; "
        "split the file, or have the limit raised (SVQ_MAX_GRAPH_IMPORT_MB).",
        code="too_large",
    )
