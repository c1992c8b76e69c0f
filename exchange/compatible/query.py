"""`rag/query`: an answer with `[Source N]`, and the Nth of its sources."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.models import TokenScope
from chat.api.numbered_sources import answering
from chat.api.rag_query import QuerySerializer, SaidSerializer, Speaker, ask
from retrieval.api.errors import CompatibleView

HISTORY = "conversationHistory"


class Query(CompatibleView):
    """A question about some documents. Fields that are not known here are ignored: how many passages are
    used, and how near they must be, is for the datasource to decide.
    """

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def post(self, request: Request) -> HttpResponse:
        return ask(request, known_fields(request.data))

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return answering(super().as_view(**initkwargs))


def known_fields(body: Any) -> Any:
    """Of the history, too, without what neither the person nor the assistant said."""
    if not isinstance(body, Mapping):
        return body
    known: dict[str, Any] = {str(name): body[name] for name in QuerySerializer().fields if name in body}
    if isinstance(said := known.get(HISTORY), list):
        known[HISTORY] = [_known(each) for each in said if not _is_of_others(each)]
    return known


def _is_of_others(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("role") not in Speaker.values


def _known(entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    return {name: entry[name] for name in SaidSerializer().fields if name in entry}
