"""REST: one's share links."""

from collections.abc import Sequence
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
from accounts.models import User
from chat.api.conversations import find_conversation
from chat.api.turns import find_turn
from chat.models import Conversation, Turn
from datasources.api.views import find_datasource
from datasources.models import Role
from datasources.numbers import number_in
from exchange.shares.models import ShareLink
from exchange.shares.services import end_link, make_link, remove_link, resting

SHOWN_WITH = ("maker", "conversation__datasource")


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
            "maker",
            "conversation",
            "turn",
            "recipient",
            "has_password",
            "created",
            "expires",
            "ended",
            "rests",
            "views",
            "last_viewed",
        )
        read_only_fields = fields

    maker = serializers.CharField(source="maker.get_full_name", read_only=True)
    has_password = serializers.BooleanField(read_only=True)
    recipient = serializers.SerializerMethodField(help_text="Empty in those of other people.")
    rests = serializers.SerializerMethodField(
        help_text="It shows nothing while its maker may not see the answer, or not share it."
    )

    def get_recipient(self, link: ShareLink) -> str:
        return link.recipient if link.maker_id == self.context["reader"] else ""

    def get_rests(self, link: ShareLink) -> bool:
        return link.pk in self.context["resting"]


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
    """One's own, the newest first; with `?datasource=7` those of everybody in a datasource that one owns."""

    token_scope = BY_METHOD
    serializer_class = ShareLinkSerializer

    def get_queryset(self) -> QuerySet[ShareLink]:
        person, given = signed_in(self.request), self.request.query_params.get("datasource")
        if given is None:
            return ShareLink.objects.made_by(person).select_related(*SHOWN_WITH)
        datasource = find_datasource(self.request, number_in(given) or 0, Role.OWNER)
        return ShareLink.objects.of([datasource.pk]).select_related(*SHOWN_WITH)

    @extend_schema(parameters=[OpenApiParameter("datasource", int)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(_links_as_json(page, signed_in(request)))


class ShareLinkDetail(APIView):
    """One of one's own links, or of a datasource that one owns. Deleting it ends it, twice as once; with
    `?remove=true`, one's own that is over leaves the list.
    """

    token_scope = BY_METHOD

    @extend_schema(responses=ShareLinkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(_links_as_json([_find(request, pk)], signed_in(request))[0])

    @extend_schema(parameters=[OpenApiParameter("remove", bool)], responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        link = _find(request, pk)
        person = signed_in(request)
        is_own = link.maker_id == person.pk
        removes = request.query_params.get("remove") == "true" and link.is_over and is_own
        (remove_link if removes else end_link)(link, person)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _find(request: Request, pk: int) -> ShareLink:
    links = ShareLink.objects.endable_by(signed_in(request)).select_related(*SHOWN_WITH)
    return get_object_or_404(links, pk=pk)


def _links_as_json(links: Sequence[ShareLink], reader: User) -> list[dict[str, Any]]:
    context = {"reader": reader.pk, "resting": resting(links)}
    return [ShareLinkSerializer(link, context=context).data for link in links]


def _made(request: Request, shared: Turn | Conversation) -> Response:
    given = NewShareLinkSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    link, token = make_link(signed_in(request), shared, **given.validated_data)
    address = request.build_absolute_uri(reverse("shared", args=[token]))
    said = {**_links_as_json([link], signed_in(request))[0], "address": address}
    return Response(said, status=status.HTTP_201_CREATED)
