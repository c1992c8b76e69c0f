"""What reading with a model will cost, what it has cost, and what it may cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Sum

from datasources.models import Datasource
from graph.models import ExtractionSpend, GraphSettings
from graph.sql import query
from providers.openai.tokens import estimated_tokens
from providers.protocols import Usage
from providers.roles import ModelRole, endpoint
from providers.spending.budgets import month_of

Amount = TypeVar("Amount", int, Decimal)

KNOWN_AFTER = 10  # calls: from then on the length of answers is measured, before it is guessed
GUESSED_ANSWER = 1.2  # tokens written for each token of the passage, and
GUESSED_ANSWER_AT_LEAST = 150


def price(usage: Usage, datasource: object | None = None) -> Decimal | None:
    """What the tokens cost there; None while no price is set."""
    server = endpoint(datasource, ModelRole.EXTRACTION)
    return server.prices.of(usage) if server else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What a datasource's graph has cost so far. `cached_calls` were saved; money is None while unknown."""

    calls: int
    cached_calls: int
    prompt_tokens: int
    completion_tokens: int
    money: Decimal | None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def spend(datasource: Datasource) -> Spend:
    """Over all models, deleted documents included."""
    sums = ExtractionSpend.objects.filter(datasource=datasource).aggregate(
        calls=Sum("calls", default=0),
        cached_calls=Sum("cached_calls", default=0),
        prompt_tokens=Sum("prompt_tokens", default=0),
        completion_tokens=Sum("completion_tokens", default=0),
        money=Sum("money", default=Decimal(0)),
    )
    known = price(Usage(), datasource) is not None or sums["money"]
    return Spend(**{**sums, "money": sums["money"] if known else None})


def record(
    datasource_id: int, model: str, *, calls: int = 0, cached: int = 0, usage: Usage | None = None
) -> None:
    """Add to what the datasource has spent; nothing for one that is deleted by now."""
    usage = usage or Usage()
    query(
        "record_spend",
        datasource=datasource_id,
        model=model,
        calls=calls,
        cached_calls=cached,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        money=price(usage, datasource_id) or 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What one call is expected to cost in this datasource."""

    overhead: int  # tokens of every prompt besides its passage
    answer: int | None  # tokens of an answer, once that has been measured

    def of(self, text: str) -> Usage:
        guessed = max(GUESSED_ANSWER_AT_LEAST, round(GUESSED_ANSWER * estimated_tokens(text)))
        return Usage(
            prompt_tokens=self.overhead + estimated_tokens(text),
            completion_tokens=guessed if self.answer is None else self.answer,
        )


def costs(datasource: Datasource, overhead: int) -> Costs:
    so_far = spend(datasource)
    known = so_far.calls >= KNOWN_AFTER
    return Costs(overhead=overhead, answer=so_far.completion_tokens // so_far.calls if known else None)


@dataclass(slots=True, kw_only=True)
class Budget:
    """What may still be spent. Each call reserves what it is expected to cost, and settles what it did.

    Two jobs at once know of each other's calls only once those are settled.
    """

    datasource: object | None = None
    tokens_left: int | None
    money_left: Decimal | None
    costs: Costs
    exhausted: bool = False

    def reserve(self, text: str) -> bool:
        """Whether the call for this text fits; if it does, its cost is taken off."""
        expected = self.costs.of(text)
        after = _without(self, expected)
        if any(left is not None and left < 0 for left in after):
            self.exhausted = True
            return False
        self.tokens_left, self.money_left = after
        return True

    def settle(self, text: str, paid: Usage) -> None:
        """Put the real cost in place of the expected one."""
        expected = self.costs.of(text)
        difference = Usage(
            prompt_tokens=paid.prompt_tokens - expected.prompt_tokens,
            completion_tokens=paid.completion_tokens - expected.completion_tokens,
        )
        self.tokens_left, self.money_left = _without(self, difference)


def _without(budget: Budget, usage: Usage) -> tuple[int | None, Decimal | None]:
    used = usage.prompt_tokens + usage.completion_tokens
    return (
        None if budget.tokens_left is None else budget.tokens_left - used,
        None if budget.money_left is None else budget.money_left - (price(usage, budget.datasource) or 0),
    )


def budget_of(datasource: Datasource, overhead: int) -> Budget:
    """What the datasource may still spend, by its settings as they are now and by the month's budgets.

    A limit in money that can't be watched, because the prices were taken away, lets nothing through.
    """
    limits, so_far = GraphSettings.objects.of(datasource), spend(datasource)
    money = limits.money_budget
    if money is not None and price(Usage(), datasource) is None:
        money = Decimal(-1)
    months = [month_of(datasource.pk), month_of()]
    tokens_left = [None if limits.token_budget is None else limits.token_budget - so_far.tokens]
    money_left = [None if money is None else money - (so_far.money or 0)]
    return Budget(
        datasource=datasource,
        tokens_left=_least(tokens_left + [month.tokens_left for month in months]),
        money_left=_least(money_left + [month.money_left for month in months]),
        costs=costs(datasource, overhead),
    )


def month_budget(datasource: Datasource, overhead: int, *, answer: int) -> Budget:
    """What the month's budgets allow for calls whose answers have about so many tokens."""
    months = [month_of(datasource.pk), month_of()]
    return Budget(
        datasource=datasource,
        tokens_left=_least([month.tokens_left for month in months]),
        money_left=_least([month.money_left for month in months]),
        costs=Costs(overhead=overhead, answer=answer),
    )


def _least(limits: Sequence[Amount | None]) -> Amount | None:
    """The tightest of these limits; None where there is none."""
    return min((limit for limit in limits if limit is not None), default=None)


def check_limits(datasource: Datasource, money: Decimal | None) -> None:
    """Raises ValidationError for an amount of money while the prices are unknown."""
    if money is not None and price(Usage(), datasource) is None:
        raise ValidationError(
            "A budget of money needs the model's prices. Nothing was changed; give them where the model is "
            "connected, or limit the tokens.",
            code="prices_unknown",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What reading these chunks will cost: `calls` to make, `cached` answers that are there already."""

    chunks: int
    calls: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    money: Decimal | None
    fits: bool


def estimate_texts(
    datasource: Datasource, texts: list[str], chunks: int, cached: int, overhead: int
) -> Estimate:
    """The estimate for these texts, each read once."""
    expected = costs(datasource, overhead)
    usage = sum((expected.of(text) for text in texts), Usage())
    budget = budget_of(datasource, overhead)
    return Estimate(
        chunks=chunks,
        calls=len(texts),
        cached=cached,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        money=price(usage, datasource),
        fits=all(left is None or left >= 0 for left in _without(budget, usage)),
    )
