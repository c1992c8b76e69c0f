"""`data-sources`: making one, and those that there are."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import refuse_limited_token, signed_in
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log
from datasources.models import Datasource, Role
from datasources.services import create_datasource
from retrieval.api.errors import CompatibleView


class NameSerializer(serializers.Serializer[Any]):
    """Other fields are ignored."""

    name = serializers.CharField(allow_blank=True)


class DataSources(CompatibleView):
    """Datasources under opaque ids."""

    token_scope = BY_METHOD

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        rows = Datasource.objects.listed_for(signed_in(request), Role.ASKER).order_by("name", "pk")
        return Response({"dataSources": [shown(row) for row in rows]})

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        refuse_limited_token(request)
        given = NameSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = create_datasource(signed_in(request), given.validated_data["name"])
        made_in_audit_log(request, "datasource", [made.pk], made.pk)
        told = {"msg": f"“{made.name}” was created.", "dataSource": shown(made)}
        return Response(told, status.HTTP_201_CREATED)


def shown(row: Datasource) -> dict[str, str]:
    return {"_id": str(row.pk), "name": row.name}
