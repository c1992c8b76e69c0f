"""A turn for clients of other systems: `[Source N]` in the answer, and the Nth of its sources."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import status
from rest_framework.response import Response

from accounts.models import User
from chat.api.rag_query import answered, cited_in, failed, in_ranges, similarities
from chat.api.waiting import Answer, Coroutines, Renderer, View, standing_for, waiting
from chat.models import Citation, Turn
from citations.marks import NUMBERED
from datasources.whose_ids import names_of
from retrieval.api.errors import with_error

LATE = {
    "code": "GENERATION_FAILED",
    "message": "The answer takes longer than five minutes. It goes on in SVQ.",
    "hint": "Ask again later.",
}


def answering(view: View, render: Renderer | None = None) -> Coroutines:
    """The view, and the end of the turn that it has begun; refusals and delays in those clients' keys."""
    wait = waiting(view, render or answer)

    async def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        response = await wait(request, **kwargs)
        if isinstance(response, Response):
            if response.status_code == status.HTTP_202_ACCEPTED:
                response.status_code, response.data = status.HTTP_504_GATEWAY_TIMEOUT, LATE
            if response.status_code >= status.HTTP_400_BAD_REQUEST and isinstance(response.data, Mapping):
                response.data = with_error(response.data)
        return response

    return standing_for(view, wrapped)


def answer(turn: Turn, reader: User) -> Answer:
    """In that system's keys."""
    if refused := failed(turn):
        return refused
    cited = cited_in(turn)
    data = answered(turn, cited)
    data["answer"] = with_sources(data["answer"], {each.n: place for place, each in enumerate(cited, 1)})
    return status.HTTP_200_OK, {
        **data,
        "sources": sources(turn, reader, cited),
        "verdict": verdict(turn, len(cited)),
    }


def with_sources(text: str, places: Mapping[int, int]) -> str:
    """[n] becomes [Source N] of that place among the sources; one without a source goes."""

    def named(match: re.Match[str]) -> str:
        place = places.get(int(match[1]))
        return f"[Source {place}]" if place else ""

    return NUMBERED.sub(named, text)


def sources(turn: Turn, reader: User, cited: list[Citation]) -> list[dict[str, Any]]:
    """One for each citation, in the order in which they are counted."""
    names = names_of(reader, {each.document for each in cited if each.document})
    nearness = similarities(turn, [each.chunk_id_hint for each in cited if each.chunk_id_hint])
    return [
        {
            "docId": names.get(each.document_id or 0, ""),
            "title": each.document_title,
            "pageNumber": each.pages[0] if each.pages else 1,
            "pageRange": in_ranges(sorted(each.pages)),
            "chunkId": each.chunk_id_hint,
            "similarity": nearness.get(each.chunk_id_hint or 0),
            "content": each.quote,
            "read_elsewhere": each.read_elsewhere,
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
