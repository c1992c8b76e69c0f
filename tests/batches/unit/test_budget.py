"""A budget: no request of a batch is sent that could go beyond it, however many are sent at once."""

import asyncio
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from batches.budget import Budget, check_priced
from providers.protocols import Usage
from providers.spending.allowance import OverLimit, asked_for
from providers.spending.metering import Meter, Payer
from providers.spending.prices import Prices
from tests.processes import PATIENCE

A_TOKEN = Prices(sent=Decimal(1_000_000), written=Decimal(1_000_000))  # costs 1


def meter(budget: Budget, reply: int, prices: Prices = A_TOKEN, dearest: int = 0) -> Meter:
    payer = Payer(allowance=budget.allowance(reply, [prices], (dearest, Decimal(0))))
    return Meter(payer=payer, model="m", host="h", price_input=prices.sent, price_output=prices.written)


async def _spend(meter: Meter, costs: list[int], at_once: int, sent: int = 0) -> list[int]:
    """What replies have cost when so many things of a batch ask for them."""
    waiting, spent = list(costs), []

    async def ask() -> None:
        while waiting:
            cost = waiting.pop(0)
            try:
                async with meter.admitted(sent):
                    await asyncio.sleep(0)
                    told = Usage(completion_tokens=cost)
                    meter.payer.allowance.learn(0, told, meter.prices.of(told))
                    meter._charge(told)
                    spent.append(cost)
            except OverLimit:
                return

    await asyncio.gather(*(ask() for _ in range(at_once)))
    return spent


@settings(max_examples=25)
@given(limit=st.integers(1, 100), cost=st.integers(1, 40), at_once=st.integers(1, 6), by_money=st.booleans())
def test_calls_of_one_length_never_go_beyond_it_and_use_what_there_is(
    limit: int, cost: int, at_once: int, by_money: bool
) -> None:
    budget = Budget(money=Decimal(limit)) if by_money else Budget(tokens=limit)
    assert len(asyncio.run(_spend(meter(budget, cost), [cost] * 120, at_once))) == limit // cost


def test_a_call_waits_for_those_that_may_cost_less_than_they_have_reserved() -> None:
    assert asyncio.run(_spend(meter(Budget(tokens=100), reply=90), [5] * 9, at_once=9)) == [5] * 9


def test_who_has_a_call_under_way_waits_for_nobody() -> None:
    """Two things of a batch, each with an answer that streams, would wait for each other for ever."""
    shared, refused = meter(Budget(tokens=100), reply=40), []

    async def ask(thing: str, both: asyncio.Barrier) -> None:
        asked_for.set(thing)
        async with shared.admitted(0):
            await both.wait()
            try:
                async with shared.admitted(0):
                    pass
            except OverLimit:
                refused.append(thing)
            await both.wait()

    async def together() -> None:
        both = asyncio.Barrier(2)
        await asyncio.wait_for(asyncio.gather(ask("a", both), ask("b", both)), timeout=PATIENCE)

    asyncio.run(together())
    assert sorted(refused) == ["a", "b"]


def test_a_reply_that_was_longer_than_expected_is_reckoned_with_from_then_on() -> None:
    assert asyncio.run(_spend(meter(Budget(tokens=100), reply=10), [60, 60], at_once=1)) == [60]


def test_the_dearest_call_of_an_earlier_run_is_reckoned_with() -> None:
    assert asyncio.run(_spend(meter(Budget(tokens=100), 10, dearest=60), [5], at_once=1)) == [5]
    assert asyncio.run(_spend(meter(Budget(tokens=50), 10, dearest=60), [5], at_once=1)) == []


def test_what_was_spent_before_counts() -> None:
    left = Budget(tokens=30, money=Decimal(9)).without(24, Decimal(9))
    assert left == Budget(tokens=6, money=Decimal(0))
    assert asyncio.run(_spend(meter(Budget(tokens=30).without(24, Decimal(0)), 6), [6, 6], at_once=4)) == [6]
    assert asyncio.run(_spend(meter(left, reply=1), [1], at_once=1, sent=10)) == []
    assert asyncio.run(_spend(meter(Budget(tokens=0), reply=1), [1], at_once=1, sent=10)) == []


def test_without_limits_everything_is_sent_and_no_reply_is_cut_short() -> None:
    async def both() -> None:
        unlimited, limited = meter(Budget(), 10), meter(Budget(tokens=100), 10)
        async with unlimited.admitted(10**9) as first, limited.admitted(10) as second:
            assert (first, second) == (None, None)

    asyncio.run(asyncio.wait_for(both(), timeout=PATIENCE))


def test_a_limit_of_money_that_cannot_be_watched_lets_nothing_through_and_is_refused_in_words() -> None:
    blind = meter(Budget(money=Decimal(5)), 10, Prices())
    assert asyncio.run(_spend(blind, [1], at_once=1, sent=10)) == []
    with pytest.raises(ValidationError, match="A budget of money needs the model's prices"):
        check_priced(Decimal(5), [A_TOKEN, Prices()])
    check_priced(Decimal(5), [])  # nothing is asked that costs
    check_priced(None, [Prices()])


def test_the_tightest_of_several_budgets_holds() -> None:
    some = [Budget(tokens=5), Budget(tokens=3, money=Decimal(2)), Budget(money=Decimal(4))]
    assert Budget.tightest(some) == Budget(tokens=3, money=Decimal(2))
    assert Budget.tightest([]) == Budget()
