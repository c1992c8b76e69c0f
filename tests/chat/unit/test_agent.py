"""The agent's loop against a server that speaks the OpenAI protocol: rounds, tools, and how it ends."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from chat.answering import agent
from chat.answering.agent import Answered, AnswerText, Toolbox, ToolResult, partial_answer
from chat.events import RoundStarted, ToolCalled, ToolReturned
from providers.openai.chat import OpenAIChat
from providers.protocols import Message, ProviderError, ToolSpec
from tests.openai_server import ScriptedOpenAI, error_reply, text_reply, tools_reply

SPECS = [
    ToolSpec(name="search_chunks", description="d", parameters={"type": "object", "properties": {}}),
    ToolSpec(name="search_literal", description="d", parameters={"type": "object", "properties": {}}),
]


def answer(rounds: int, *replies: Any, delay: float = 0.0) -> tuple[list[Any], list[dict[str, Any]]]:
    """Run the agent over scripted replies; gives its events and the requests that the server saw."""

    async def tool(name: str, arguments: Mapping[str, Any]) -> ToolResult:
        await asyncio.sleep(delay)
        if name == "search_literal":
            return ToolResult(content=lambda: "no such words", ok=False, summary="nothing")
        return ToolResult(
            content=lambda: json.dumps({"passages": [arguments.get("query")]}), hits=1, summary="A"
        )

    async def collect(url: str) -> list[Any]:
        model = OpenAIChat(base_url=url, api_key="k", model="m")
        toolbox = Toolbox(specs=SPECS, run=tool)
        history = [Message(role="user", content="before"), Message(role="assistant", content="then")]
        return [event async for event in agent.run(model, toolbox, history, "Why?", rounds=rounds)]

    with ScriptedOpenAI(list(replies)) as server:
        events = asyncio.run(collect(server.base_url))
        return events, list(server.requests)


def kinds(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_search_then_answer() -> None:
    events, requests = answer(
        5,
        tools_reply(("search_chunks", {"query": "why"}), ("search_literal", {"words": "x"})),
        tools_reply(("answer", {"answer": "Because. /citation[c1, so]", "found": "all"})),
    )
    assert kinds(events[:3]) == ["RoundStarted", "ToolCalled", "ToolCalled"]
    returned = {event.tool: event for event in events if isinstance(event, ToolReturned)}
    assert (returned["search_chunks"].hits, returned["search_literal"].ok) == (1, False)
    end = events[-1]
    assert isinstance(end, Answered)
    assert (end.text, end.found) == ("Because. /citation[c1, so]", "all")
    assert end.usage.prompt_tokens > 0
    assert [m["role"] for m in requests[0]["messages"]] == ["system", "user", "assistant", "user"]
    assert requests[0]["tool_choice"] == "required"
    assert {tool["function"]["name"] for tool in requests[0]["tools"]} == {
        "search_chunks",
        "search_literal",
        "answer",
    }
    told = [m for m in requests[1]["messages"] if m["role"] == "tool"]
    assert [json.loads(told[0]["content"]), told[1]["content"]] == [{"passages": ["why"]}, "no such words"]


def test_a_model_reads_the_same_whichever_tool_was_quicker() -> None:
    written: list[str] = []

    async def tool(name: str, arguments: Mapping[str, Any]) -> ToolResult:
        await asyncio.sleep(0.05 if arguments["query"] == "slow" else 0)

        def content() -> str:
            written.append(arguments["query"])
            return f"number {len(written)}"

        return ToolResult(content=content)

    async def collect(url: str) -> list[Any]:
        model = OpenAIChat(base_url=url, api_key="k", model="m")
        return [e async for e in agent.run(model, Toolbox(specs=SPECS, run=tool), [], "Why?", rounds=5)]

    calls = tools_reply(("search_chunks", {"query": "slow"}), ("search_chunks", {"query": "quick"}))
    with ScriptedOpenAI([calls, tools_reply(("answer", {"answer": "x", "found": "all"}))]) as server:
        asyncio.run(collect(server.base_url))
        told = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert written == ["slow", "quick"]
    assert told == ["number 1", "number 2"]


def test_the_calls_of_a_round_run_together() -> None:
    events, _ = answer(
        5,
        tools_reply(*[("search_chunks", {"query": str(n)}) for n in range(4)]),
        tools_reply(("answer", {"answer": "x", "found": "all"})),
        delay=0.2,
    )
    order = [type(e) for e in events if isinstance(e, ToolCalled | ToolReturned)]
    assert order == [ToolCalled] * 4 + [ToolReturned] * 4


def test_the_answer_is_seen_while_it_is_written() -> None:
    text = "The first part of a rather long answer, and then its second part."
    events, _ = answer(5, tools_reply(("answer", {"answer": text, "found": "some"})))
    seen = [event.text for event in events if isinstance(event, AnswerText)]
    assert len(seen) > 1
    assert all(text.startswith(part) for part in seen)
    assert events[-1].found == "some"


def test_the_last_round_offers_the_answer_alone() -> None:
    search = tools_reply(("search_chunks", {"query": "again"}))
    events, requests = answer(3, search, search, tools_reply(("answer", {"answer": "x", "found": "none"})))
    assert [event.round for event in events if isinstance(event, RoundStarted)] == [1, 2, 3]
    assert [tool["function"]["name"] for tool in requests[2]["tools"]] == ["answer"]
    assert "last round" in requests[2]["messages"][-1]["content"]
    assert events[-1].found == "none"


def test_a_model_that_keeps_searching_still_ends() -> None:
    search = tools_reply(("search_chunks", {"query": "again"}))
    events, requests = answer(2, search, search)
    assert len(requests) == 2
    assert isinstance(events[-1], Answered)
    assert events[-1].found == "none"


def test_plain_text_is_taken_as_the_answer() -> None:
    events, _ = answer(5, text_reply("Just so."))
    assert (events[-1].text, events[-1].found) == ("Just so.", "all")


def test_arguments_that_are_no_json_are_told_to_the_model() -> None:
    events, requests = answer(
        5,
        tools_reply(("search_chunks", "{not json")),
        tools_reply(("answer", {"answer": "x", "found": "all"})),
    )
    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert not returned.ok
    assert "not a JSON object" in requests[1]["messages"][-1]["content"]
    assert isinstance(events[-1], Answered)


def test_a_busy_server_is_a_passing_failure() -> None:
    with pytest.raises(ProviderError) as error:
        answer(5, error_reply(429, retry_after=1))
    assert error.value.transient


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("", ""),
        ('{"ans', ""),
        ('{"answer": "Ha', "Ha"),
        ('{"answer": "a\\', "a"),
        ('{"answer": "a\\nb", "fou', "a\nb"),
        ('{"found": "all", "answer": "x"}', "x"),
        ("[1, 2", ""),
    ],
)
def test_partial_answers(arguments: str, text: str) -> None:
    assert partial_answer(arguments) == text
