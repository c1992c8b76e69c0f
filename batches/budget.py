"""What a batch may cost in all, and what is left of that."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop

from jobs.runs import Stopped
from providers.protocols import Usage
from providers.roles import ModelRole, endpoint
from providers.spending.allowance import Allowance
from providers.spending.prices import Prices

MOST_MONEY = 1_000_000  # a budget is below: what the column has room for
LEAST_MONEY = Decimal("0.000001")  # of a limit: what its column keeps
SMALLEST = Decimal("0.00000001")  # of money; an allowance of 0 is no limit


class UsedUp(Stopped):
    """The budget has no room for another request: the batch is held. It has what `jobs.failures.Explained`
    asks for, so that no tool or stage takes it for a fault of its own.
    """

    code = "budget_used_up"
    message = gettext_noop("The budget of this run is used up.")
    hint = gettext_noop("Go on with a larger one.")
    transient = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Tokens and money; None is no limit."""

    tokens: int | None = None
    money: Decimal | None = None

    @classmethod
    def tightest(cls, budgets: Iterable[Self]) -> Self:
        """The least of each limit."""
        several = list(budgets)
        return cls(
            tokens=min((each.tokens for each in several if each.tokens is not None), default=None),
            money=min((each.money for each in several if each.money is not None), default=None),
        )

    def without(self, tokens: int, money: Decimal) -> "Budget":
        """What is left of it once so much was spent; less than nothing where it was more."""
        return Budget(
            tokens=None if self.tokens is None else self.tokens - tokens,
            money=None if self.money is None else self.money - money,
        )

    def beside(self, tokens: int, money: Decimal) -> "Budget":
        """The limits from the beginning, where it is for what follows and so much was spent before."""
        whole = self.without(-tokens, -money)
        return (
            whole if whole.money is None else replace(whole, money=min(whole.money, MOST_MONEY - LEAST_MONEY))
        )

    def holds(self, usage: Usage, prices: Prices) -> bool:
        """Whether so much fits; nothing does where a limit of money can't be watched."""
        left = self.without(usage.tokens, prices.of(usage) or Decimal(0))
        is_watched = self.money is None or prices.are_known
        return is_watched and all(each is None or each >= 0 for each in (left.tokens, left.money))

    def allowance(
        self, reply: int, prices: Iterable[Prices], dearest: tuple[int, Decimal] = (0, Decimal(0))
    ) -> Allowance:
        """For the calls of a batch whose replies have about so many tokens. `prices`: of its models; where
        one has none any more, a limit of money can't be watched, and lets nothing through. `dearest`: tokens
        and money of the dearest call so far.
        """
        is_watched = self.money is None or all(each.are_known for each in prices)
        left = self if is_watched else Budget(money=Decimal(0))
        is_spent = left.money is not None and left.money <= 0
        return Allowance(
            tokens=1 if is_spent else 0 if left.tokens is None else max(1, left.tokens),
            money=Decimal(0) if left.money is None else max(SMALLEST, left.money),
            reply=reply,
            dearest=dearest[0],
            dearest_money=dearest[1],
        )


def prices_now(datasource: object, *roles: ModelRole) -> list[Prices]:
    """Of the models on servers that play these roles there; of none where none does."""
    return [server.prices for role in roles if (server := endpoint(datasource, role))]


def check_priced(money: Decimal | None, prices: Iterable[Prices]) -> None:
    """Raises ValidationError for a budget of money while a model that is to be asked has no prices."""
    if money is not None and not all(each.are_known for each in prices):
        raise ValidationError(
            gettext(
                "A budget of money needs the model's prices. Nothing was changed; give them where the "
                "model is connected, or limit the tokens."
            ),
            code="prices_unknown",
        )
