"""REST: your conversations about a datasource."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_tokens import ASKING
from accounts.models import TokenScope
from chat import services
from chat.api.serializers import (
    ConversationChangeSerializer,
    ConversationDetailSerializer,
    ConversationSerializer,
)
from chat.exports import MARKDOWN, as_json, conversation_file
from chat.models import Conversation
from chat.nearest_passages import nearest_of
from datasources.access import LOOKS
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource, require
from datasources.models import Role


def find_conversation(request: Request, pk: UUID, needed: Role) -> Conversation:
    """One's own, for what the request does with it. Raises Http404, PermissionDenied, Archived."""
    person = signed_in(request)
    reads = request.method in LOOKS
    mine = Conversation.objects.visible_to(person) if reads else Conversation.objects.changeable_by(person)
    found = get_object_or_404(mine.select_related("datasource"), pk=pk)
    require(request, found.datasource, needed)
    return found


class Conversations(generics.ListAPIView[Conversation]):
    """Your conversations about a datasource, the newest first."""

    token_scope = TokenScope.ASK
    serializer_class = ConversationSerializer
    queryset = Conversation.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Conversation]:
        datasource = find_datasource(self.request, self.kwargs["pk"], Role.ASKER)
        mine = Conversation.objects.visible_to(signed_in(self.request))
        return mine.filter(datasource=datasource)

    @extend_schema(request=ConversationChangeSerializer, responses={201: ConversationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Start one, to choose its documents before the first question."""
        datasource = find_datasource(request, pk, Role.ASKER)
        given = ConversationChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        conversation = services.begin_conversation(
            signed_in(request),
            datasource,
            given.validated_data.get("title", ""),
            given.validated_data.get("documents"),
        )
        return Response(ConversationSerializer(conversation).data, status.HTTP_201_CREATED)


class ConversationDetail(APIView):
    """One of your conversations with its questions and answers."""

    token_scope = {**ASKING, "PATCH": TokenScope.WRITE, "DELETE": TokenScope.WRITE}

    @extend_schema(responses=ConversationDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        conversation = find_conversation(request, pk, Role.ASKER)
        turns = conversation.turns.order_by("number").prefetch_related("citations__document")
        nearest = nearest_of(turns)
        told = [as_json(turn, nearest) for turn in turns]
        return Response({**ConversationSerializer(conversation).data, "turns": told})

    @extend_schema(request=ConversationChangeSerializer, responses=ConversationSerializer)
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change its title, or which documents are searched from now on."""
        conversation = find_conversation(request, pk, Role.ASKER)
        given = ConversationChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with transaction.atomic():
            if "documents" in given.validated_data:
                services.set_scope(conversation, given.validated_data["documents"])
            if "title" in given.validated_data:
                services.rename(conversation, given.validated_data["title"])
        return Response(ConversationSerializer(conversation).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete it with its questions, answers and events."""
        services.delete_conversation(find_conversation(request, pk, Role.ASKER))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ConversationExport(APIView):
    """All questions, answers and sources of a conversation as Markdown."""

    token_scope = TokenScope.ASK
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, MARKDOWN): OpenApiTypes.STR})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        return conversation_file(find_conversation(request, pk, Role.VIEWER))
