"""Asking a chat model about many texts: concurrent, patient with the server; and reading passages that way.

Nothing here knows the database; graph.extraction.answers and judging keep what comes out.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Generic, TypeVar

from asgiref.sync import async_to_sync, sync_to_async
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from graph.extraction.llm.schema import ModelAnswer, Unreadable, parse, schema
from graph.values.ontology import Types
from jobs import loop_tasks
from providers.openai.tokens import estimated_tokens
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from providers.rate_limiter import RateLimiter
from providers.spending.allowance import OverLimit
from text.prompt import render

PROMPT = Path(__file__).resolve().parents[2] / "prompts" / "extract_graph.md"
CORRECTION = Path(__file__).resolve().parents[2] / "prompts" / "correct_graph.md"
ATTEMPTS = 6  # at one request, when the server fails
FIRST_WAIT = 1.0  # seconds before the second attempt; doubled before each further one
PATIENCE = 600.0  # seconds that a busy server may answer nobody
GIVE_UP = 5  # passages that fail one after the other: then the cause is not in the passages
LONGEST_ERROR = 500
TICK = 1.0  # seconds
GATHER = 0.02  # seconds that an outcome waits for others, to be stored with them

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[Answer]):
    """What became of one text: what the model answered, and for how much, or the reason why not."""

    text: str
    reading: Answer | None
    usage: Usage
    error: str = ""


@dataclass(slots=True, kw_only=True)
class Asker(Generic[Answer]):
    """A chat model with what it is asked about each text. Where it stops before the last, `gave_up` says why,
    or its budget has no room for more and it is held.
    """

    model: StructuredModel
    concurrency: int = 8
    gave_up: str = ""
    is_held: bool = False
    limiter: RateLimiter = field(init=False)
    system: str = field(init=False)
    schema: dict[str, object] = field(init=False)
    prompt_hash: str = field(init=False)  # another whenever the model would be asked something else

    def prepare(self, system: str, schema: dict[str, object]) -> None:
        """Settle what the model is told and the shape of its answers."""
        self.limiter = RateLimiter(address=self.model.address)
        self.system, self.schema = system, schema
        asked = system + CORRECTION.read_text(encoding="utf-8") + json.dumps(schema, sort_keys=True)
        self.prompt_hash = hashlib.sha256(asked.encode()).hexdigest()

    def parse(self, answer: str) -> Answer:
        """What the model has written. Raises Unreadable."""
        raise NotImplementedError

    @property
    def overhead(self) -> int:
        """Estimated tokens that every call costs besides its text."""
        return estimated_tokens(self.system) + estimated_tokens(json.dumps(self.schema))

    def read_all(self, texts: Iterable[str], keep: Callable[[list[Outcome[Answer]]], None]) -> None:
        """Read the texts as `read` does, and have outcomes kept before the next are looked at. What `keep`
        raises ends the reading.
        """
        async_to_sync(self._read_all)(texts, keep)

    async def _read_all(self, texts: Iterable[str], keep: Callable[[list[Outcome[Answer]]], None]) -> None:
        async with aclosing(self.read(texts)) as read:
            async for outcomes in read:
                await sync_to_async(keep)(outcomes)

    async def read(self, texts: Iterable[str]) -> AsyncGenerator[list[Outcome[Answer]]]:
        """Read the texts, `concurrency` at a time; outcomes come as they are ready, those together that come
        shortly after each other. Every second without any, the list is empty.

        `texts` is asked for the next one only when there is room for it. When several in a row fail for good,
        or the budget has no room for one, no more are begun; what it has no room for has no outcome.
        """
        failures = 0
        outcomes: list[Outcome[Answer]] = []
        running: set[asyncio.Task[Outcome[Answer] | None]] = set()
        source = iter(texts)
        async with self.model:
            try:
                while True:
                    while len(running) < self.concurrency and not (self.gave_up or self.is_held):
                        if (text := next(source, None)) is None:
                            break
                        running.add(asyncio.create_task(self._one(text)))
                    if not running:
                        break
                    ready, running = await asyncio.wait(
                        running, timeout=GATHER if outcomes else TICK, return_when=asyncio.FIRST_COMPLETED
                    )
                    for outcome in filter(None, [task.result() for task in ready]):
                        outcomes.append(outcome)
                        failures = 0 if outcome.reading else failures + 1
                        if failures >= GIVE_UP:
                            self.gave_up = outcome.error
                    if not ready or len(outcomes) >= self.concurrency:
                        yield outcomes
                        outcomes = []
                if outcomes:
                    yield outcomes
            finally:
                await loop_tasks.end(running)

    def asked(self, text: str) -> list[Message]:
        """What the model is sent about the text at first."""
        return [Message(role="system", content=self.system), Message(role="user", content=text)]

    async def _one(self, text: str) -> Outcome[Answer] | None:
        """Ask for an answer and, if it can't be read, once more with the reason. None where the budget has no
        room for either.
        """
        messages = self.asked(text)
        usage, error = Usage(), ""
        for _ in range(2):
            try:
                answer, cost = await self._ask(messages)
            except OverLimit:
                self.is_held = True
                return None
            except ProviderError as failure:
                error = failure.message
                break
            usage += _counted(cost, messages, answer)
            try:
                return Outcome(text=text, reading=self.parse(answer), usage=usage)
            except Unreadable as problem:
                error = f"The model's answer does not fit, twice: {problem} Try again, or use another model."
                messages += [
                    Message(role="assistant", content=answer),
                    Message(role="user", content=render(CORRECTION, problem=str(problem))),
                ]
        return Outcome(text=text, reading=None, usage=usage, error=error[:LONGEST_ERROR])

    async def _ask(self, messages: list[Message]) -> tuple[str, Usage]:
        """An answer, however often that takes a try. Raises ProviderError when waiting is in vain."""
        wait = wait_exponential_jitter(multiplier=FIRST_WAIT, jitter=FIRST_WAIT / 2)
        retrying = AsyncRetrying(
            retry=retry_if_exception(_is_passing), stop=stop_after_attempt(ATTEMPTS), wait=wait, reraise=True
        )
        return await retrying(self._ask_when_free, messages)

    async def _ask_when_free(self, messages: list[Message]) -> tuple[str, Usage]:
        """An answer as soon as the server has time: a busy server is everybody's wait, and no failure."""
        begun = monotonic()
        while True:
            entered = await self.limiter.enter()
            try:
                answer = await self.model.complete(messages, self.schema)
            except ProviderError as error:
                waited = monotonic() - max(self.limiter.answered, begun)
                if not _is_busy(error) or waited + (error.retry_after or 0.0) > PATIENCE:
                    raise
                await self.limiter.refused(entered, error.retry_after)
            else:
                await self.limiter.passed()
                return answer


def _is_busy(error: ProviderError) -> bool:
    return error.transient and (error.busy or error.retry_after is not None)


def _is_passing(error: BaseException) -> bool:
    """Whether the server has failed at this one request, which may succeed a little later."""
    return isinstance(error, ProviderError) and error.transient and not _is_busy(error)


@dataclass(slots=True, kw_only=True)
class ModelReader(Asker[ModelAnswer]):
    """A chat model that reads passages, with the types that it is to look for."""

    types: Types

    def __post_init__(self) -> None:
        self.prepare(
            render(
                PROMPT,
                entity_types=_lines(self.types.entities),
                relation_types=_lines(self.types.relations) or "Say it in your own words, in a word or two.",
            ),
            schema(self.types),
        )

    def parse(self, answer: str) -> ModelAnswer:
        return parse(answer, self.types)


def _lines(meanings: dict[str, str]) -> str:
    return "\n".join(f"- {name}: {meaning}" if meaning else f"- {name}" for name, meaning in meanings.items())


def _counted(usage: Usage, messages: list[Message], answer: str) -> Usage:
    """The server's count, or an estimate where it gives none."""
    if usage.prompt_tokens or usage.completion_tokens:
        return usage
    return Usage(
        prompt_tokens=sum(estimated_tokens(message.content) for message in messages),
        completion_tokens=estimated_tokens(answer),
    )
