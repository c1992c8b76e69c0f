"""Tests a model before it is used: finds out by asking what it can do. The calls are charged."""

import asyncio
import json
import time
from collections.abc import Awaitable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

from asgiref.sync import async_to_sync

from providers.connections.services import Offer
from providers.cross_encoders import reranker_at
from providers.embedders import embedder_at
from providers.language_models import chat_at, structured_at
from providers.ocr_server import read_sample
from providers.openai.windows import window_of
from providers.protocols import (
    ChatModel,
    Embedder,
    Message,
    ProviderError,
    Reply,
    Reranker,
    StructuredModel,
    TextDelta,
    ToolSpec,
)
from providers.roles import Endpoint, ModelRole
from providers.spending.metering import Payer
from providers.spending.models import EVERYWHERE, Purpose
from providers.text_recognisers import recogniser_at

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The abilities of a language model; what was found out about another model; why the test failed."""

    ability: Ability | None = None
    found_out: str = ""
    failure: str = ""


def tried(
    offer: Offer,
    role: ModelRole | None,
    person: int | None,
    datasource: int = EVERYWHERE,
    *,
    public_only: bool = False,
) -> Outcome:
    """Ask the server for what the role needs. The cost is charged to the person."""
    payer = Payer(person=person or 0, datasource=datasource, purpose=Purpose.TESTS, waits=True)
    server = Endpoint(
        base_url=offer.address,
        api_key=offer.key,
        model=offer.model,
        timeout=PATIENCE,
        price_input=offer.price_input,
        price_output=offer.price_output,
        public_only=public_only,
    )
    try:
        match role:
            case ModelRole.EMBEDDINGS:
                return Outcome(found_out=_embeds(embedder_at(server, payer)))
            case ModelRole.RERANK:
                return Outcome(found_out=_ranks(reranker_at(server, payer)))
            case ModelRole.OCR:
                return Outcome(found_out=read_sample(recogniser_at(server, payer)))
        return Outcome(ability=async_to_sync(_writes)(server, payer))
    except ProviderError as error:
        return Outcome(failure=error.message)
    except TimeoutError:
        return Outcome(failure=f"The server does not answer within {PATIENCE:.0f} seconds.")


async def _writes(server: Endpoint, payer: Payer) -> Ability:
    """Raises ProviderError when it does not answer at all; the rest are abilities it lacks."""
    chat, structured = chat_at(server, payer), structured_at(server, payer)
    ability = await asyncio.wait_for(_first_words(chat), PATIENCE)
    calls, formatted = await asyncio.gather(
        _within(_calls(chat), default=0), _within(_keeps_format(structured), default=False)
    )
    window = await asyncio.to_thread(  # the model is loaded by now
        window_of, server.base_url, server.api_key, server.model, fresh=True, public_only=server.public_only
    )
    return replace(ability, forced=calls > 0, parallel=calls > 1, formatted=formatted, window=window)


async def _first_words(chat: ChatModel) -> Ability:
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


async def _calls(chat: ChatModel) -> int:
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


async def _keeps_format(structured: StructuredModel) -> bool:
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


def _embeds(model: Embedder) -> str:
    """What its vectors are, in words. Raises ProviderError."""
    begun = time.monotonic()
    vectors = model.embed(["rent", "notice"])
    took = time.monotonic() - begun
    return f"Vectors of {vectors.shape[1]:,} numbers, after {took:.1f} s."


def _ranks(model: Reranker) -> str:
    """Whether it prefers the passage that answers, in words. Raises ProviderError."""
    begun = time.monotonic()
    texts = ["Rent is due on the first day of a month.", "The cat sleeps."]
    first, second = model.score("When is rent due?", texts)
    took = time.monotonic() - begun
    said = "It prefers the passage that answers" if first > second else "It does not prefer what answers"
    return f"{said}, after {took:.1f} s."
