"""What tokens of a model cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from providers.protocols import Usage

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Per million tokens sent to the model, and written by it; 0 where unknown."""

    sent: Decimal = Decimal(0)
    written: Decimal = Decimal(0)

    @property
    def are_known(self) -> bool:
        return bool(self.sent or self.written)

    def of(self, usage: Usage) -> Decimal | None:
        """None where no price is known."""
        if not self.are_known:
            return None
        return (usage.prompt_tokens * self.sent + usage.completion_tokens * self.written) / MILLION

    def as_json(self) -> dict[str, str]:
        """As a run keeps them: what it costs is counted at the prices with which it began."""
        return {"sent": str(self.sent), "written": str(self.written)}

    @classmethod
    def of_json(cls, kept: Mapping[str, str]) -> Self:
        return cls(**{name: Decimal(price) for name, price in kept.items()})
