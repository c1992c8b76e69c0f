"""REST: what language models have cost."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.models import TokenScope
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
                "total": _told(told.total),
                **{
                    name: [_told(row) for row in getattr(told, name)]
                    for name in ("by_day", "by_datasource", "by_model", "by_person")
                },
            }
        )


def _told(row: Sum) -> dict[str, Any]:
    return dict(SumSerializer(row).data)
