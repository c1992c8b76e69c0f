"""The numbers in a memo's text: [3] cites its source 3. Files count them in the order of the text. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from citations.marks import MARK, mark, unmarked

Source = Mapping[str, Any]  # as Memo.sources has it
NO_SOURCE = gettext_noop("no source")

# Backslashes before a bracket escape it where they are odd.
_CITED = re.compile(r"(?<!\\)((?:\\\\)*)\[(\d{1,5})\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """shown: what a file calls each cited source, from 1 in the order of the text, by the number that it has
    there. missing: numbers in the text that are of no source, in order.
    """

    shown: Mapping[int, int]
    missing: Sequence[int]

    def words(self, n: int) -> str:
        """What stands in a file where the text has [n]."""
        return f"[{self.shown[n]}]" if n in self.shown else f"({n}: {_(NO_SOURCE)})"


def marked(text: str) -> str:
    """The Markdown with a citation mark in place of each [n]."""
    return _CITED.sub(lambda found: found[1] + mark(int(found[2])), unmarked(text))


def cited_in(text: str, sources: Iterable[Source]) -> Cited:
    known = {source["n"] for source in sources}
    numbers = list(dict.fromkeys(int(n) for n in MARK.findall(marked(text))))
    there = [n for n in numbers if n in known]
    return Cited(
        shown={n: shown for shown, n in enumerate(there, 1)},
        missing=[n for n in numbers if n not in known],
    )


def in_order(sources: Collection[Source], cited: Cited) -> list[Source]:
    """The cited ones, in the order of the text."""
    by_number = {source["n"]: source for source in sources}
    return [by_number[n] for n in cited.shown]


def uncited(sources: Iterable[Source], cited: Cited) -> list[Source]:
    return [source for source in sources if source["n"] not in cited.shown]


def with_words(text: str, cited: Cited) -> str:
    """What was rendered with marks, with the words of a file in their places."""
    return MARK.sub(lambda found: cited.words(int(found[1])), text)
