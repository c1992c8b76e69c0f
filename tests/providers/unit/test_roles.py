"""Which model plays which role."""

from typing import Any

import pytest

from providers.embedders import embedder
from providers.roles import ModelRole, endpoint


@pytest.mark.parametrize("role", [ModelRole.AGENT, ModelRole.EXTRACTION, ModelRole.JUDGE])
def test_the_language_model_of_the_settings_answers_reads_and_judges(settings: Any, role: ModelRole) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = "http://llm.local/v1", "big", "secret"
    server = endpoint(None, role)
    assert server
    assert (server.base_url, server.model, server.timeout) == (
        "http://llm.local/v1",
        "big",
        settings.LLM_TIMEOUT,
    )
    assert "secret" not in repr(server)


def test_a_changed_embedding_server_is_used_at_once(settings: Any) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://a.local/v1", "first"
    first = embedder()
    settings.EMBEDDING_MODEL = "second"
    assert (first.name, embedder().name) == ("first", "second")
