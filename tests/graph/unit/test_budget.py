"""What reading with a model is expected to cost."""

from decimal import Decimal
from typing import Any

import pytest

from graph.extraction.llm.budget import Costs, price
from providers.protocols import Usage


@pytest.fixture
def priced(settings: Any) -> None:
    settings.LLM_BASE_URL = "http://llm.local/v1"
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = Decimal(2), Decimal(10)


def test_a_price_is_per_million_tokens(priced: None) -> None:
    assert price(Usage(prompt_tokens=500_000, completion_tokens=100_000)) == Decimal(2)


def test_without_prices_no_cost_is_known(settings: Any) -> None:
    settings.LLM_BASE_URL = "http://llm.local/v1"
    assert price(Usage(prompt_tokens=500_000)) is None


def test_an_answer_is_guessed_from_its_passage_until_it_has_been_measured() -> None:
    short, long = Costs(overhead=50, answer=None).of("x"), Costs(overhead=50, answer=None).of("x" * 4000)
    assert (short.prompt_tokens, short.completion_tokens) == (51, 150)
    assert (long.prompt_tokens, long.completion_tokens) == (1050, 1200)
    assert Costs(overhead=50, answer=70).of("x" * 4000).completion_tokens == 70
