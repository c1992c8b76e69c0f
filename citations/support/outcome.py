"""The outcome of holding a claim against a quote: whether it supports it, why not, and what was compared."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Support = Literal["supported", "contradicted", "facts_agree", "needs_your_eye"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How claim and quote differ, in a sentence that quotes both. claimed, quoted: the words that differ, as
    written; either may be empty. soft: only the wording differs, no fact. exact: the words stand in the same
    place of both texts and one of them excludes the other.
    """

    text: str
    claimed: str = ""
    quoted: str = ""
    soft: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """A hard fact of the claim that the quote or what is around it does not account for.

    kind: the name of the comparison; text: a sentence for people; claimed, quoted: the words that differ.
    """

    kind: str
    text: str
    claimed: str = ""
    quoted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One comparison of claim and quote; `detail` says in a sentence what differs, or is empty. claimed,
    quoted: the words that differ, to be marked in both.
    """

    name: str
    passed: bool
    detail: str = ""
    claimed: str = ""
    quoted: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportCheck:
    """support: the verdict; reason: a plain sentence why the claim is not supported, empty when it is.
    before, after: the rest of the quote's sentence on either side, as the page has it; may be empty.
    objections: what code finds against the claim: its figures, names, negations, modals, conditions and other
    hard facts that the quote and the text around it do not account for. That there are none does not say that
    the claim is true.
    """

    support: Support
    reason: str = ""
    checks: tuple[Check, ...] = field(default=())
    objections: tuple[Objection, ...] = ()
    before: str = ""
    after: str = ""
