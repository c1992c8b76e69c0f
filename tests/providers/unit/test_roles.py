"""Which model plays which role."""

from typing import Any

import pytest

from providers.roles import LOCAL_EMBEDDER, ModelRole, chat_model, embedder, endpoint, structured_model


def test_without_settings_only_embeddings_are_made_here(settings: Any) -> None:
    assert [endpoint(None, role) for role in ModelRole] == [None] * len(ModelRole)
    assert chat_model() is None
    assert structured_model(None, ModelRole.JUDGE) is None
    assert embedder().name == LOCAL_EMBEDDER


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
    assert endpoint(None, ModelRole.EMBEDDINGS) is None


def test_a_changed_embedding_server_is_used_at_once(settings: Any) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://a.local/v1", "first"
    first = embedder()
    assert embedder() is first, "one embedder for the whole process"
    settings.EMBEDDING_MODEL = "second"
    assert (first.name, embedder().name) == ("first", "second")
