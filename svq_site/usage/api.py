"""REST: what language models have cost, and what they may cost in a month."""

from datetime import date
from typing import Any

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import TokenScope
from datasources.api.number_fields import AmountField, WholeField
from datasources.api.views import find_datasource
from datasources.models import Role
from providers.spending.budgets import Month, month_of, next_month
from providers.spending.models import EVERYWHERE
from svq_site.usage.changing import change_budget
from svq_site.usage.report import Sum, report
from svq_site.usage.views import ALL, days_in, sees_all


class SumSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    calls = serializers.IntegerField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    seconds = serializers.FloatField(help_text="That models worked.")
    money = serializers.DecimalField(max_digits=16, decimal_places=8, help_text="At the prices of the time.")


class UsageReportSerializer(serializers.Serializer[Any]):
    days = serializers.IntegerField()
    total = SumSerializer()
    by_day = SumSerializer(many=True)
    by_datasource = SumSerializer(many=True)
    by_model = SumSerializer(many=True)
    by_person = SumSerializer(many=True)


class UsageReport(APIView):
    """Tokens, money and time of language models: your own; of everybody with `of=all`, for administrators."""

    token_scope = TokenScope.READ

    @extend_schema(
        parameters=[
            OpenApiParameter("days", OpenApiTypes.INT, description="7, 30 (the default) or 365."),
            OpenApiParameter("of", OpenApiTypes.STR, enum=[ALL]),
        ],
        responses=UsageReportSerializer,
    )
    def get(self, request: Request) -> Response:
        person, days = signed_in(request), days_in(request.query_params)
        told = report(person, days, of_all=sees_all(person, request.query_params))
        return Response(
            {
                "days": days,
                "total": _sum_as_json(told.total),
                **{
                    name: [_sum_as_json(row) for row in getattr(told, name)]
                    for name in ("by_day", "by_datasource", "by_model", "by_person")
                },
            }
        )


class BudgetSerializer(KnownFields[Any]):
    tokens = WholeField(
        source="token_limit", min_value=0, max_value=10**15, allow_null=True, help_text="Null: no limit."
    )
    money = AmountField(
        max_digits=12,
        decimal_places=2,
        min_value=0,
        source="money_limit",
        allow_null=True,
        help_text="In the currency of the prices; null: no limit.",
    )
    spent_tokens = serializers.IntegerField(source="tokens", read_only=True, help_text="In this month.")
    spent_money = serializers.DecimalField(max_digits=16, decimal_places=8, source="money", read_only=True)
    used_up = serializers.BooleanField(read_only=True)
    begins_again = serializers.SerializerMethodField()

    def get_begins_again(self, month: Month) -> date:
        return next_month()


class DeploymentBudget(APIView):
    """What language models may cost everybody together in a month. For administrators."""

    token_scope = BY_METHOD

    @extend_schema(responses=BudgetSerializer)
    def get(self, request: Request) -> Response:
        return _of(self._checked(request))

    @extend_schema(request=BudgetSerializer, responses=BudgetSerializer)
    def put(self, request: Request) -> Response:
        return _changed(request, self._checked(request))

    def _checked(self, request: Request) -> int:
        """Raises Http404."""
        sees_all(signed_in(request), QueryDict(f"of={ALL}"))
        return EVERYWHERE


class DatasourceBudget(APIView):
    """What language models may cost in a datasource in a month. When it is used up, passages answer."""

    token_scope = BY_METHOD

    @extend_schema(responses=BudgetSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return _of(find_datasource(request, pk).pk)

    @extend_schema(request=BudgetSerializer, responses=BudgetSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """For owners."""
        return _changed(request, find_datasource(request, pk, Role.OWNER).pk)


def _changed(request: Request, number: int) -> Response:
    given = BudgetSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    change_budget(
        number, tokens=given.validated_data["token_limit"], money=given.validated_data["money_limit"]
    )
    return _of(number)


def _of(number: int) -> Response:
    return Response(BudgetSerializer(month_of(number)).data)


def _sum_as_json(row: Sum) -> dict[str, Any]:
    return dict(SumSerializer(row).data)
