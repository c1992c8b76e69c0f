"""REST: the connected sources of a datasource, for its owners."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import TokenScope
from datasources.api.views import find_datasource
from datasources.models import Role
from exchange.connectors import services, trying
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Every, FollowedFile


class ConnectorSerializer(KnownFields[Connector], serializers.ModelSerializer[Connector]):
    kind = serializers.ChoiceField(Kind.choices)
    place = serializers.CharField(max_length=services.LONGEST_PLACE, help_text="A path, or an address.")
    user_name = serializers.CharField(
        max_length=services.LONGEST_NAME,
        required=False,
        allow_blank=True,
        help_text="Or an access key, or a mailbox.",
    )
    secret = serializers.CharField(
        max_length=services.LONGEST_SECRET,
        required=False,
        allow_blank=True,
        write_only=True,
        trim_whitespace=False,
        help_text="The password, secret access key, client secret, or JSON key. Never told.",
    )
    region = serializers.CharField(
        max_length=services.LONGEST_REGION, required=False, allow_blank=True, help_text="Of a bucket."
    )
    tenant = serializers.CharField(
        max_length=services.LONGEST_NUMBER,
        required=False,
        allow_blank=True,
        help_text="The firm's directory at Microsoft.",
    )
    application = serializers.CharField(
        max_length=services.LONGEST_NUMBER,
        required=False,
        allow_blank=True,
        help_text="Its number at Microsoft.",
    )
    every = serializers.ChoiceField(Every.choices, required=False, help_text="Minutes.")
    deletes = serializers.BooleanField(
        required=False, help_text="What is deleted there is deleted here, too."
    )
    is_on = serializers.BooleanField(read_only=True)
    error = serializers.JSONField(read_only=True, help_text="Why the last look failed; null.")

    class Meta:
        model = Connector
        fields = (
            "id",
            "kind",
            "place",
            "user_name",
            "secret",
            "region",
            "tenant",
            "application",
            "every",
            "deletes",
            "is_on",
            "status",
            "error",
            "gone",
            "found",
            "done",
            "looked",
            "next_look",
            "created",
        )
        read_only_fields = ("status", "gone", "found", "done", "looked", "next_look")


class ConnectorChangeSerializer(ConnectorSerializer):
    """Another folder is another connector."""

    kind = serializers.ChoiceField(Kind.choices, read_only=True)
    place = serializers.CharField(read_only=True)
    is_on = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What can't be changed is refused by its name, unless it is as it was."""
        changed = [name for name in ("kind", "place") if self._is_changed(name)]
        if changed:
            said = "Another place is another connector: make one, and delete this one."
            raise serializers.ValidationError(dict.fromkeys(changed, said))
        return attrs

    def _is_changed(self, name: str) -> bool:
        return name in self.initial_data and self.initial_data[name] != getattr(self.instance, name)


class FollowedFileSerializer(serializers.ModelSerializer[FollowedFile]):
    class Meta:
        model = FollowedFile
        fields = ("path", "document", "refusal", "is_withheld")


class LookSerializer(KnownFields[Connector], serializers.Serializer[Any]):
    may_go = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="So many documents may be deleted: the last look's `gone`, if it failed with many_gone.",
    )


class Connectors(generics.ListAPIView[Connector]):
    """Those of a datasource. For owners."""

    token_scope = BY_METHOD
    serializer_class = ConnectorSerializer
    queryset = Connector.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Connector]:
        return find_datasource(self.request, self.kwargs["pk"], Role.OWNER).connectors.all()

    @extend_schema(request=ConnectorSerializer, responses={201: ConnectorSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Follow a place, which is looked at before it is kept. The first look begins at once."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = ConnectorSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = trying.connect(datasource, by=signed_in(request), **given.validated_data)
        return Response(ConnectorSerializer(made).data, status.HTTP_201_CREATED)


def find_connector(request: Request, pk: int, connector: int) -> Connector:
    return get_object_or_404(find_datasource(request, pk, Role.OWNER).connectors, pk=connector)


class ConnectorDetail(APIView):
    """One connected source. For owners."""

    token_scope = BY_METHOD

    @extend_schema(responses=ConnectorSerializer)
    def get(self, request: Request, pk: int, connector: int) -> Response:
        return Response(ConnectorSerializer(find_connector(request, pk, connector)).data)

    @extend_schema(request=ConnectorChangeSerializer(partial=True), responses=ConnectorSerializer)
    def patch(self, request: Request, pk: int, connector: int) -> Response:
        """How it is looked at; off, or on again, when it catches up."""
        row = find_connector(request, pk, connector)
        given = ConnectorChangeSerializer(row, data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        trying.check_change(row, given.validated_data, signed_in(request))
        return Response(ConnectorSerializer(_changed(row, given.validated_data)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, connector: int) -> Response:
        """Disconnect it. Documents stay, but for those of SharePoint, OneDrive and Google Drive."""
        services.disconnect(find_connector(request, pk, connector))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ConnectorFiles(generics.ListAPIView[FollowedFile]):
    """What became of each file there. For owners; what is withheld is named to whoever gave the key."""

    token_scope = BY_METHOD
    serializer_class = FollowedFileSerializer
    queryset = FollowedFile.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[FollowedFile]:
        files = find_connector(self.request, self.kwargs["pk"], self.kwargs["connector"]).files.all()
        return files.named_to(signed_in(self.request))


class ConnectorLook(APIView):
    """For owners."""

    token_scope = TokenScope.WRITE

    @extend_schema(request=LookSerializer, responses={202: ConnectorSerializer})
    def post(self, request: Request, pk: int, connector: int) -> Response:
        """Look at once, and not only when it is due."""
        row = find_connector(request, pk, connector)
        given = LookSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = services.look_now(row, **given.validated_data)
        return Response(ConnectorSerializer(row).data, status.HTTP_202_ACCEPTED)


@transaction.atomic  # all of it or nothing
def _changed(row: Connector, changed: dict[str, Any]) -> Connector:
    is_on = changed.pop("is_on", None)
    services.change(row, **changed)
    if is_on is True:
        services.switch_on(row)
    elif is_on is False:
        services.switch_off(row)
    row.refresh_from_db()
    return row
