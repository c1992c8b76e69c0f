"""What fields that limit a batch begin with, where it ended before its time and goes on."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Self

from batches.budget import LEAST_MONEY, Budget

GOES_ON = ("held", "stopped", "failed")  # with the limits that it had


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """As the fields have them: "" is no limit, "0" one of which nothing is left."""

    tokens: str = ""
    money: str = ""
    is_used_up: bool = False

    @classmethod
    def of(cls, status: str, left: Budget) -> Self:
        """What is left of a batch's own."""
        if status not in GOES_ON:
            return cls()
        tokens = "" if left.tokens is None else str(max(0, left.tokens))
        money = "" if left.money is None else _written(max(Decimal(0), left.money))
        is_used_up = status == "held" or "0" in (tokens, money)
        return cls(tokens=tokens, money=money, is_used_up=is_used_up)


def _written(money: Decimal) -> str:
    return format(money.quantize(LEAST_MONEY, ROUND_DOWN).normalize(), "f")
