"""Whether the server of a model answers, as the settings tell it."""

from typing import Any

import pytest
from django.utils.translation import get_language, override

from providers import health
from providers.health import health_of
from providers.roles import Endpoint, ModelRole
from tests.openai_server import MODEL, ScriptedOpenAI


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    health.known.clear()


def told(address: str, model: str = MODEL, role: ModelRole = ModelRole.AGENT) -> str:
    server = Endpoint(base_url=address, api_key="key", model=model, timeout=60)
    return health_of(server, role).told


@pytest.mark.parametrize(
    ("listed", "model", "expected"),
    [
        ({}, MODEL, "Answers, "),
        ({"id": "llama3:latest"}, "llama3", "Answers, "),
        ({"id": "models/gemini-pro"}, "gemini-pro", "Answers, "),
        ({}, "another", "Not in its list"),
        ({}, "", "Answers, "),  # a server that has one model alone need not be told its name
    ],
)
def test_a_server_that_answers_is_told_from_one_without_the_model(
    listed: dict[str, Any], model: str, expected: str
) -> None:
    with ScriptedOpenAI(listed=listed) as server:
        assert told(server.base_url, model).startswith(expected)


def test_only_where_the_protocol_has_a_list_is_one_missed() -> None:
    with ScriptedOpenAI() as server:
        address = server.base_url.removesuffix("/v1")
        assert told(address) == "Lists no models"
        health.known.clear()
        assert told(address, role=ModelRole.RERANK).startswith("Answers, ")


def test_a_server_with_too_many_requests_is_busy() -> None:
    with ScriptedOpenAI(list_status=429) as server:
        assert told(server.base_url) == "Busy"
        health.known.clear()
        assert told(server.base_url, role=ModelRole.RERANK) == "Busy"


def test_a_server_is_asked_once_by_many_who_look() -> None:
    with ScriptedOpenAI() as server:
        assert told(server.base_url) == told(server.base_url)
        assert len(server.authorizations) == 1
    health.known.clear()
    assert told(server.base_url) == "Fails"


def test_each_language_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_", lambda words: f"{get_language()}: {words}")
    with ScriptedOpenAI() as server:
        with override("en"):
            assert told(server.base_url).startswith("en: Answers")
        with override("de"):
            assert told(server.base_url).startswith("de: Answers")
