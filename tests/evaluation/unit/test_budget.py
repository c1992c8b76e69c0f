"""A budget: no request is sent that could go beyond it, however many are sent at once."""

import asyncio
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.runs.budget import Budget, UsedUp


async def _spend(budget: Budget, costs: list[int], at_once: int) -> list[int]:
    """What was spent when so many questions make these requests."""
    waiting, spent = list(costs), []

    async def ask() -> None:
        while waiting:
            try:
                async with budget.request(object()):
                    if not waiting:
                        return
                    cost = waiting.pop(0)
                    await asyncio.sleep(0)
                    budget.count(cost, Decimal(cost))
                    spent.append(cost)
            except UsedUp:
                return

    await asyncio.gather(*(ask() for _ in range(at_once)))
    return spent


@settings(max_examples=25)
@given(limit=st.integers(1, 100), cost=st.integers(1, 40), at_once=st.integers(1, 6), by_money=st.booleans())
def test_equal_requests_never_go_beyond_it_but_for_the_first(
    limit: int, cost: int, at_once: int, by_money: bool
) -> None:
    tokens, money = (None, Decimal(limit)) if by_money else (limit, None)
    spent = asyncio.run(_spend(Budget(tokens, money, (0, Decimal(0))), [cost] * 200, at_once))
    assert len(spent) == max(1, limit // cost)


def test_what_was_spent_before_counts() -> None:
    budget = Budget(30, None, (24, Decimal(0)))
    assert asyncio.run(_spend(budget, [12, 12, 12], at_once=4)) == [12]
    assert asyncio.run(_spend(Budget(30, None, (30, Decimal(0))), [12], at_once=4)) == []


def test_without_limits_everything_is_sent_at_once() -> None:
    async def both() -> None:
        budget = Budget(None, None, (0, Decimal(0)))
        async with budget.request(1), budget.request(2):
            pass

    asyncio.run(asyncio.wait_for(both(), timeout=1))


def test_a_question_does_not_wait_for_its_own_request() -> None:
    async def nested() -> None:
        budget = Budget(100, None, (0, Decimal(0)))
        question = object()
        async with budget.request(question), budget.request(question):
            pass

    asyncio.run(asyncio.wait_for(nested(), timeout=1))


def test_no_money_at_all_buys_nothing() -> None:
    with pytest.raises(UsedUp):
        asyncio.run(_spend_one(Budget(None, Decimal(0), (0, Decimal(0)))))


async def _spend_one(budget: Budget) -> None:
    async with budget.request(object()):
        pass
