"""REST: the parties, dates, time limits, sums, duties and defined terms of a document."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_document
from datasources.models import Document
from datasources.models.documents import READ_ELSEWHERE
from digest.gathering import Found, glance
from digest.points import Kind, Stance


class PointSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField([kind.value for kind in Kind])
    value = serializers.CharField(help_text="As it stands in the sentence.")
    date = serializers.DateField(
        allow_null=True, help_text="Of a date; the first of a month that has no day."
    )
    is_month = serializers.BooleanField(help_text="Whether the date has a month and no day.")
    about = serializers.CharField(
        help_text="The defined term that the value is of, or what a party is called."
    )
    party = serializers.CharField(help_text="Of a duty or right.")
    stance = serializers.ChoiceField([stance.value for stance in Stance], allow_null=True)
    sentence = serializers.CharField()
    page = serializers.IntegerField()
    read_elsewhere = serializers.BooleanField(help_text=READ_ELSEWHERE)


class PointsSerializer(serializers.Serializer[Any]):
    points = PointSerializer(many=True)
    complete = serializers.BooleanField(help_text="Whether all pages were read.")


class Points(APIView):
    """The parties, dates, time limits, sums of money, duties and defined terms of a document, as rules find
    them. Every point has its sentence and page.
    """

    token_scope = BY_METHOD

    @extend_schema(responses=PointsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        document = find_document(request, pk)
        seen = glance(Document.objects.filter(pk=document.pk), asker=signed_in(request).pk)
        points = [_as_json(found) for kind in Kind for found in seen.points[kind]]
        return Response({"points": points, "complete": seen.cut is None})


def _as_json(found: Found) -> dict[str, Any]:
    point = found.placed.point
    return {
        "kind": point.kind,
        "value": point.label if point.kind != Kind.DUTY else found.placed.value,
        "date": point.day,
        "is_month": point.month_alone,
        "about": point.about,
        "party": point.party,
        "stance": point.stance,
        "sentence": found.placed.statement,
        "page": found.placed.page,
        "read_elsewhere": found.document.read_elsewhere,
    }
