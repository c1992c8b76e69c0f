"""A turn that has ended in the shapes of OpenAI's chat completions."""

import re
from typing import Any

from chat.exports import on_a_line, said_beside
from chat.models import Citation, Turn, TurnStatus
from chat.wording import introduction, statements
from citations.choices import OnPage
from citations.marks import NUMBERED, numbered
from exchange.mcp import links
from exchange.openai.asking import NAME
from text.normal_forms.verbatim import inert

FAILED = (TurnStatus.FAILED, TurnStatus.STOPPED)


def failure_of(turn: Turn) -> dict[str, Any] | None:
    """Why there is no answer; None where there is one. Passages in place of an answer that a model failed to
    write are handed on with the reason: people read them, as on SVQ's own page.
    """
    if turn.status not in FAILED:
        return None
    message = " ".join(filter(None, [turn.error_message or "The answer was stopped.", turn.error_hint]))
    return error_json(message, code="generation_failed", kind="server_error")


def error_json(message: str, *, code: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def content_of(turn: Turn) -> str:
    """Markdown: what became of the question, unless it is simply answered; the answer with a numbered link
    where a quote stands; what a reader must know; the sources. Nothing that a document says becomes a link or
    a picture of its own.
    """
    if turn.status == TurnStatus.NOT_FOUND:
        return introduction(turn)
    citations = list(turn.citations.all())
    answer = numbered(inert(turn.answer), [each.quote for each in citations])
    linked = _with_links(answer, turn, citations)
    said = [introduction(turn), linked, *said_beside(turn)]
    sources = "\n".join(_source(turn, each) for each in citations)
    return "\n\n".join(filter(None, [*said, f"Sources:\n\n{sources}" if sources else ""]))


def _with_links(answer: str, turn: Turn, citations: list[Citation]) -> str:
    known = {each.n for each in citations}

    def linked(match: re.Match[str]) -> str:
        n = int(match[1])
        return f"[[{n}]]({links.source(turn.pk, n)})" if n in known else match[0]

    return NUMBERED.sub(linked, answer)


def _source(turn: Turn, citation: Citation) -> str:
    if citation.on_page == OnPage.ABSENT:
        return f"{citation.n}. No source was found for this sentence."
    place = f"{on_a_line(citation.name)}, {on_a_line(citation.where)}"
    quote = on_a_line(citation.quote or citation.written)
    return f"{citation.n}. [{place}]({links.source(turn.pk, citation.n)}) ({statements(citation)}): “{quote}”"


def annotations_of(turn: Turn, content: str) -> list[dict[str, Any]]:
    """One for each numbered link in the content: where it stands, and what it leads to."""
    by_number = {each.n: each for each in turn.citations.all()}
    found = []
    for match in re.finditer(r"\[\[(\d{1,4})\]\]\((\S+?)\)", content):
        citation = by_number.get(int(match[1]))
        if citation is not None and citation.on_page != OnPage.ABSENT:
            place = {"start_index": match.start(), "end_index": match.end()}
            found.append(
                {
                    "type": "url_citation",
                    "url_citation": place | {"url": match[2], "title": f"{citation.name}, {citation.where}"},
                }
            )
    return found


def usage_of(turn: Turn) -> dict[str, int]:
    sent, written = (int(turn.usage.get(name, 0)) for name in ("prompt_tokens", "completion_tokens"))
    return {"prompt_tokens": sent, "completion_tokens": written, "total_tokens": sent + written}


def completion(turn: Turn) -> dict[str, Any]:
    """The answer as one object."""
    content = content_of(turn)
    message = {"role": "assistant", "content": content, "refusal": None}
    return _head(turn, "chat.completion") | {
        "choices": [
            {
                "index": 0,
                "message": message | {"annotations": annotations_of(turn, content)},
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
        "usage": usage_of(turn),
    }


def chunk(turn: Turn, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """A piece of a streamed answer."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return _head(turn, "chat.completion.chunk") | {"choices": [choice]}


def usage_chunk(turn: Turn) -> dict[str, Any]:
    return _head(turn, "chat.completion.chunk") | {"choices": [], "usage": usage_of(turn)}


def _head(turn: Turn, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{turn.pk.hex}",
        "object": kind,
        "created": int(turn.created.timestamp()),
        "model": NAME.format(turn.conversation.datasource_id),
    }


def model_json(number: int, name: str, created: float) -> dict[str, Any]:
    return {
        "id": NAME.format(number),
        "object": "model",
        "created": int(created),
        "owned_by": "svq",
        "name": name,
    }
