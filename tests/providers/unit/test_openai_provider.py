"""Chat and embeddings through a server that speaks the OpenAI protocol."""

import asyncio
import contextlib
import json
import random
import ssl
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from providers.openai.chat import OpenAIChat
from providers.openai.embedder import OpenAIEmbedder
from providers.openai.structured import OpenAIStructured
from providers.protocols import (
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from tests.openai_server import (
    ScriptedOpenAI,
    ScriptedReply,
    error_reply,
    text_reply,
    tools_reply,
)

QUESTION = [Message(role="system", content="Answer."), Message(role="user", content="Who is Tiny Tim?")]
SEARCH = ToolSpec(
    name="search_chunks",
    description="Find passages.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)


def chat(server: ScriptedOpenAI, *, timeout: float = 20.0) -> OpenAIChat:
    return OpenAIChat(server.base_url, "secret", "gpt-x", timeout)


def listen(model: OpenAIChat, messages=QUESTION, tools=(SEARCH,)) -> tuple[list[Any], Reply]:
    """All deltas and the reply, in an event loop of its own."""

    async def collect() -> list[Any]:
        return [item async for item in model.stream(messages, tools)]

    *deltas, reply = asyncio.run(collect())
    assert isinstance(reply, Reply)
    return deltas, reply


def test_certificates_are_not_read_again_for_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes some 25 ms, in which an event loop does nothing else."""
    read = []
    load = ssl.SSLContext.load_verify_locations

    def counting(self: ssl.SSLContext, *args: Any, **named: Any) -> None:
        read.append(args)
        load(self, *args, **named)

    with ScriptedOpenAI([text_reply("Tiny Tim.", repeat=True)]) as server:
        listen(chat(server))
        monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", counting)
        for _ in range(3):
            listen(chat(server))
    assert not read


def structured(server: ScriptedOpenAI) -> str:
    """What a model says that is asked for JSON."""

    async def complete() -> str:
        async with OpenAIStructured(server.base_url, "secret", "gpt-x") as model:
            return (await model.complete(QUESTION, {}))[0]

    return asyncio.run(complete())


def failure(server: ScriptedOpenAI, **options: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        listen(chat(server, **options))
    return caught.value


def test_text_arrives_in_pieces_and_then_whole() -> None:
    text = "Tiny Tim is the youngest son of Bob Cratchit. “God bless us!”"
    with ScriptedOpenAI([text_reply(text)]) as server:
        deltas, reply = listen(chat(server))
    assert len(deltas) > 2
    assert all(isinstance(delta, TextDelta) for delta in deltas)
    assert "".join(delta.text for delta in deltas) == text
    assert reply == Reply(content=text, tool_calls=(), usage=Usage(prompt_tokens=7, completion_tokens=5))


def test_the_request_carries_conversation_tools_and_key() -> None:
    call = ToolCall(id="call_9", name="search_chunks", arguments='{"query": "Tim"}')
    messages = [
        *QUESTION,
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", content="Nothing found.", tool_call_id="call_9"),
    ]
    with ScriptedOpenAI([text_reply("Unknown.")]) as server:
        listen(chat(server), messages)
    [request] = server.requests
    assert server.authorizations == ["Bearer secret"]
    assert request["model"] == "gpt-x"
    assert [message["role"] for message in request["messages"]] == ["system", "user", "assistant", "tool"]
    assert request["messages"][2]["tool_calls"][0]["function"] == {
        "name": "search_chunks",
        "arguments": '{"query": "Tim"}',
    }
    assert request["messages"][3]["tool_call_id"] == "call_9"
    assert request["tools"][0]["function"]["parameters"]["required"] == ["query"]
    assert request["tool_choice"] == "required"


@pytest.mark.parametrize("told", [(-5000, 5), (10**20, 5), (7, -1)])
def test_counts_that_cannot_be_are_none(told: tuple[int, int]) -> None:
    with ScriptedOpenAI([text_reply("Sixty days.", usage=told)]) as server:
        _, reply = listen(chat(server))
    assert reply.usage == Usage()


def test_several_tool_calls_keep_their_arguments_apart() -> None:
    calls = (("search_chunks", {"query": "Tiny Tim’s illness"}), ("read_page", {"document": 3, "page": 12}))
    with ScriptedOpenAI([tools_reply(*calls)]) as server:
        deltas, reply = listen(chat(server))
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == list(calls)
    assert len({call.id for call in reply.tool_calls}) == 2
    for index, call in enumerate(reply.tool_calls):
        own = [delta for delta in deltas if isinstance(delta, ToolCallDelta) and delta.index == index]
        assert len(own) > 2
        assert {(delta.id, delta.name) for delta in own} == {(call.id, call.name)}
        assert "".join(delta.arguments for delta in own) == call.arguments


def test_arguments_that_are_not_json_reach_the_caller_unchanged() -> None:
    with ScriptedOpenAI([tools_reply(("search_chunks", '{"query": "Tim'))]) as server:
        _, reply = listen(chat(server))
    assert reply.tool_calls[0].arguments == '{"query": "Tim'


@pytest.mark.parametrize("number", [{"index": 0}, {}, None], ids=["one index for all", "no index", "indexed"])
@pytest.mark.parametrize(
    "own", [{"id": "call_0"}, {"id": ""}, {}], ids=["one id for all", "empty id", "no id"]
)
def test_calls_without_ids_of_their_own_get_some(number: dict[str, int] | None, own: dict[str, str]) -> None:
    deltas = [
        {
            "tool_calls": [
                {
                    **({"index": position} if number is None else number),
                    **own,
                    "function": {"name": "search", "arguments": json.dumps({"words": word})},
                }
            ]
        }
        for position, word in enumerate(["one", "two", "three"])
    ]
    with ScriptedOpenAI([ScriptedReply(deltas=deltas)]) as server:
        _, reply = listen(chat(server))
    assert [json.loads(call.arguments)["words"] for call in reply.tool_calls] == ["one", "two", "three"]
    assert len({call.id for call in reply.tool_calls}) == 3


@pytest.mark.parametrize("index", [{"index": 0}, {}], ids=["one index for all", "no index"])
def test_whole_calls_that_a_server_numbers_alike_are_told_apart_by_id(index: dict[str, int]) -> None:
    deltas = [
        {"tool_calls": [{**index, "id": name, "function": {"name": name, "arguments": "{}"}}]}
        for name in ("first", "second")
    ]
    with ScriptedOpenAI([ScriptedReply(deltas=deltas)]) as server:
        _, reply = listen(chat(server))
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        ("first", "first", "{}"),
        ("second", "second", "{}"),
    ]


def test_one_model_serves_one_event_loop_after_another() -> None:
    with ScriptedOpenAI([text_reply("one"), text_reply("two")]) as server:
        model = chat(server)
        assert [listen(model)[1].content for _ in range(2)] == ["one", "two"]


def test_a_server_that_does_not_count_tokens_still_answers() -> None:
    def answer(request: dict[str, Any]) -> ScriptedReply:
        if "stream_options" in request:
            return error_reply(400, "Unrecognized request argument supplied: stream_options")
        return text_reply("uncounted")

    with ScriptedOpenAI(answer) as server:
        _, reply = listen(chat(server))
    assert reply.content == "uncounted"
    assert reply.usage == Usage()
    assert server.requests[-1]["tool_choice"] == "required"


def test_without_tools_none_are_demanded() -> None:
    with ScriptedOpenAI([text_reply("prose")]) as server:
        listen(chat(server), tools=())
    assert not {"tools", "tool_choice"} & server.requests[0].keys()


def test_too_many_requests_is_transient_and_says_how_long_to_wait() -> None:
    with ScriptedOpenAI([error_reply(429, retry_after=3)]) as server:
        error = failure(server)
    assert (error.transient, error.retry_after) == (True, 3.0)
    assert len(server.requests) == 1, "the caller decides when to try again"


def test_a_server_is_left_alone_for_as_long_as_it_asks() -> None:
    with ScriptedOpenAI([error_reply(429, retry_after=30), text_reply("now")]) as server:
        first, second = failure(server), failure(server)
        other = OpenAIChat(server.base_url, "another key", "gpt-x")
        assert listen(other, tools=())[1].content == "now", "one key's limit is not that of another"
    assert len(server.requests) == 2
    assert "in 30 seconds, as it asks" in first.message
    assert 29 < (second.retry_after or 0) < 30
    assert (second.busy, second.transient) == (True, True)


def test_a_server_is_asked_again_when_its_time_is_over() -> None:
    with ScriptedOpenAI([error_reply(503, retry_after=0.05), text_reply("now")]) as server:
        failure(server)
        sleep(0.06)
        listen(chat(server), tools=())
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "7"}, 7.0),
    ],
)
def test_each_way_to_ask_for_a_wait_is_understood(headers: dict[str, str], seconds: float | None) -> None:
    with ScriptedOpenAI([error_reply(429, headers=headers)]) as server:
        assert failure(server).retry_after == seconds


def test_a_retry_date_is_understood() -> None:
    with ScriptedOpenAI([error_reply(503, retry_after="Wed, 01 Jan 2020 00:00:00 GMT")]) as server:
        assert failure(server).retry_after == 0.0


@pytest.mark.parametrize(
    ("reply", "transient", "words"),
    [
        (error_reply(500), True, "500"),
        (error_reply(409), True, "409"),
        (error_reply(401, "Incorrect API key: secret"), False, "API key"),
        (error_reply(404, "The model gpt-x does not exist"), False, "gpt-x"),
        (error_reply(429, code="insufficient_quota"), False, "credit"),
        (ScriptedReply(text="A long answer that breaks.", drop_after=2), True, "connection"),
    ],
    ids=lambda value: f"{value.status}{value.code or ''}" if isinstance(value, ScriptedReply) else None,
)
def test_failures_say_what_happened_and_whether_to_try_again(
    reply: ScriptedReply, transient: bool, words: str
) -> None:
    with ScriptedOpenAI([reply]) as server:
        error = failure(server)
    assert error.transient is transient
    assert words in error.message
    assert "secret" not in error.message


def test_a_refused_request_repeats_the_servers_reason() -> None:
    with ScriptedOpenAI(lambda _: error_reply(400, "Unsupported value: temperature.")) as server:
        error = failure(server)
    assert not error.transient
    assert "Unsupported value: temperature" in error.message


@pytest.mark.parametrize(
    "internal",
    [
        "http://10.1.2.3:8000/v1/chat",
        "10.1.2.3:8000",
        "gpu-node-7.internal",
        "modelserver",
        "sk-proj-abcdefghijklmnop",
        "abcdefghijklmnop",
        "/srv/models/llama",
        "x-api-key: hunterhunter",
        "Authorization: Bearer qwertyuiop",
        "{'host':'vault'}",
        "admin@corp.example",
        "＊.internal",
    ],
)
@pytest.mark.parametrize("status", [400, 404, 422])
def test_addresses_keys_and_headers_are_for_administrators_alone(status: int, internal: str) -> None:
    words = f"Request of 9000 tokens exceeds the limit at {internal} which is 8192, and the key was secret."
    with ScriptedOpenAI(lambda _: error_reply(status, words)) as server:
        error = failure(server)
        address = server.base_url
    for part in internal.replace(":", " ").split():
        assert part not in error.message
    assert address not in error.message
    assert "exceeds the limit at … which is 8192" in error.message
    assert internal in error.detail
    assert address in error.detail
    assert "secret" not in error.message + error.detail  # the key of this test


def test_where_no_server_answered_is_for_administrators_alone() -> None:
    with ScriptedOpenAI() as server:
        address = server.base_url
    error = failure(server)
    assert address.removeprefix("http://").partition("/")[0] not in error.message
    assert address in error.detail


def test_a_silent_server_is_given_up() -> None:
    with ScriptedOpenAI([text_reply("never", delay=30)]) as server:
        error = failure(server, timeout=0.2)
    assert error.transient
    assert "in time" in error.message


def test_no_server_at_all_is_transient() -> None:
    with ScriptedOpenAI() as server:
        pass
    error = failure(server)
    assert error.transient
    assert "cannot be reached" in error.message


def test_closing_the_stream_ends_the_request() -> None:
    async def first_word(model: OpenAIChat) -> None:
        async with contextlib.aclosing(model.stream(QUESTION, ())) as stream:
            async for _ in stream:
                return

    with ScriptedOpenAI([text_reply("word " * 2000, delay=0.005)]) as server:
        asyncio.run(first_word(chat(server)))
        for _ in range(200):
            if server.aborted:
                break
            server.stopping.wait(0.02)
        assert server.aborted == 1


def embedder(server: ScriptedOpenAI, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(server.base_url, "secret", "embed-x", **options)


def test_embeddings_keep_the_order_of_the_texts_over_several_requests() -> None:
    texts = ["ghost of marley", "tiny tim", "", "fezziwig’s ball", "tiny tim walks"]
    with ScriptedOpenAI() as server:
        model = embedder(server, batch=2)
        vectors = model.embed(texts)
        alone = np.concatenate([model.embed([text]) for text in texts])
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, model.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.allclose(vectors, alone)
    assert vectors[1] @ vectors[4] > vectors[1] @ vectors[0]
    assert [len(request["input"]) for request in server.embedding_requests[:3]] == [2, 2, 1]


def test_nothing_to_embed_is_an_empty_array() -> None:
    with ScriptedOpenAI() as server:
        assert embedder(server, dimensions=8).embed([]).shape == (0, 8)
    assert server.embedding_requests == []


def test_the_size_of_vectors_can_be_chosen_or_learnt() -> None:
    with ScriptedOpenAI(dimensions=48) as server:
        assert embedder(server).dimensions == 48
        assert embedder(server, dimensions=16).embed(["tim"]).shape == (1, 16)
    assert server.embedding_requests[-1]["dimensions"] == 16


def test_vectors_of_the_wrong_size_are_refused() -> None:
    refusal = error_reply(400, "This model does not support specifying dimensions.")
    expected = r"48 numbers per text where 1,024 are expected"
    with (
        ScriptedOpenAI(embeddings=[refusal], dimensions=48) as server,
        pytest.raises(ProviderError, match=expected) as caught,
    ):
        embedder(server, dimensions=1024).embed(["tim"])
    assert not caught.value.transient


def test_embedding_failures_are_provider_errors() -> None:
    with (
        ScriptedOpenAI(embeddings=[error_reply(429, retry_after=2)]) as server,
        pytest.raises(ProviderError) as caught,
    ):
        embedder(server).embed(["tim"])
    assert (caught.value.transient, caught.value.retry_after) == (True, 2.0)


def test_the_scripted_server_runs_as_a_program(tmp_path: Path) -> None:
    script = tmp_path / "replies.json"
    script.write_text(
        json.dumps(
            [
                {"text": "About Scrooge.", "when": "Scrooge", "repeat": True},
                {"tools": [["search_chunks", {"query": "Tim"}]]},
            ]
        )
    )
    command = [sys.executable, "-m", "tests.openai_server", "--port", "0", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            model = OpenAIChat(process.stdout.readline().strip(), "", "gpt-x")
            assert listen(model)[1].tool_calls[0].name == "search_chunks"
            assert listen(model, [Message(role="user", content="Scrooge?")])[1].content == "About Scrooge."
        finally:
            process.terminate()


def stalled(error: ProviderError) -> bool:
    return error.stalled and error.transient and error.code == "model_timeout"


def test_a_server_that_does_not_begin_is_given_up_after_half_of_the_time() -> None:
    with ScriptedOpenAI([text_reply("never", delay=5)]) as server:
        error = failure(server, timeout=0.6)
    assert stalled(error)
    assert "not begun" in error.message


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("<think>\nShould I {?}\n</think>\n\nSixty days.", "Sixty days."),
        ("The prompt began this thought.</think>Sixty days.", "Sixty days."),
        ("<THINKING>It was cut off", ""),
        ("Sixty < ninety days.", "Sixty < ninety days."),
        ("It thinks between <think> and </think>.", "It thinks between <think> and </think>."),
        ("Begun before.</think>Its tag is <think>.", "Its tag is <think>."),
    ],
)
def test_thoughts_in_the_text_are_no_part_of_the_answer(written: str, answer: str) -> None:
    with ScriptedOpenAI([text_reply(written, repeat=True)]) as server:
        assert listen(chat(server))[1].content == answer
        assert structured(server) == answer


def test_blanks_are_no_beginning() -> None:
    blanks = [{"role": "assistant", "content": ""}, *({"content": "\n "} for _ in range(50))]
    with ScriptedOpenAI([ScriptedReply(deltas=blanks, delay=0.1)]) as server:
        error = failure(server, timeout=1.2)
    assert stalled(error)
    assert "not begun" in error.message


def test_a_server_that_falls_silent_is_given_up_sooner() -> None:
    def words(request: dict[str, Any]) -> ScriptedReply:
        return text_reply("A word and then silence for a long time", delay=0.45)

    with ScriptedOpenAI(words) as server:
        error = failure(server, timeout=2.4)
    assert stalled(error)
    assert "fallen silent" in error.message


def test_an_answer_without_end_is_given_up() -> None:
    words = " ".join(map(str, random.Random(1).sample(range(10**6), 3000)))
    with ScriptedOpenAI([text_reply(words, delay=0.02)]) as server:
        error = failure(server, timeout=1.0)
    assert (error.stalled, error.code) == (True, "model_too_slow")
    assert "takes more than" in error.message


def test_thoughts_are_a_sign_of_life() -> None:
    deltas = [{"role": "assistant"}, *({"reasoning_content": "hm"} for _ in range(8)), {"content": "Yes."}]
    with ScriptedOpenAI([ScriptedReply(deltas=deltas, delay=0.1)]) as server:
        _, reply = listen(chat(server, timeout=1.8))
    assert reply.content == "Yes."


@pytest.mark.parametrize(
    "refusal",
    [
        error_reply(400, "Too many tokens.", code="context_length_exceeded"),
        error_reply(413, "Payload Too Large"),
        error_reply(
            400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."
        ),
        error_reply(500, "the request exceeds the available context size, try increasing it"),
        error_reply(422, "The prompt is too long: 9000 tokens > 8192 maximum"),
    ],
)
def test_a_question_that_is_too_long_is_told_from_other_refusals(refusal: ScriptedReply) -> None:
    """Asked once more at most, in case that the room for the reply was what did not fit."""
    with ScriptedOpenAI([replace(refusal, repeat=True)]) as server:
        error = failure(server)
    assert error.too_long
    assert not error.transient
    assert all("max_tokens" not in request for request in server.requests[1:])
    assert len(server.requests) <= 2
