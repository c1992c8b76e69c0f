"""`rag/query`: an answer with `[Source N]`, and the Nth of its sources."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request

from accounts.models import TokenScope
from chat.api.rag_query import QuerySerializer, answered, ask, cited_in, failed, in_ranges, similarities
from chat.api.waiting import Answer, waiting
from chat.models import Citation, Turn
from exchange.compatible.knowledge_base import own_id
from retrieval.api.errors import CompatibleView, with_error

_CITED = re.compile(r"(?<!\\)\[(\d{1,4})\](?!\()")


class Query(CompatibleView):
    """A question about some documents. Fields that are not known here are read over: how many passages are
    used, and how near they must be, is for the datasource to decide.
    """

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def post(self, request: Request) -> HttpResponse:
        response = ask(request, known_fields(request.data))
        if response.status_code >= status.HTTP_400_BAD_REQUEST:
            response.data = with_error(response.data)  # type: ignore[attr-defined]
        return response

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs), answer)


def known_fields(body: Any) -> Any:
    if not isinstance(body, Mapping):
        return body
    return {name: body[name] for name in QuerySerializer().fields if name in body}


def answer(turn: Turn) -> Answer:
    """In that system's keys."""
    if refused := failed(turn):
        return refused[0], with_error(refused[1])
    cited = cited_in(turn)
    data = answered(turn)
    data["answer"] = with_sources(data["answer"], {each.n: place for place, each in enumerate(cited, 1)})
    return status.HTTP_200_OK, {**data, "sources": sources(turn, cited), "verdict": verdict(turn, len(cited))}


def with_sources(text: str, places: Mapping[int, int]) -> str:
    """[n] becomes [Source N] of that place among the sources; one without a source goes."""

    def named(match: re.Match[str]) -> str:
        place = places.get(int(match[1]))
        return f"[Source {place}]" if place else ""

    return _CITED.sub(named, text)


def sources(turn: Turn, cited: list[Citation]) -> list[dict[str, Any]]:
    """One for each citation, in the order in which they are counted."""
    nearness = similarities(turn, [each.chunk_id_hint for each in cited if each.chunk_id_hint])
    return [
        {
            "docId": own_id(each.document) if each.document else "",
            "title": each.document_title,
            "pageNumber": each.pages[0] if each.pages else 1,
            "pageRange": in_ranges(sorted(each.pages)),
            "chunkId": each.chunk_id_hint,
            "similarity": nearness.get(each.chunk_id_hint or 0),
            "content": each.quote,
        }
        for each in cited
    ]


def verdict(turn: Turn, sources: int) -> dict[str, Any]:
    """Of the check of all claims. Quotes alone claim nothing: they stand on their pages, letter by letter."""
    found = turn.verdict
    return {
        "isGrounded": found.get("grounded", sources > 0),
        "isRelevant": found.get("relevant"),
        "isHallucination": found.get("hallucinated", False),
        "hasHallucinations": found.get("hallucinated", False),
        "confidence": found.get("confidence"),
        "citedSourceNumbers": list(range(1, sources + 1)),
    }
