"""What reading with a model may cost: nothing is begun that does not fit, and real costs replace guesses."""

from decimal import Decimal
from typing import Any

import pytest

from graph.extraction.llm.budget import Budget, Costs, price
from providers.protocols import Usage

TEXT = "x" * 400  # 100 tokens by estimate


def budget(tokens: int | None = None, money: Decimal | None = None) -> Budget:
    return Budget(tokens_left=tokens, money_left=money, costs=Costs(overhead=50, answer=150))


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


def test_calls_are_reserved_while_they_fit() -> None:
    left = budget(tokens=700)
    assert left.reserve(TEXT)
    assert left.reserve(TEXT)
    assert left.tokens_left == 100
    assert not left.reserve(TEXT)
    assert left.exhausted
    assert left.tokens_left == 100


def test_a_call_that_fits_exactly_is_made() -> None:
    left = budget(tokens=300)
    assert left.reserve(TEXT)
    assert (left.tokens_left, left.exhausted) == (0, False)


def test_money_runs_out_too(priced: None) -> None:
    left = budget(money=Decimal("0.003"))
    assert left.reserve(TEXT)  # 150 tokens sent, 150 written: 0.0018
    assert left.money_left == Decimal("0.0012")
    assert not left.reserve(TEXT)


def test_what_was_paid_takes_the_place_of_what_was_expected() -> None:
    left = budget(tokens=700)
    left.reserve(TEXT)
    left.settle(TEXT, Usage(prompt_tokens=140, completion_tokens=20))
    assert left.tokens_left == 700 - 160


def test_without_a_limit_everything_fits() -> None:
    left = budget()
    assert all(left.reserve(TEXT) for _ in range(100))
    assert not left.exhausted
