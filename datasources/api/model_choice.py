"""REST: which of the offered models play which role in a datasource."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_datasource
from datasources.model_choice import LABELS, choices_for, choose
from datasources.models import Datasource, Role
from providers.roles import ModelRole, endpoint


class RoleChoiceSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField([role.value for role in LABELS])
    model = serializers.CharField(help_text="That plays it now; empty without one.")
    chosen = serializers.IntegerField(allow_null=True, help_text="Null: as everywhere else.")
    offered = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers to choose from.")


class RolesSerializer(KnownFields[Any]):
    agent = serializers.IntegerField(required=False, allow_null=True)
    extraction = serializers.IntegerField(required=False, allow_null=True)
    judge = serializers.IntegerField(required=False, allow_null=True)


class ModelRoles(APIView):
    """Who answers, reads for the graph and judges here."""

    token_scope = BY_METHOD

    @extend_schema(responses=RoleChoiceSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        return _roles_response(find_datasource(request, pk))

    @extend_schema(request=RolesSerializer, responses=RoleChoiceSerializer(many=True))
    def patch(self, request: Request, pk: int) -> Response:
        """Numbers of offered models; null: as everywhere else. What is not named stays. For owners."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = RolesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        choose(datasource, {ModelRole(role): number for role, number in given.validated_data.items()})
        return _roles_response(datasource)


def _roles_response(datasource: Datasource) -> Response:
    choices = {choice.role: choice for choice in choices_for(datasource)}
    rows = []
    for role in LABELS:
        server, choice = endpoint(datasource, role), choices.get(role)
        rows.append(
            {
                "role": role.value,
                "model": server.model if server else "",
                "chosen": choice.chosen if choice else None,
                "offered": [number for number, _ in choice.models] if choice else [],
            }
        )
    return Response(rows)
