"""OpenAI's protocol: datasources as models, and questions as chat completions.

It has a schema of its own, OpenAI's, so that of REST leaves it out.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_tokens import ApiTokenAuthentication
from accounts.models import TokenScope, User
from chat import services
from chat.api.waiting import Answer, Coroutines, TokenEnded, View, standing_for, wait_for
from chat.models import Turn
from datasources.models import Datasource, Role
from exchange.openai.asking import CompletionRequestSerializer, datasource_called, question_of
from exchange.openai.completions import completion, error_json, failure_of, model_json
from exchange.openai.streaming import GONE, LATE, TOKEN_ENDED, streamed


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that was written down, and how its answer is to be sent."""

    turn: UUID
    reader: User
    is_streamed: bool
    with_usage: bool


class Protocol(APIView):
    """Errors have the shape that OpenAI's clients read."""

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        told = response.data if isinstance(response.data, dict) else {}
        message = " ".join(filter(None, [str(told.get("message", "")), str(told.get("hint", ""))]))
        kind = "server_error" if response.status_code >= 500 else "invalid_request_error"
        response.data = error_json(
            message or "The request failed.", code=str(told.get("code", "")), kind=kind
        )
        return response


class Models(Protocol):
    """The datasources that you may ask, as models."""

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        rows = Datasource.objects.listed_for(signed_in(request), Role.ASKER).order_by("name", "pk")
        return Response({"object": "list", "data": [_model(row) for row in rows]})


class OneModel(Protocol):
    """A datasource as a model."""

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def get(self, request: Request, name: str) -> Response:
        return Response(_model(datasource_called(name, signed_in(request))))


def _model(row: Datasource) -> dict[str, Any]:
    return model_json(row.pk, row.name, row.created.timestamp())


class ChatCompletions(Protocol):
    """A question to a datasource, with its answer as a chat completion, whole or streamed."""

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def post(self, request: Request) -> HttpResponse:
        given = CompletionRequestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person, asked = signed_in(request), given.validated_data
        question, earlier = question_of(asked["messages"])
        turn = services.ask(person, datasource_called(asked["model"], person), question, earlier=earlier)
        response = Response({"id": str(turn.pk)})
        response.asked = Asked(  # type: ignore[attr-defined]
            turn=turn.pk,
            reader=person,
            is_streamed=bool(asked["stream"]),
            with_usage=bool((asked.get("stream_options") or {}).get("include_usage")),
        )
        return response

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return _whole_or_streamed(super().as_view(**initkwargs))


def _whole_or_streamed(view: View) -> Coroutines:
    """The view, then the end of the turn: as one object, or as the stream that was asked for."""

    async def wrapped(request: HttpRequest, **kwargs: Any) -> Any:
        response = await sync_to_async(view)(request, **kwargs)
        asked: Asked | None = getattr(response, "asked", None)
        if asked is None:
            return response
        await sync_to_async(close_old_connections)()
        if asked.is_streamed:
            return _stream(streamed(asked.turn, asked.reader, with_usage=asked.with_usage))
        try:
            answer = await wait_for(asked.turn, asked.reader, _outcome)
        except TokenEnded:
            answer = 401, TOKEN_ENDED
            response["WWW-Authenticate"] = ApiTokenAuthentication.CHALLENGE
        except Turn.DoesNotExist:
            answer = 404, error_json(GONE, code="not_found")
        response.status_code, response.data = answer or (504, error_json(LATE, code="timeout"))  # type: ignore[attr-defined]
        return response

    return standing_for(view, wrapped)


def _outcome(turn: Turn, _: User) -> Answer:
    failure = failure_of(turn)
    return (502, failure) if failure else (200, completion(turn))


def _stream(events: AsyncIterator[bytes]) -> StreamingHttpResponse:
    stream = StreamingHttpResponse(events, content_type="text/event-stream")
    stream.headers["Cache-Control"] = "no-store"
    stream.headers["X-Accel-Buffering"] = "no"
    return stream
