"""REST: tables, their cells, filling them."""

from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields, refuse_body
from accounts.api_tokens import BY_METHOD
from batches.budget import LEAST_MONEY, Budget
from datasources.api.number_fields import AmountField, WholeField
from datasources.api.views import find_datasource, find_row
from datasources.models import Role
from desks.tables import services
from desks.tables.exports.files import table_json
from desks.tables.grid import Grid
from desks.tables.models import ReviewTable
from formats.base.characters import one_line


class TableSerializer(serializers.ModelSerializer[ReviewTable]):
    class Meta:
        model = ReviewTable
        fields = ("id", "name", "status", "reader", "quotes_only", "tokens", "created", "updated")
        read_only_fields = fields


class AskedSerializer(KnownFields[Any]):
    name = serializers.CharField(max_length=services.LONGEST_HEAD)
    question = serializers.CharField(max_length=services.LONGEST_QUESTION)


class NewTableSerializer(KnownFields[Any]):
    name = serializers.CharField(max_length=services.LONGEST_NAME)
    columns = serializers.ListField(child=AskedSerializer(), max_length=services.MAX_COLUMNS)
    documents = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62), max_length=services.MAX_ROWS
    )


class FillSerializer(KnownFields[Any]):
    again = serializers.BooleanField(default=False, help_text="Read the blanks once more.")
    token_budget = WholeField(required=False, allow_null=True, min_value=1, max_value=2**62)
    money_budget = AmountField(12, 6, required=False, allow_null=True, min_value=LEAST_MONEY)

    def budget(self) -> Budget | None:
        """None where neither limit is told."""
        told = self.validated_data
        if not {"token_budget", "money_budget"} & told.keys():
            return None
        return Budget(tokens=told.get("token_budget"), money=told.get("money_budget"))


def find_table(request: Request, pk: int, needed: Role = Role.VIEWER) -> ReviewTable:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    return find_row(request, ReviewTable.objects.all(), pk, needed)


class Tables(generics.ListAPIView[ReviewTable]):
    """The tables of a datasource."""

    token_scope = BY_METHOD
    serializer_class = TableSerializer
    queryset = ReviewTable.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[ReviewTable]:
        return find_datasource(self.request, self.kwargs["pk"]).review_tables.all()

    @extend_schema(request=NewTableSerializer, responses={201: TableSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make a table. It is filled by a separate request. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewTableSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        told = given.validated_data
        columns = [
            services.Asked(name=one_line(each["name"]), question=one_line(each["question"]))
            for each in told["columns"]
        ]
        table = services.create_table(
            signed_in(request), datasource, told["name"], columns, told["documents"]
        )
        return Response(TableSerializer(table).data, status=status.HTTP_201_CREATED)


class TableDetail(APIView):
    """One table."""

    token_scope = BY_METHOD

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """Its columns and rows, and each cell with its quote and place."""
        table = find_table(request, pk)
        return Response(table_json(table, Grid(table, QueryDict())))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its cells. For editors."""
        services.delete(find_table(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TableFill(APIView):
    """Filling a table."""

    token_scope = BY_METHOD

    @extend_schema(request=FillSerializer, responses={202: TableSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Have its open cells filled in the background. For editors."""
        table = find_table(request, pk, Role.EDITOR)
        given = FillSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        services.fill(signed_in(request), table, again=given.validated_data["again"], budget=given.budget())
        return Response(TableSerializer(table).data, status=status.HTTP_202_ACCEPTED)


class TableStop(APIView):
    """Ending a filling before its time."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=TableSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop it; what was filled is kept. For editors."""
        refuse_body(request)
        table = find_table(request, pk, Role.EDITOR)
        services.stop(table)
        table.refresh_from_db()
        return Response(TableSerializer(table).data)
