"""What is picked out of a text: a value, the sentence that states it, where both stand. Pure."""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self

from django.utils.translation import gettext_lazy, pgettext_lazy


class Kind(StrEnum):
    """In the order in which they are shown."""

    PARTY = "party"
    DATE = "date"
    LIMIT = "limit"
    AMOUNT = "amount"
    DUTY = "duty"
    TERM = "term"

    @property
    def label(self) -> str:
        return str(LABELS[self])


LABELS = {
    Kind.PARTY: gettext_lazy("Parties"),
    Kind.DATE: gettext_lazy("Dates"),
    Kind.LIMIT: gettext_lazy("Time limits"),
    Kind.AMOUNT: gettext_lazy("Sums of money"),
    Kind.DUTY: gettext_lazy("Duties and rights"),
    Kind.TERM: gettext_lazy("Defined terms"),
}


class Stance(StrEnum):
    """What a sentence makes of what its party does."""

    MUST = "must"
    MUST_NOT = "must not"
    MAY = "may"

    @property
    def words(self) -> str:
        return str(STANCES[self])


STANCES = {
    Stance.MUST: pgettext_lazy("a duty", "must"),
    Stance.MUST_NOT: pgettext_lazy("a duty", "must not"),
    Stance.MAY: pgettext_lazy("a right", "may"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """text[start:end] of the page is the value within the sentence text[first:last].

    label: the value as one reads it. day: of a date, None where its day is not told. about: the defined term
    that the value is of, or what a party is called. party and stance: of a duty.
    """

    kind: Kind
    label: str
    first: int
    last: int
    start: int
    end: int
    day: date | None = None
    month_alone: bool = False
    about: str = ""
    party: str = ""
    stance: Stance | None = None

    def within(self, first: int, last: int) -> Self:
        """The same value in another sentence of the page."""
        return replace(self, first=first, last=last)
