"""What a model can do, found out by asking it: a word, a search tool, two at once, a given format."""

import asyncio
import json
import time
from collections.abc import Awaitable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

from providers.openai.chat import OpenAIChat
from providers.openai.embedder import OpenAIEmbedder
from providers.openai.reranker import ServerReranker
from providers.openai.structured import OpenAIStructured
from providers.openai.windows import window_of
from providers.protocols import Message, ProviderError, Reply, TextDelta, ToolSpec

T = TypeVar("T")
PATIENCE = 30.0  # seconds for the first answer, and again for the other two together
ASKED = [Message(role="user", content="Count from one to thirty in words, separated by commas.")]
SEARCH_TWICE = [
    Message(
        role="user", content="Search for “rent” and, in the same step, for “notice”: call the tool twice."
    )
]
FORMAT = [Message(role="user", content='Answer with the JSON object {"colour": "blue"} and nothing else.')]
SEARCH = ToolSpec(
    name="search",
    description="Searches documents.",
    parameters={"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]},
)
SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """Seconds to the first piece, pieces a second after it, and what else was seen.

    `forced`: calls a tool when it must; `parallel`: more than one in a step; `formatted`: keeps to a format;
    `window`: how many tokens it reads at once, None where its server does not tell.
    """

    first: float
    pieces_a_second: float
    streams: bool
    forced: bool = False
    parallel: bool = False
    formatted: bool = False
    window: int | None = None


async def probe(address: str, key: str, model: str, *, public_only: bool = False) -> Ability:
    """Ask for real. Raises ProviderError when it does not answer at all; the rest are abilities it lacks."""
    chat = OpenAIChat(address, key, model, PATIENCE, public_only=public_only)
    structured = OpenAIStructured(address, key, model, PATIENCE, public_only=public_only)
    ability = await asyncio.wait_for(_first_words(chat), PATIENCE)
    calls, formatted = await asyncio.gather(
        _within(_calls(chat), default=0), _within(_keeps_format(structured), default=False)
    )
    window = await asyncio.to_thread(  # the model is loaded by now
        window_of, address, key, model, anew=True, public_only=public_only
    )
    return replace(ability, forced=calls > 0, parallel=calls > 1, formatted=formatted, window=window)


async def _first_words(chat: OpenAIChat) -> Ability:
    started = time.perf_counter()
    times: list[float] = []
    async with aclosing(chat.stream(ASKED, [])) as pieces:
        async for piece in pieces:
            if isinstance(piece, TextDelta):
                times.append(time.perf_counter() - started)
            if isinstance(piece, Reply) and not piece.content.strip() and not times:
                raise ProviderError("The server answers, but the model says nothing.")
    spent = times[-1] - times[0]
    return Ability(
        first=times[0], pieces_a_second=(len(times) - 1) / spent if spent else 0.0, streams=len(times) > 1
    )


async def _calls(chat: OpenAIChat) -> int:
    """How many calls it makes when it must call."""
    async with aclosing(chat.stream(SEARCH_TWICE, [SEARCH], tool_choice="required")) as pieces:
        async for piece in pieces:
            if isinstance(piece, Reply):
                calls = [call for call in piece.tool_calls if call.name == SEARCH.name]
                return sum(_is_search(call.arguments) for call in calls)
    return 0


def _is_search(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments)["words"], str)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


async def _keeps_format(structured: OpenAIStructured) -> bool:
    async with structured:
        answer, _ = await structured.complete(FORMAT, SCHEMA)
    try:
        return isinstance(json.loads(answer)["colour"], str)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


async def _within(asked: Awaitable[T], default: T) -> T:
    try:
        return await asyncio.wait_for(asked, PATIENCE)
    except (ProviderError, TimeoutError):
        return default


def probe_embeddings(address: str, key: str, model: str) -> str:
    """What its vectors are, in words. Raises ProviderError."""
    begun = time.monotonic()
    vectors = OpenAIEmbedder(address, key, model, timeout=PATIENCE).embed(["rent", "notice"])
    took = time.monotonic() - begun
    return f"Vectors of {vectors.shape[1]:,} numbers, after {took:.1f} s."


def probe_reranking(address: str, key: str, model: str) -> str:
    """Whether it prefers the passage that answers, in words. Raises ProviderError."""
    begun = time.monotonic()
    texts = ["Rent is due on the first day of a month.", "The cat sleeps."]
    first, second = ServerReranker(address, key, model, PATIENCE).score("When is rent due?", texts)
    took = time.monotonic() - begun
    said = "It prefers the passage that answers" if first > second else "It does not prefer what answers"
    return f"{said}, after {took:.1f} s."
