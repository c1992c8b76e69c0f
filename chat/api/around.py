"""REST: feedback about an answer, follow-up questions, and asking again."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.models import TokenScope
from chat import feedback
from chat.api.serializers import TurnSerializer
from chat.api.turns import accepted, find_turn
from chat.api.waiting import waiting
from chat.models import FeedbackReason
from chat.services import MAX_QUESTION, ask_again
from chat.turns.follow_ups import made_for
from chat.turns.tasks import defer_follow_ups
from datasources.models import Role


class FeedbackSerializer(KnownFields[Any]):
    helpful = serializers.BooleanField()
    reason = serializers.ChoiceField(
        FeedbackReason.choices, allow_blank=True, default="", help_text="Why it is not helpful."
    )
    note = serializers.CharField(allow_blank=True, default="", max_length=feedback.MAX_NOTE)


class TurnFeedback(APIView):
    """What you think of one of your answers, kept for evaluation."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=FeedbackSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """204 if you have given none."""
        given = getattr(find_turn(request, pk, Role.ASKER), "feedback", None)
        return (
            Response(FeedbackSerializer(given).data) if given else Response(status=status.HTTP_204_NO_CONTENT)
        )

    @extend_schema(request=FeedbackSerializer, responses=FeedbackSerializer)
    def put(self, request: Request, pk: UUID) -> Response:
        """Replaces what you said before."""
        turn = find_turn(request, pk, Role.ASKER)
        said = FeedbackSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        return Response(FeedbackSerializer(feedback.give(turn, **said.validated_data)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        feedback.take_back(find_turn(request, pk, Role.ASKER))
        return Response(status=status.HTTP_204_NO_CONTENT)


class FollowUpsSerializer(serializers.Serializer[Any]):
    questions = serializers.ListField(child=serializers.CharField())
    ready = serializers.BooleanField(help_text="False while they are being made: ask again in a second.")


class FollowUps(APIView):
    """Up to three follow-up questions; each was tried and has an answer. Asking for them makes them."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=FollowUpsSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        turn = find_turn(request, pk, Role.ASKER)
        questions = made_for(turn)
        if questions is None:
            defer_follow_ups(turn)
        return Response({"questions": questions or [], "ready": questions is not None})


class AgainSerializer(KnownFields[Any]):
    question = serializers.CharField(
        required=False, max_length=MAX_QUESTION, help_text="In other words; left out, the same question."
    )
    model = serializers.IntegerField(
        required=False, help_text="Number of an offered model; see data-sources/{id}/models."
    )
    wait = serializers.BooleanField(default=True, help_text="Answer when the turn has ended, 300 s at most.")


class AskAgain(APIView):
    """The same place of the conversation again: in other words, or with another model."""

    token_scope = TokenScope.ASK

    @extend_schema(request=AgainSerializer, responses={200: TurnSerializer})
    def post(self, request: Request, pk: UUID) -> Any:
        """Like asking; the first answer stays, in a branch of its own."""
        turn = find_turn(request, pk, Role.ASKER)
        given = AgainSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        new = ask_again(turn, asked.get("question", turn.question), chosen_model=asked.get("model"))
        return accepted(request, new, wait=asked["wait"])

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs))
