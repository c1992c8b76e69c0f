"""The loop of an answer: a model, its tools, and at most five rounds. Knows no database and no request."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from chat.events import RoundStarted, ToolCalled, ToolReturned
from providers.prompt import render
from providers.protocols import (
    ChatModel,
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)

ROUNDS = {"agent": 5, "fast": 2}
PROMPTS = Path(__file__).parent / "prompts"
ANSWER = "answer"


class AnswerArguments(BaseModel):
    """Give the final answer. Ends the work."""

    answer: str = Field(description="Markdown, with /citation[KEY, QUOTE] right after each claim.")
    found: Literal["all", "some", "none"] = Field(
        default="all", description="Whether the passages answer the whole question, a part of it, or none."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool gave: `content` writes it for the model, hits and summary are for people.

    `content` is called once, in the order of the calls, so that what it says doesn't hang on which tool was
    quickest.
    """

    content: Callable[[], str]
    hits: int = 0
    summary: str = ""
    ok: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """The tools on offer and how to run one. `run` reports bad arguments as a result with ok=False."""

    specs: Sequence[ToolSpec]
    run: Callable[[str, Mapping[str, Any]], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerText:
    """The whole answer so far, as the model is writing it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The end: the raw answer with its citation tags."""

    text: str
    found: Literal["all", "some", "none"]
    usage: Usage


AgentEvent = RoundStarted | ToolCalled | ToolReturned | AnswerText | Answered


def answer_spec() -> ToolSpec:
    schema = AnswerArguments.model_json_schema()
    schema.pop("title", None)
    return ToolSpec(name=ANSWER, description=schema.pop("description"), parameters=schema)


async def run(
    model: ChatModel, toolbox: Toolbox, history: Sequence[Message], question: str, *, rounds: int
) -> AsyncGenerator[AgentEvent]:
    """Answer the question. Yields events as they happen, `Answered` last. Raises ProviderError."""
    messages = [
        Message(role="system", content=render(PROMPTS / "agent.md", rounds=rounds)),
        *history,
        Message(role="user", content=question),
    ]
    usage = Usage()
    for number in range(1, rounds + 1):
        last = number == rounds
        yield RoundStarted(round=number, rounds=rounds)
        if last and number > 1:
            messages.append(Message(role="user", content=render(PROMPTS / "last_round.md")))
        specs = [answer_spec()] if last else [*toolbox.specs, answer_spec()]
        reply: Reply | None = None
        async with aclosing(_reply(model, messages, specs)) as items:
            async for item in items:
                if isinstance(item, Reply):
                    reply = item
                else:
                    yield item
        if reply is None:
            raise ProviderError("The model server ended its reply too early.", transient=True)
        usage = usage + reply.usage
        if (answered := _answer_of(reply, usage, last=last)) is not None:
            yield answered
            return
        messages.append(Message(role="assistant", content=reply.content, tool_calls=reply.tool_calls))
        async for event in _run_tools(toolbox, reply.tool_calls, messages):
            yield event


async def _reply(
    model: ChatModel, messages: Sequence[Message], specs: Sequence[ToolSpec]
) -> AsyncGenerator[AnswerText | Reply]:
    """Stream one reply, showing the text inside `answer`'s arguments while it arrives."""
    arguments, plain = "", ""
    answering: int | None = None
    async with aclosing(model.stream(messages, specs, tool_choice="required")) as stream:
        async for item in stream:
            match item:
                case ToolCallDelta(name=name, index=index):
                    if name == ANSWER:
                        answering = index
                    if index == answering:
                        arguments += item.arguments
                        if text := partial_answer(arguments):
                            yield AnswerText(text=text)
                case TextDelta(text=text):
                    plain += text  # shown only once it is clear that no tool call follows
                case Reply():
                    if not item.tool_calls and plain.strip():
                        yield AnswerText(text=plain)
                    yield item


def partial_answer(arguments: str) -> str:
    """The `answer` text in JSON that is still arriving; empty before it begins."""
    try:
        value = from_json(arguments, allow_partial="trailing-strings")
    except ValueError:
        return ""
    answer = value.get("answer") if isinstance(value, dict) else None
    return answer if isinstance(answer, str) else ""


def _answer_of(reply: Reply, usage: Usage, *, last: bool) -> Answered | None:
    """The final answer in a reply, or None when it asks for tools. Plain text counts as an answer."""
    for call in reply.tool_calls:
        if call.name == ANSWER:
            try:
                given = AnswerArguments.model_validate_json(call.arguments)
            except ValidationError:
                given = AnswerArguments(answer=partial_answer(call.arguments), found="some")
            return Answered(text=given.answer, found=given.found, usage=usage)
    if reply.tool_calls and not last:
        return None
    return Answered(text=reply.content, found="all" if reply.content.strip() else "none", usage=usage)


async def _run_tools(
    toolbox: Toolbox, calls: Sequence[ToolCall], messages: list[Message]
) -> AsyncGenerator[ToolCalled | ToolReturned]:
    """Run all calls of a round together; results go to the messages in the order of the calls."""
    parsed = [(call, _arguments_of(call)) for call in calls]
    for call, arguments in parsed:
        yield ToolCalled(call_id=call.id, tool=call.name, arguments=arguments or {})
    finished: asyncio.Queue[tuple[ToolCall, ToolResult, int]] = asyncio.Queue()

    async def one(call: ToolCall, arguments: dict[str, Any] | None) -> None:
        begun = time.monotonic()
        if arguments is None:
            result = ToolResult(
                content=lambda: "The arguments were not a JSON object.", ok=False, summary="bad arguments"
            )
        else:
            result = await toolbox.run(call.name, arguments)
        await finished.put((call, result, round((time.monotonic() - begun) * 1000)))

    contents: dict[str, Callable[[], str]] = {}
    async with asyncio.TaskGroup() as group:
        for call, arguments in parsed:
            group.create_task(one(call, arguments))
        for _ in parsed:
            call, result, ms = await finished.get()
            contents[call.id] = result.content
            yield ToolReturned(
                call_id=call.id, tool=call.name, hits=result.hits, ms=ms, ok=result.ok, summary=result.summary
            )
    messages.extend(Message(role="tool", tool_call_id=call.id, content=contents[call.id]()) for call in calls)


def _arguments_of(call: ToolCall) -> dict[str, Any] | None:
    try:
        value = from_json(call.arguments or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
