"""REST: whom a connected drive names as readers, and which group of people here each of these is."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import PeopleGroup
from exchange.connectors import services
from exchange.connectors.api.views import find_connector
from exchange.connectors.models import Counterpart

LONGEST_GROUP = 100


class ReaderSerializer(serializers.ModelSerializer[Counterpart]):
    group = serializers.CharField(
        source="group.name",
        default=None,
        allow_null=True,
        max_length=LONGEST_GROUP,
        help_text="The name of the group of people here that it is; null: nobody here.",
    )

    class Meta:
        model = Counterpart
        fields = ("id", "name", "files", "group")
        read_only_fields = ("name", "files")


class StandsForSerializer(KnownFields[Any], serializers.Serializer[Any]):
    group = serializers.CharField(
        allow_null=True, max_length=LONGEST_GROUP, help_text="The name of a group of people here, or null."
    )


class ConnectorReaders(generics.ListAPIView[Counterpart]):
    """Whom the source names as readers in another way than by an address. For owners."""

    token_scope = BY_METHOD
    serializer_class = ReaderSerializer
    queryset = Counterpart.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Counterpart]:
        connector = find_connector(self.request, self.kwargs["pk"], self.kwargs["connector"])
        return connector.counterparts.select_related("group")


class ConnectorReader(APIView):
    """For whoever gave the key."""

    token_scope = BY_METHOD

    @extend_schema(request=StandsForSerializer, responses=ReaderSerializer)
    def put(self, request: Request, pk: int, connector: int, reader: int) -> Response:
        """Say which group of people here it is. What is too wide by that goes at once; then comes a look."""
        row = find_connector(request, pk, connector)
        named = get_object_or_404(row.counterparts, pk=reader)
        given = StandsForSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        name = given.validated_data["group"]
        group = None if name is None else get_object_or_404(PeopleGroup, name=name)
        services.say_who_may_read(row, {named.pk: group}, by=signed_in(request))
        return Response(ReaderSerializer(row.counterparts.select_related("group").get(pk=reader)).data)
