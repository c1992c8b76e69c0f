"""REST: evidence packs, and the key that signs them."""

from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import TokenScope
from chat.api.conversations import find_conversation
from chat.api.turns import find_turn
from datasources.api.negotiation import AnyAccept
from datasources.models import Role
from exchange.packs.content import content_of_conversation, content_of_turn
from exchange.packs.keys import own_key
from exchange.packs.sending import ZIP, pack_file

GET_ALONE = ["get", "options"]  # HEAD would write a pack that nobody reads


class TurnPack(APIView):
    """One answer with its proof as a signed ZIP file: an evidence pack."""

    token_scope = TokenScope.ASK
    http_method_names = GET_ALONE
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, ZIP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        return pack_file(content_of_turn(find_turn(request, pk, Role.VIEWER)))


class ConversationPack(APIView):
    """All finished answers of a conversation with their proof as a signed ZIP file: an evidence pack."""

    token_scope = TokenScope.ASK
    http_method_names = GET_ALONE
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, ZIP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        return pack_file(content_of_conversation(find_conversation(request, pk, Role.VIEWER)))


class SigningKeySerializer(serializers.Serializer[Any]):
    algorithm = serializers.CharField(help_text="Ed25519.")
    public_key = serializers.CharField(help_text="Its 32 bytes as base64.")
    fingerprint = serializers.CharField(help_text="SHA-256 of the 32 bytes, hexadecimal.")
    pem = serializers.CharField()


class SigningKey(APIView):
    """The public half of the key with which this deployment signs evidence packs."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=SigningKeySerializer)
    def get(self, request: Request) -> Response:
        key = own_key()
        return Response(
            {
                "algorithm": "Ed25519",
                "public_key": key.text,
                "fingerprint": key.fingerprint,
                "pem": key.pem,
            }
        )
