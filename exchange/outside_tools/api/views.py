"""REST: which outside tools the answers of a datasource may use, for its owners."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import User
from datasources.api.views import find_datasource
from datasources.models import Datasource, Role
from exchange.outside_tools import services
from exchange.outside_tools.choices import Choice, attached_by_others, choices_of
from exchange.outside_tools.models import OutsideServer

LONGEST_KEY = 100


class OutsideToolSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(
        help_text="Names the tool as it is now: another one, once its server changes it."
    )
    server = serializers.CharField(help_text="The name of the outside server.")
    host = serializers.CharField(help_text="Where what the tool is passed goes.")
    name = serializers.CharField()
    description = serializers.CharField(help_text="As its server has it.")
    arguments = serializers.ListField(
        child=serializers.CharField(), help_text="The names of what it is passed."
    )
    is_on = serializers.BooleanField(help_text="Whether it is ticked, as it is now.")
    has_changed = serializers.BooleanField(
        help_text="It was ticked, and its server has changed it since: it is off."
    )
    unusable = serializers.CharField(help_text="Why it can't be ticked; empty: it can.")


class OutsideToolsSerializer(serializers.Serializer[Any]):
    tools = OutsideToolSerializer(many=True, help_text="Those that you may tick.")
    others = serializers.ListField(
        child=serializers.CharField(),
        help_text="What an administrator has ticked of servers that are not for owners.",
    )


class TickedSerializer(KnownFields[Any], serializers.Serializer[Any]):
    tools = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_KEY),
        allow_empty=True,
        max_length=services.MOST_ATTACHED,
        help_text="The keys of these, and no others of those that you may tick.",
    )


class OutsideTools(APIView):
    """The tools of outside MCP servers that answers may use. For owners."""

    token_scope = BY_METHOD

    @extend_schema(responses=OutsideToolsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Those that may be ticked, each with whether it is."""
        return Response(_told(find_datasource(request, pk, Role.OWNER), signed_in(request)))

    @extend_schema(request=TickedSerializer, responses=OutsideToolsSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Tick these and no others. It counts from the next question on."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = TickedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        services.attach(datasource, given.validated_data["tools"], by=signed_in(request))
        return Response(_told(datasource, signed_in(request)))


def _told(datasource: Datasource, person: User) -> dict[str, Any]:
    of_servers = choices_of(datasource, person)
    return {
        "tools": [_tool(server, choice) for server, choices in of_servers for choice in choices],
        "others": attached_by_others(datasource, person),
    }


def _tool(server: OutsideServer, choice: Choice) -> dict[str, Any]:
    return {
        "key": choice.key,
        "server": server.name,
        "host": server.host,
        "name": choice.offer.name,
        "description": choice.offer.description,
        "arguments": choice.offer.arguments,
        "is_on": choice.is_ticked,
        "has_changed": choice.has_changed,
        "unusable": choice.offer.unusable,
    }
