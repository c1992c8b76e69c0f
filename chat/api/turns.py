"""REST: questions and their answers."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import refuse_body
from accounts.models import TokenScope
from chat import services
from chat.api.serializers import AcceptedTurnSerializer, QuestionSerializer, StoppedSerializer, TurnSerializer
from chat.api.waiting import waiting
from chat.exports import MARKDOWN, as_json, as_markdown, markdown_file
from chat.models import Conversation, Mode, Turn
from chat.queue_places import place_of
from chat.scope import UNCHANGED
from datasources.access import LOOKS
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource, require
from datasources.models import Role

EVENT_STREAM = "text/event-stream"


def find_turn(request: Request, pk: UUID, needed: Role) -> Turn:
    """One's own turn, for what the request does with it. Raises Http404, PermissionDenied, Archived."""
    person = signed_in(request)
    reads = request.method in LOOKS
    mine = Turn.objects.visible_to(person) if reads else Turn.objects.changeable_by(person)
    found = get_object_or_404(mine.select_related("conversation__datasource"), pk=pk)
    require(request, found.conversation.datasource, needed)
    return found


class Ask(APIView):
    """A question about a datasource."""

    token_scope = TokenScope.ASK
    content_negotiation_class = AnyAccept

    @extend_schema(
        request=QuestionSerializer,
        responses={200: TurnSerializer, 202: AcceptedTurnSerializer, 303: None},
    )
    def post(self, request: Request, pk: int) -> HttpResponse:
        """200 with the answer when the turn has ended. 202 at once with `wait: false`, or after 300 s: the
        turn goes on, ask for it at its address. 303 to its event stream with `Accept: text/event-stream`.
        """
        datasource = find_datasource(request, pk, Role.ASKER)
        given = QuestionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        conversation = None
        if "conversation" in asked:
            mine = Conversation.objects.changeable_by(signed_in(request)).filter(datasource=datasource)
            conversation = get_object_or_404(mine, pk=asked["conversation"])
        turn = services.ask(
            signed_in(request),
            datasource,
            asked["question"],
            conversation=conversation,
            document_ids=asked.get("documents", UNCHANGED),
            mode=Mode(asked["mode"]),
            chosen_model=asked.get("model"),
            fresh=asked["fresh"],
        )
        return accepted(request, turn, wait=asked["wait"])

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs))


def accepted(request: Request, turn: Turn, *, wait: bool) -> HttpResponse:
    """Where to follow the turn; `chat.api.waiting` replaces it by the answer when `wait` is set."""
    address, stream = reverse("api-turn", args=[turn.pk]), f"/events/?channel={turn.channel}"
    if EVENT_STREAM in request.headers.get("Accept", ""):
        return HttpResponse(status=status.HTTP_303_SEE_OTHER, headers={"Location": stream})
    names = {"id": str(turn.pk), "conversation": str(turn.conversation_id), "status": turn.status}
    response = Response(
        {**names, "ahead": place_of(turn), "turn": address, "events": stream},
        status.HTTP_202_ACCEPTED,
        headers={"Location": address},
    )
    if wait:
        response.waiting_reader = signed_in(request)  # type: ignore[attr-defined]
    return response


class TurnDetail(APIView):
    """One of your questions with its answer, as far as it has come."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=TurnSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        return Response(as_json(find_turn(request, pk, Role.ASKER)))


class TurnStop(APIView):
    """Ending an answer that is being written."""

    token_scope = TokenScope.ASK

    @extend_schema(request=None, responses=StoppedSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Stop it; what was written so far is kept."""
        refuse_body(request)
        turn = find_turn(request, pk, Role.ASKER)
        stopped = services.stop(turn)
        turn.refresh_from_db()
        return Response({**as_json(turn), "stopped": stopped})


class TurnExport(APIView):
    """One question with its answer and sources as Markdown."""

    token_scope = TokenScope.ASK
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, MARKDOWN): OpenApiTypes.STR})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        turn = find_turn(request, pk, Role.VIEWER)
        return markdown_file(as_markdown(turn), str(turn))
