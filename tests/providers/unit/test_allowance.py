"""What calls may cost together is reserved before each, so that no limit is passed."""

from contextlib import ExitStack
from decimal import Decimal

import pytest

from providers.protocols import Usage
from providers.spending.allowance import Allowance, OverLimit
from providers.spending.prices import Prices

FREE = Prices()
DEAR = Prices(sent=Decimal(1_000), written=Decimal(10_000))  # 0.001 and 0.01 a token


def room(
    allowance: Allowance,
    sent: int = 100,
    spent: int = 0,
    paid: str = "0",
    prices: Prices = FREE,
    most: int | None = None,
) -> int | None:
    usage = Usage(prompt_tokens=spent)
    with allowance.reserved(sent, usage, Decimal(paid), prices, least=10, most=most) as reply:
        return reply


def test_without_a_limit_a_reply_may_have_any_length() -> None:
    assert room(Allowance(), sent=10**9, most=50) is None


def test_the_reply_gets_what_the_request_leaves() -> None:
    assert room(Allowance(tokens=1000), spent=500) == 1000 - 500 - 125  # the estimate may be too low
    assert room(Allowance(tokens=1000), spent=500, most=50) == 50


def test_a_call_that_does_not_fit_is_not_made() -> None:
    with pytest.raises(OverLimit):
        room(Allowance(tokens=1000), spent=900)


def test_calls_at_the_same_time_share_what_is_left() -> None:
    allowance = Allowance(tokens=1000)
    with ExitStack() as calls:
        for _ in range(4):
            calls.enter_context(allowance.reserved(100, Usage(), Decimal(0), FREE, least=10, most=100))
        with pytest.raises(OverLimit):
            room(allowance)
    assert room(allowance) == 875


def test_a_server_that_counts_more_than_was_estimated_is_believed() -> None:
    allowance = Allowance(tokens=1000)
    allowance.learn(100, Usage(prompt_tokens=200))
    assert room(allowance) == 800
    allowance.learn(100, Usage(prompt_tokens=50))
    assert room(allowance) == 800


def test_money_leaves_as_many_tokens_as_it_buys() -> None:
    allowance = Allowance(money=Decimal(1))
    allowance.learn(100, Usage(prompt_tokens=100))
    assert room(allowance, prices=DEAR, paid="0.4") == 50
    with pytest.raises(OverLimit):
        room(allowance, prices=DEAR, paid="0.85")
    assert room(allowance, prices=FREE) is None
