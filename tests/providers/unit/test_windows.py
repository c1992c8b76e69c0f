"""How much a model reads at once, as servers of all kinds tell it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from providers.openai import windows
from providers.openai.windows import OLLAMA_DEFAULT, window_of
from tests.openai_server import MODEL, ScriptedOpenAI


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    windows.known.clear()


@pytest.mark.parametrize(
    ("listed", "others", "window"),
    [
        ({"max_model_len": 8192}, {}, 8192),  # vLLM
        ({"context_length": 131_072}, {}, 131_072),  # OpenRouter
        ({"context_window": 32_768}, {}, 32_768),  # Groq
        ({}, {"/api/ps": {"models": [{"name": MODEL, "context_length": 16_384}]}}, 16_384),  # Ollama, loaded
        (
            {},
            {"/api/ps": {"models": []}, "/api/show": {"model_info": {}, "parameters": "num_ctx   2048"}},
            2048,
        ),
        ({}, {"/api/show": {"model_info": {"llama.context_length": 131_072}}}, OLLAMA_DEFAULT),
        ({}, {"/api/show": {"model_info": {}, "parameters": f"num_ctx {'9' * 5000}"}}, OLLAMA_DEFAULT),
        (
            {},
            {f"/api/v0/models/{MODEL}": {"max_context_length": 9, "loaded_context_length": 7}},
            7,
        ),  # LM Studio
        ({}, {"/props": {"default_generation_settings": {"n_ctx": 4100}}}, 4100),  # llama.cpp
        ({"context_length": "many"}, {"/api/ps": ["?"], "/props": {"default_generation_settings": 3}}, None),
        ({}, {}, None),
    ],
)
def test_servers_tell_it_in_their_own_ways(listed: Any, others: Any, window: int | None) -> None:
    with ScriptedOpenAI(listed=listed, others=others) as server:
        assert window_of(server.base_url, "", MODEL) == window


def test_a_server_is_asked_once_and_one_that_is_away_tells_nothing() -> None:
    with ScriptedOpenAI(listed={"max_model_len": 8192}) as server:
        address = server.base_url
        assert window_of(address, "", MODEL) == 8192
    assert window_of(address, "", MODEL) == 8192
    assert window_of(address, "", "another") is None


def test_of_many_turns_that_begin_together_one_asks_the_server() -> None:
    with ScriptedOpenAI(listed={"max_model_len": 8192}) as server, ThreadPoolExecutor(8) as turns:
        told = [turns.submit(window_of, server.base_url, "", MODEL) for _ in range(8)]
        assert {each.result() for each in told} == {8192}
        assert len(server.authorizations) == 1
