"""REST: one's share links."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from chat.api.conversations import find_conversation
from chat.api.turns import find_turn
from chat.models import Conversation, Turn
from datasources.models import Role
from shares.models import ShareLink
from shares.services import end_link, make_link, remove_link


class NewShareLinkSerializer(KnownFields[Any]):
    recipient = serializers.CharField(help_text="For whom it is: the watermark. At most 80 characters.")
    days = serializers.IntegerField(default=7, help_text="How long it lasts: 1 to 366.")
    password = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, help_text="8 to 128 characters; empty: none."
    )


class ShareLinkSerializer(serializers.ModelSerializer[ShareLink]):
    class Meta:
        model = ShareLink
        fields = (
            "id",
            "conversation",
            "turn",
            "recipient",
            "has_password",
            "created",
            "expires",
            "ended",
            "views",
            "last_viewed",
        )
        read_only_fields = fields

    has_password = serializers.BooleanField(read_only=True)


class MadeShareLinkSerializer(ShareLinkSerializer):
    address = serializers.URLField(help_text="Told once: only a hash of its token is kept.")

    class Meta(ShareLinkSerializer.Meta):
        fields = (*ShareLinkSerializer.Meta.fields, "address")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class TurnShareLinks(APIView):
    """A new share link of one answer."""

    token_scope = BY_METHOD

    @extend_schema(request=NewShareLinkSerializer, responses={201: MadeShareLinkSerializer})
    def post(self, request: Request, pk: UUID) -> Response:
        return _made(request, find_turn(request, pk, Role.VIEWER))


class ConversationShareLinks(APIView):
    """A new share link of a conversation: of the answers that it has now."""

    token_scope = BY_METHOD

    @extend_schema(request=NewShareLinkSerializer, responses={201: MadeShareLinkSerializer})
    def post(self, request: Request, pk: UUID) -> Response:
        return _made(request, find_conversation(request, pk, Role.VIEWER))


class ShareLinks(generics.ListAPIView[ShareLink]):
    """One's own, the newest first."""

    token_scope = BY_METHOD
    serializer_class = ShareLinkSerializer

    def get_queryset(self) -> QuerySet[ShareLink]:
        return ShareLink.objects.made_by(signed_in(self.request))


class ShareLinkDetail(APIView):
    """One of one's own links. Deleting it ends it, twice as once; with `?remove=true`, one that is over
    leaves the list.
    """

    token_scope = BY_METHOD

    @extend_schema(responses=ShareLinkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(ShareLinkSerializer(_find(request, pk)).data)

    @extend_schema(parameters=[OpenApiParameter("remove", bool)], responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        link = _find(request, pk)
        removes = request.query_params.get("remove") == "true" and link.is_over
        (remove_link if removes else end_link)(link, signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _find(request: Request, pk: int) -> ShareLink:
    return get_object_or_404(ShareLink.objects.made_by(signed_in(request)), pk=pk)


def _made(request: Request, shared: Turn | Conversation) -> Response:
    given = NewShareLinkSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    link, token = make_link(signed_in(request), shared, **given.validated_data)
    address = request.build_absolute_uri(reverse("shared", args=[token]))
    said = {**ShareLinkSerializer(link).data, "address": address}
    return Response(said, status=status.HTTP_201_CREATED)
