"""The OpenAI protocol as it is really spoken: pieces cut anywhere, odd chunks, bodies of every shape."""

import asyncio
import json
import random
from typing import Any

import pytest

from providers.openai.chat import OpenAIChat
from providers.openai.structured import OpenAIStructured
from providers.protocols import Message, ProviderError, Reply, TextDelta, ToolCallDelta
from tests.openai_server import ScriptedOpenAI, ScriptedReply, text_reply, tools_reply

QUESTION = [Message(role="user", content="Who is Tiny Tim?")]
WORDS = {"query": "Müller & Söhne 株式会社 “quoted” \\ 🏴\u200d☠ \n end"}


def listen(server: ScriptedOpenAI) -> tuple[list[TextDelta | ToolCallDelta], Reply]:
    async def collect() -> list[Any]:
        model = OpenAIChat(server.base_url, "k", "gpt-x", 20.0)
        return [item async for item in model.stream(QUESTION, ())]

    *deltas, reply = asyncio.run(collect())
    return deltas, reply


def chunk(*choices: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [*choices],
        **more,
    }


def choice(finish: Any = None, **delta: Any) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 64])
def test_bytes_may_be_cut_anywhere(at_once: int) -> None:
    replies = [
        tools_reply(("search", WORDS), ("search", {}), at_once=at_once),
        text_reply("Größe 株", at_once=at_once),
    ]
    with ScriptedOpenAI(replies) as server:
        _, called = listen(server)
        deltas, written = listen(server)
    assert [json.loads(call.arguments) for call in called.tool_calls] == [WORDS, {}]
    assert (
        written.content
        == "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
        == "Größe 株"
    )


USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
ODD = {
    "a first chunk without choices, as Azure sends it": [
        chunk(prompt_filter_results=[]),
        chunk(choice(content="Yes.")),
        chunk(choice("stop")),
    ],
    "choices that are null": [
        {**chunk(), "choices": None},
        chunk(choice(content="Yes.")),
        chunk(choice("stop")),
    ],
    "a delta that is null": [
        chunk({"index": 0, "delta": None, "finish_reason": None}),
        chunk(choice(content="Yes.")),
        chunk({"index": 0, "delta": None, "finish_reason": "stop"}),
    ],
    "no delta at all": [
        chunk(choice(content="Yes.")),
        chunk({"index": 0, "finish_reason": "stop"}),
    ],
    "empty deltas and pieces": [
        chunk(choice(role="assistant", content="")),
        chunk(choice()),
        chunk(choice(content=None)),
        chunk(choice(content="Yes.")),
        chunk(choice(content="")),
        chunk(choice("stop")),
    ],
    "thoughts beside the answer": [
        chunk(choice(reasoning_content="Hm.")),
        chunk(choice(reasoning="Hm.", content=None)),
        chunk(choice(content="Yes.", reasoning_content=None)),
        chunk(choice("stop")),
    ],
    "tool calls that are null or empty": [
        chunk(choice(content="Yes.", tool_calls=None)),
        chunk(choice("stop", tool_calls=[])),
    ],
    "usage beside the last piece": [
        chunk(choice(content="Yes.")),
        chunk(choice("stop"), usage=USAGE),
    ],
    "usage in a chunk of its own": [
        chunk(choice(content="Yes.")),
        chunk(choice("stop")),
        chunk(usage=USAGE),
    ],
    "usage of nulls": [
        chunk(choice(content="Yes."), usage=None),
        chunk(choice("stop"), usage={"prompt_tokens": None}),
    ],
    "another choice, and other fields": [
        chunk(choice(content="Yes."), {"index": 1, "delta": {"content": "No."}}, fingerprint=None),
        chunk(choice("length")),
    ],
}


@pytest.mark.parametrize("chunks", ODD.values(), ids=ODD)
def test_odd_chunks_do_not_disturb_an_answer(chunks: list[Any]) -> None:
    with ScriptedOpenAI([ScriptedReply(chunks=chunks)]) as server:
        _, reply = listen(server)
    assert reply.content == "Yes."
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) in {(3, 2), (0, 0)}


@pytest.mark.parametrize(
    "function",
    [{"name": "search", "arguments": None}, {"name": "search"}, {"name": "search", "arguments": {"a": 1}}],
)
def test_a_call_whose_arguments_are_missing_or_no_text_is_still_a_call(function: dict[str, Any]) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": function}
    with ScriptedOpenAI(
        [ScriptedReply(chunks=[chunk(choice(tool_calls=[call])), chunk(choice("tool_calls"))])]
    ) as server:
        _, reply = listen(server)
    (made,) = reply.tool_calls
    assert made.name == "search"
    assert json.loads(made.arguments or "{}") == (function.get("arguments") or {})


BODIES = [
    b"",
    b"null",
    b"[]",
    b"[1, 2]",
    b'"words"',
    b"42",
    b"<html><h1>Bad gateway</h1></html>",
    b"\xff\xfe\x00",
    b'{"error": "words"}',
    b'{"error": null}',
    b'{"error": {"message": null}}',
    b'{"error": {"code": 42}}',
    b'{"error": ["a"]}',
    b'{"message": "words"}',
    b'{"detail": [{"msg": "words", "loc": ["body"]}]}',
    b'[{"error": {"code": 400, "message": "words"}}]',
    b"{" * 5000,
    b"words " * 5000,
]


@pytest.mark.parametrize("status", [200, 400, 401, 404, 413, 429, 502])
def test_answers_of_every_shape_are_told_in_words(status: int) -> None:
    body = b""
    with ScriptedOpenAI(lambda _: ScriptedReply(status=status, body=body)) as server:
        for body in BODIES:
            for ask in (listen, complete):
                with pytest.raises(ProviderError) as caught:
                    ask(server)
                assert "Nothing is lost" in caught.value.message, body
                assert len(caught.value.message) < 800, body


def complete(server: ScriptedOpenAI) -> str:
    async def ask() -> str:
        model = OpenAIStructured(server.base_url, "k", "gpt-x", 20.0)
        async with model:
            return (await model.complete(QUESTION, {"type": "object"}))[0]

    return asyncio.run(ask())


AT_RANDOM = list(map(str, random.Random(1).sample(range(10**7), 70_000)))


@pytest.mark.parametrize(
    "reply",
    [
        ScriptedReply(chunks=[chunk(choice(content=" ".join(AT_RANDOM)))] * 3),
        ScriptedReply(body=b"data: " + b"A" * 34_000_000),
        tools_reply(*[("search", {"query": str(n)}) for n in range(300)]),
    ],
    ids=["words", "a line", "calls"],
)
def test_an_answer_without_end_is_stopped(reply: ScriptedReply) -> None:
    with (
        ScriptedOpenAI([reply]) as server,
        pytest.raises(ProviderError, match="more than any answer should have"),
    ):
        listen(server)


def test_a_whole_answer_that_is_too_large_is_not_read() -> None:
    with (
        ScriptedOpenAI([ScriptedReply(body=b" " * 34_000_000)]) as server,
        pytest.raises(ProviderError, match="more than any answer should have") as caught,
    ):
        complete(server)
    assert not caught.value.transient
