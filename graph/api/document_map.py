"""REST: which documents of a datasource are alike."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_datasource
from graph.document_map import queries
from graph.document_map.build import ABOVE, MOST_NEIGHBOURS, NEIGHBOURS


class MapQuerySerializer(serializers.Serializer[Any]):
    k = serializers.IntegerField(
        default=NEIGHBOURS, min_value=1, max_value=MOST_NEIGHBOURS, help_text="Nearest others of each."
    )
    above = serializers.FloatField(
        default=ABOVE, min_value=0, max_value=1, help_text="The least cosine of a tie."
    )
    by = serializers.ChoiceField(["text", "entities"], default="text")


class MapNode(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="The document.")
    title = serializers.CharField()
    pages = serializers.IntegerField(allow_null=True)
    group = serializers.CharField(allow_blank=True, help_text="Named from content; empty for loners.")
    x = serializers.FloatField()
    y = serializers.FloatField()


class MapEdge(serializers.Serializer[Any]):
    source = serializers.IntegerField()  # type: ignore[assignment]
    target = serializers.IntegerField()
    score = serializers.FloatField(help_text="The cosine.")


class MapGroup(serializers.Serializer[Any]):
    name = serializers.CharField()
    documents = serializers.IntegerField()


class DocumentMapSerializer(serializers.Serializer[Any]):
    nodes = MapNode(many=True)
    edges = MapEdge(many=True)
    groups = MapGroup(many=True)


class DocumentMap(APIView):
    """The map of documents: each tied to those most like it, in groups named from content."""

    token_scope = BY_METHOD

    @extend_schema(parameters=[MapQuerySerializer], responses=DocumentMapSerializer)
    def get(self, request: Request, pk: int) -> Response:
        datasource = find_datasource(request, pk)
        query = MapQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return Response(queries.node_link(datasource, queries.View(**query.validated_data)))
