"""A server that refuses an extra is asked without it from then on: a refusal is paid for once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from providers.embedders import embedder
from providers.language_models import chat_model, structured_model
from providers.openai.refusals import refusals
from providers.protocols import Message, Reply, ToolSpec
from providers.roles import ModelRole
from tests.openai_server import ScriptedOpenAI, ScriptedReply, error_reply, text_reply

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = [Message(role="user", content="Who is Tiny Tim?")]
SEARCH = ToolSpec(name="search_chunks", description="Find passages.", parameters={"type": "object"})


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Iterator[None]:
    refusals.cache_clear()
    yield
    refusals.cache_clear()


def turn(server: ScriptedOpenAI, settings: Any) -> Reply:
    """One turn of a chat: every turn makes its model from the settings."""
    settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "gpt-x"
    model = chat_model()
    assert model

    async def listen() -> Reply:
        [*_, reply] = [item async for item in model.stream(QUESTION, [SEARCH])]
        assert isinstance(reply, Reply)
        return reply

    return asyncio.run(listen())


def test_forced_tools_are_refused_once_in_two_turns(settings: Any) -> None:
    def answer(request: dict[str, Any]) -> ScriptedReply:
        if request["tool_choice"] == "required":
            return error_reply(400, "Bad request")
        return text_reply("free")

    with ScriptedOpenAI(answer) as server:
        assert [turn(server, settings).content for _ in range(2)] == ["free", "free"]
    assert [request["tool_choice"] for request in server.requests] == ["required", "auto", "auto"]


def test_several_extras_are_refused_once_each_in_two_turns(settings: Any) -> None:
    def answer(request: dict[str, Any]) -> ScriptedReply:
        if "stream_options" in request:
            return error_reply(422, "Unrecognized request argument supplied: stream_options")
        if request["tool_choice"] == "required":
            return error_reply(400, "Bad request")
        return text_reply("plain")

    with ScriptedOpenAI(answer) as server:
        assert [turn(server, settings).content for _ in range(2)] == ["plain", "plain"]
    assert len(server.requests) == 4, "two refusals and an answer, then one request"


def test_a_request_that_fails_for_another_reason_teaches_nothing(settings: Any) -> None:
    with ScriptedOpenAI(
        [error_reply(400, "too long"), error_reply(400, "too long"), text_reply("short")]
    ) as server:
        with pytest.raises(Exception, match="too long"):
            turn(server, settings)
        turn(server, settings)
    assert [request["tool_choice"] for request in server.requests] == ["required", "auto", "required"]


def test_another_model_of_the_server_is_asked_for_everything(settings: Any) -> None:
    def answer(request: dict[str, Any]) -> ScriptedReply:
        old = request["model"] == "gpt-x" and request["tool_choice"] == "required"
        return error_reply(400, "Bad request") if old else text_reply("answer")

    with ScriptedOpenAI(answer) as server:
        turn(server, settings)
        settings.LLM_MODEL = "gpt-y"
        model = chat_model()
        assert model

        async def listen() -> None:
            _ = [item async for item in model.stream(QUESTION, [SEARCH])]

        asyncio.run(listen())
    assert [(request["model"], request["tool_choice"]) for request in server.requests] == [
        ("gpt-x", "required"),
        ("gpt-x", "auto"),
        ("gpt-y", "required"),
    ]


def test_strict_schemas_are_refused_once_in_two_jobs(settings: Any) -> None:
    def answer(request: dict[str, Any]) -> ScriptedReply:
        if request.get("response_format", {}).get("type") == "json_schema":
            return error_reply(400, "response_format json_schema is not supported")
        return text_reply("{}")

    def complete() -> str:
        model = structured_model(None, ModelRole.EXTRACTION)
        assert model

        async def asking() -> str:
            async with model:
                text, _ = await model.complete(QUESTION, {"type": "object"})
            return text

        return asyncio.run(asking())

    with ScriptedOpenAI(answer) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "reader"
        assert [complete() for _ in range(2)] == ["{}", "{}"]
    formats = [request["response_format"]["type"] for request in server.requests]
    assert formats == ["json_schema", "json_object", "json_object"]


def test_a_size_of_vectors_is_refused_once(settings: Any) -> None:
    refusal = error_reply(400, "This model does not support specifying dimensions.")
    with ScriptedOpenAI(embeddings=[refusal], dimensions=48) as server:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "vectors"
        settings.EMBEDDING_DIMENSIONS = 48
        assert embedder().embed(["tim"]).shape == (1, 48)
        assert embedder().embed(["bob"]).shape == (1, 48)
    assert ["dimensions" in request for request in server.embedding_requests] == [True, False, False]
