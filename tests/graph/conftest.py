"""Datasources whose graph is made, and the model that reads for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from datasources.models import Datasource
from datasources.services import create_datasource
from graph.extraction.llm import extractor
from graph.models import GraphExtractor, GraphSettings
from providers import rate_limiter
from tests.openai_server import ScriptedOpenAI
from tests.people import person


@pytest.fixture
def home(db: None) -> Datasource:
    return create_datasource(person("alice"), "Home")


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that a person would hardly notice."""
    for module in (rate_limiter, extractor):
        monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(rate_limiter, "FIRST_SPACING", 0.01)


@pytest.fixture
def halden(contracts: Datasource) -> Datasource:
    GraphSettings.objects.create(datasource=contracts, extractor=GraphExtractor.MODEL)
    return contracts


@pytest.fixture
def serve(settings: Any) -> Iterator[Callable[..., ScriptedOpenAI]]:
    """Give it a script; the server it starts is the configured chat model."""
    servers: list[ScriptedOpenAI] = []

    def begin(script: Any) -> ScriptedOpenAI:
        server = ScriptedOpenAI(script).__enter__()
        servers.append(server)
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "reader"
        return server

    yield begin
    for server in servers:
        server.__exit__()
