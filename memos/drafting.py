"""The draft of a memo from notes: a heading for each question, answers and quotes with their numbers, and
remarks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.exports import on_a_line
from chat.models import Note
from chat.notebook import quotes_of
from citations.marks import MARK, mark, numbered
from text.normal_forms.verbatim import inert

# In which sources are one: what was found out about a quote depends on the claim that it stands for.
SAME = ("document", "quote", "said")  # and the pages
MAX_SOURCES = 500  # of one memo
A_QUOTE = gettext_noop("A quote")  # the heading of a note without a question


@dataclass(slots=True, kw_only=True)
class Draft:
    """Grows note by note. text: Markdown with [n]. sources: as Memo.sources has them; a passage that several
    notes quote with the same result is one of them.
    """

    text: str = ""
    sources: list[dict[str, Any]] = field(default_factory=list)
    _numbers: dict[tuple[Any, ...], int] = field(init=False, repr=False)
    _last: int = field(init=False, repr=False)  # the highest number

    def __post_init__(self) -> None:
        self._numbers = {}
        for source in self.sources:
            self._numbers.setdefault(_same(source), source["n"])
        self._last = max((source["n"] for source in self.sources), default=0)

    def add(self, notes: Iterable[Note]) -> None:
        """The notes in the given order, behind what there is. Ends once there are too many sources."""
        sections = [self.text.rstrip()]
        for note in notes:
            sections += self._section(note)
            if len(self.sources) > MAX_SOURCES:
                break
        self.text = "\n\n".join(filter(None, sections))

    def _section(self, note: Note) -> Iterable[str]:
        numbers = {source["n"]: self._number(source) for source in note.sources}
        yield f"## {on_a_line(note.question) or _(A_QUOTE)}"
        if note.text:
            yield _renumbered(note, numbers)
        else:
            yield from (f"> {on_a_line(each['quote'])} [{numbers[each['n']]}]" for each in note.sources)
        yield from (on_a_line(line) for line in note.remark.splitlines())

    def _number(self, source: Mapping[str, Any]) -> int:
        """That of the source here; a new one gets the next."""
        known = self._numbers.get(_same(source))
        if known is not None:
            return known
        self._last += 1
        self._numbers[_same(source)] = self._last
        self.sources.append({**source, "n": self._last})
        return self._last


def _same(source: Mapping[str, Any]) -> tuple[Any, ...]:
    return (*(source[name] for name in SAME), *source["pages"])


def _renumbered(note: Note, numbers: Mapping[int, int]) -> str:
    """The answer with this memo's numbers; other numbers in brackets that it has get round ones."""
    text = MARK.sub(lambda found: _mark(numbers, int(found[1])), inert(note.text))
    return numbered(text, quotes_of(note)).strip()


def _mark(numbers: Mapping[int, int], n: int) -> str:
    return mark(numbers[n]) if n in numbers else ""
