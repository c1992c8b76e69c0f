"""Tests a model before it is used: finds out by asking what it can do. The calls are charged."""

import asyncio
import json
import random
import secrets
import time
from collections.abc import Awaitable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from asgiref.sync import async_to_sync
from django.utils.translation import gettext, ngettext

from localization.numbers import numeral
from localization.stored import retold
from providers.charging import meter_of
from providers.connections.dialects import remember
from providers.connections.services import Offer
from providers.cross_encoders import reranker_at
from providers.embedders import embedder_at
from providers.language_models import spoken_to, structured_at, window_at
from providers.ocr_server import read_sample
from providers.openai.tokens import estimated_request
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
from providers.protocols.dialect import Dialect, Rung
from providers.roles import Endpoint, ModelRole
from providers.spending.metering import Meter, MeteredChat, Payer
from providers.spending.models import EVERYWHERE, Purpose
from providers.text_recognisers import recogniser_at

T = TypeVar("T")
FIRST = 150.0  # seconds for the first answer: a server may have to load the model
LONGEST = 300  # tokens of each reply: some servers write on when nobody listens any more
PATIENCE = 30.0  # seconds for each of the others
READING = 60.0  # seconds that a slow model may read for
QUESTION, PASSAGES, ANSWER = 6_000, 1_000, 150  # tokens of both requests, of one without tools; written
OF_FORMAT = 60, 30  # tokens that are read and written to find out whether it keeps to a format
SMALL_WINDOW = 4_000  # tokens
# Some 300 tokens, each time in another order.
LINES = [
    f"The tenant of flat {number} pays {number * 37 + 400} pounds on the {number % 27 + 1}th of each month."
    for number in range(1, 15)
]
ASKED = [Message(role="user", content="Count from one to twelve in words, separated by commas.")]
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

    `dialect`: how it is spoken to from now on; `parallel`: it makes more than one call in a step;
    `formatted`: keeps to a format; `window`: how many tokens it reads at once, None where its server does not
    tell.
    """

    first: float
    pieces_a_second: float
    streams: bool
    dialect: Dialect = field(default_factory=Dialect)
    parallel: bool = False
    formatted: bool = False
    window: int | None = None

    @property
    def lacks(self) -> tuple[str, ...]:
        """What people must know of before they use it, in sentences."""
        dialect = self.dialect
        lacks = []
        if dialect.rung == Rung.OFFERED:
            told = gettext("It cannot be made to call a search tool. Where it does not, SVQ searches for it.")
            lacks.append(told)
        if dialect.rung == Rung.SCHEMA:
            told = gettext(
                "It calls no tools. SVQ has it write its searches as JSON, which it may get wrong."
            )
            lacks.append(told)
        if dialect.rung == Rung.PLAIN:
            told = gettext(
                "It cannot search: it calls no tools and keeps to no format. SVQ searches for it, and finds "
                "the quotes for what it writes."
            )
            lacks.append(told)
        if dialect.is_slow:
            read, asked = numeral(dialect.reads), QUESTION if dialect.searches else PASSAGES
            seconds = dialect.seconds_to_read(asked) + dialect.seconds_to_write(ANSWER)
            told = gettext(
                "It is slow: it reads {read} tokens a second and writes {written}, so an answer takes about "
                "{time}."
            ).format(read=read, written=numeral(dialect.writes), time=_minutes(seconds))
            searched = (
                "" if dialect.searches or dialect.rung == Rung.PLAIN else gettext("SVQ searches for it.")
            )
            lacks.append(f"{told} {searched}".rstrip())
        if self.window is not None and self.window < SMALL_WINDOW:
            told = gettext("It reads only {tokens} tokens at once: most passages are left out.")
            lacks.append(told.format(tokens=numeral(self.window)))
        return tuple(lacks)

    @property
    def calls_tools(self) -> bool:
        return self.dialect.rung.takes_tools and self.dialect.searches

    @property
    def is_weak(self) -> bool:
        """Whether it is used only by somebody who has read what it lacks."""
        return not self.calls_tools


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return ngettext("{n} second", "{n} seconds", round(seconds)).format(n=f"{seconds:.0f}")
    return ngettext("{n} minute", "{n} minutes", round(seconds / 60)).format(n=f"{seconds / 60:.0f}")


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
    """Ask the server for what the role needs, and remember how a language model is spoken to. The cost is
    charged to the person.
    """
    payer = Payer(person=person or 0, datasource=datasource, purpose=Purpose.TESTS, waits=True)
    server = Endpoint(
        base_url=offer.address,
        api_key=offer.key,
        model=offer.model,
        timeout=FIRST,
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
        ability = async_to_sync(_writes)(server, payer)
        remember(server.base_url, server.model, ability.dialect)
        return Outcome(ability=ability)
    except ProviderError as error:
        return Outcome(failure=retold(error.message))
    except TimeoutError:
        told = ngettext(
            "The server does not answer within {n} second.",
            "The server does not answer within {n} seconds.",
            round(FIRST),
        ).format(n=f"{FIRST:.0f}")
        return Outcome(failure=told)


async def _writes(server: Endpoint, payer: Payer) -> Ability:
    """Raises ProviderError when it does not answer at all; the rest are abilities it lacks."""
    meter = meter_of(server, payer)
    dialect = Dialect()
    try:
        ability = await asyncio.wait_for(_first_words(_spoken_to(server, dialect, meter)), FIRST)
    except ProviderError as error:
        if not error.cut:  # as one is that was asked for a stream and sends none
            raise
        dialect = Dialect(streams=False)
        ability = await asyncio.wait_for(_first_words(_spoken_to(server, dialect, meter)), FIRST)
    reads = await _reading(_spoken_to(server, dialect, meter))
    dialect = replace(dialect, reads=round(reads, 1), writes=round(ability.pieces_a_second, 1))
    # It takes minutes, and changes nothing, to find out whether a model calls tools that is too slow for it.
    rung, calls = (dialect.rung, 0) if dialect.is_too_slow_to_search else await _rung(server, dialect, meter)
    patience = max(PATIENCE, *dialect.patience(*OF_FORMAT))
    formatted = await _within(_keeps_format(structured_at(server, payer)), default=False, patience=patience)
    window = await asyncio.to_thread(  # the model is loaded by now
        window_at, server, fresh=True
    )
    return replace(
        ability,
        dialect=replace(dialect, rung=rung),
        parallel=calls > 1,
        formatted=formatted,
        window=window,
    )


def _spoken_to(server: Endpoint, dialect: Dialect, meter: Meter) -> MeteredChat:
    return MeteredChat(spoken_to(server, dialect, LONGEST), meter)


async def _rung(server: Endpoint, dialect: Dialect, meter: Meter) -> tuple[Rung, int]:
    """The highest rung on which it calls a tool, and how many calls it makes at once."""
    tried: set[Rung] = set()
    for rung in (Rung.FORCED, Rung.OFFERED, Rung.SCHEMA):
        model = spoken_to(server, replace(dialect, rung=rung), LONGEST)
        if model.rung in tried:  # the server has refused what is above
            continue
        calls = await _within(_calls(MeteredChat(model, meter)), default=0)
        tried.add(model.rung)
        if calls:
            return model.rung, calls
    return Rung.PLAIN, 0


async def _first_words(chat: ChatModel) -> Ability:
    started = time.perf_counter()
    times: list[float] = []
    whole, tokens = 0.0, 0
    async with aclosing(chat.stream(ASKED, [])) as pieces:
        async for piece in pieces:
            if isinstance(piece, TextDelta):
                times.append(time.perf_counter() - started)
            if isinstance(piece, Reply):
                if not piece.content.strip() and not times:
                    raise ProviderError(gettext("The server answers, but the model says nothing."))
                whole, tokens = time.perf_counter() - started, piece.usage.completion_tokens
    spent = times[-1] - times[0] if len(times) > 1 else 0.0
    pieces_a_second = (len(times) - 1) / spent if spent else tokens / whole if whole else 0.0
    return Ability(first=times[0], pieces_a_second=pieces_a_second, streams=len(times) > 1)


async def _reading(chat: ChatModel) -> float:
    """Tokens a second that it reads, from a text that its server cannot have in memory; the most that it can
    be where it takes too long, 0 where the server fails.
    """
    text = " ".join(random.sample(LINES, len(LINES)))
    asked = [Message(role="user", content=f"{secrets.token_hex(4)} {text}\nAnswer with the word “yes”.")]
    try:
        return await asyncio.wait_for(_measured(chat, asked), READING)
    except TimeoutError:
        return estimated_request(asked) / READING
    except ProviderError:
        return 0.0


async def _measured(chat: ChatModel, asked: Sequence[Message]) -> float:
    started = time.perf_counter()
    first = 0.0
    async with aclosing(chat.stream(asked, [])) as pieces:
        async for piece in pieces:
            first = first or time.perf_counter() - started
            if isinstance(piece, Reply):
                return (piece.usage.prompt_tokens or estimated_request(asked)) / first
    return 0.0


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


async def _within(asked: Awaitable[T], default: T, patience: float = PATIENCE) -> T:
    try:
        return await asyncio.wait_for(asked, patience)
    except (ProviderError, TimeoutError):
        return default


def _embeds(model: Embedder) -> str:
    """What its vectors are, in words. Raises ProviderError."""
    begun = time.monotonic()
    vectors = model.embed(["rent", "notice"])
    took = time.monotonic() - begun
    told = gettext("Vectors of {n} numbers, after {seconds} s.")
    return told.format(n=numeral(vectors.shape[1]), seconds=f"{took:.1f}")


def _ranks(model: Reranker) -> str:
    """Whether it prefers the passage that answers, in words. Raises ProviderError."""
    begun = time.monotonic()
    texts = ["Rent is due on the first day of a month.", "The cat sleeps."]
    first, second = model.score("When is rent due?", texts)
    took = time.monotonic() - begun
    said = (
        gettext("It prefers the passage that answers, after {seconds} s.")
        if first > second
        else gettext("It does not prefer what answers, after {seconds} s.")
    )
    return said.format(seconds=f"{took:.1f}")
