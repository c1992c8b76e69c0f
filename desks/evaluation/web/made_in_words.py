"""What came of an order of questions, in words, as the page of a set lists it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from desks.evaluation.models import Kind
from localization.lists import joined
from localization.numbers import numeral

MADE = {
    Kind.SINGLE: gettext_noop("{made} of {ordered} single-source"),
    Kind.MULTI: gettext_noop("{made} of {ordered} multi-source"),
    Kind.NONE: gettext_noop("{made} of {ordered} no-source"),
}


def made_in_words(made: Mapping[str, Any]) -> list[str]:
    """A line for each kind: how many of those ordered, and how many were left out, and why."""
    return [_line(Kind(kind), told) for kind, told in made.items() if kind in Kind.values]


def _line(kind: Kind, told: Mapping[str, Any]) -> str:
    parts = [_(MADE[kind]).format(made=told["made"], ordered=told["ordered"])]
    for why, count in told["left_out"].items():
        parts.append(_left_out(why, count))
    return joined(parts)


def _left_out(why: str, n: int) -> str:
    """why: as the row has it."""
    match why:
        case "gives its source away":
            told = ngettext(
                "{n} left out, as it names its document or copies its words",
                "{n} left out, as they name their document or copy its words",
                n,
            )
        case "repeats another":
            told = ngettext("{n} left out, as it repeats another", "{n} left out, as they repeat others", n)
        case _:
            told = _("{n} left out ({reason})")
    return told.format(n=numeral(n), reason=_(why))
