"""The outcome of holding a claim against a quote: whether it supports it, why not, and what was compared."""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

Support = Literal["supported", "contradicted", "needs_your_eye"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How claim and quote differ, in a sentence that quotes both; contradicts: the quote says otherwise."""

    text: str
    contradicts: bool = False

    def doubted(self) -> "Difference":
        """The same, as one that a person should look at."""
        return replace(self, contradicts=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One comparison of claim and quote; `detail` says in a sentence what differs, or is empty."""

    name: str
    passed: bool
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportCheck:
    """support: the verdict; reason: a plain sentence why the claim is not supported, empty when it is.
    before, after: the rest of the quote's sentence on either side, as the page has it; may be empty.
    """

    support: Support
    reason: str = ""
    checks: tuple[Check, ...] = field(default=())
    before: str = ""
    after: str = ""
