"""REST: how a datasource answers: its stages and limits, and how it treats personal data."""

import math
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from chat.models import LIMITS, AnswerSettings
from chat.services import change_answer_settings
from datasources.api.views import find_datasource
from datasources.models import Role


class AnswerSettingsSerializer(KnownFields[AnswerSettings], serializers.ModelSerializer[AnswerSettings]):
    class Meta:
        model = AnswerSettings
        exclude = ("datasource",)
        extra_kwargs: ClassVar = {
            name: {"min_value": low, "max_value": high} for name, (low, high) in LIMITS.items()
        }

    def validate_money(self, money: float) -> float:
        if not math.isfinite(money):
            raise serializers.ValidationError("This is not an amount of money.")
        return money


class Answering(APIView):
    """Which stages an answer runs through, and within which limits."""

    token_scope = BY_METHOD

    @extend_schema(responses=AnswerSettingsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        settings = AnswerSettings.objects.of(find_datasource(request, pk))
        return Response(AnswerSettingsSerializer(settings).data)

    @extend_schema(request=AnswerSettingsSerializer, responses=AnswerSettingsSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Fields that are not given stay unchanged. For owners."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = AnswerSettingsSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        changed = change_answer_settings(datasource, **given.validated_data)
        return Response(AnswerSettingsSerializer(changed).data)
