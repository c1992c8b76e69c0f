"""The month's budgets: what may be spent on language models, and whether it has been."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from providers.spending.models import EVERYWHERE, MonthlyBudget, Spending
from providers.spending.sql import query


class Limits(TypedDict, total=False):
    """What may be spent; a limit that is left out stays as it is."""

    tokens: int | None
    money: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """What this month has cost so far, and what it may cost; None is no limit."""

    tokens: int
    money: Decimal
    token_limit: int | None
    money_limit: Decimal | None

    @property
    def used_up(self) -> bool:
        return any(left is not None and left <= 0 for left in (self.tokens_left, self.money_left))

    @property
    def tokens_left(self) -> int | None:
        return None if self.token_limit is None else self.token_limit - self.tokens

    @property
    def money_left(self) -> Decimal | None:
        return None if self.money_limit is None else self.money_limit - self.money

    @property
    def is_limited(self) -> bool:
        return self.token_limit is not None or self.money_limit is not None


def first_of_month() -> date:
    """In the time zone of the server, as the days of spending are."""
    return timezone.localdate().replace(day=1)


def next_month() -> date:
    """When a budget that is used up begins again."""
    return (first_of_month() + timedelta(days=31)).replace(day=1)


def used_up(datasource: int) -> int | None:
    """The number of whichever budget stops language models there: the datasource's or 0, the deployment's."""
    rows = query("used_up", datasource=datasource, first=first_of_month())
    return rows[0][0] if rows else None


def month_of(datasource: int = EVERYWHERE) -> Month:
    budget = MonthlyBudget.objects.filter(datasource=datasource).first() or MonthlyBudget()
    spent = Spending.objects.filter(day__gte=first_of_month())
    if datasource != EVERYWHERE:
        spent = spent.filter(datasource=datasource)
    sums = spent.aggregate(
        tokens=Sum(F("prompt_tokens") + F("completion_tokens"), default=0),
        money=Sum("money", default=Decimal(0)),
    )
    return Month(**sums, token_limit=budget.tokens, money_limit=budget.money)


@transaction.atomic
def set_budget(datasource: int, **limits: Unpack[Limits]) -> None:
    """Those limits that are given; None is no limit."""
    budget, _ = MonthlyBudget.objects.update_or_create(datasource=datasource, defaults=limits)
    if budget.tokens is None and budget.money is None:
        budget.delete()
