"""The draft of a memo from notes: a heading for each question, answers and quotes with their numbers, and
remarks. Pure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.exports import on_a_line
from chat.marks import MARK, mark, numbered
from chat.models import Note
from chat.notebook import quotes_of
from chat.verbatim import inert

# In which sources are one: what was found out about a quote depends on the claim that it stands for.
SAME = ("document", "pages", "quote", "said")
A_QUOTE = "A quote"  # the heading of a note without a question


@dataclass(slots=True, kw_only=True)
class Draft:
    """Grows note by note. text: Markdown with [n]. sources: as Memo.sources has them; a passage that several
    notes quote with the same result is one of them.
    """

    text: str = ""
    sources: list[dict[str, Any]] = field(default_factory=list)

    def add(self, notes: Iterable[Note]) -> None:
        """The notes in the given order, behind what there is."""
        for note in notes:
            self.text = "\n\n".join(filter(None, [self.text.rstrip(), *self._section(note)]))

    def _section(self, note: Note) -> Iterable[str]:
        numbers = {source["n"]: self._number(source) for source in note.sources}
        yield f"## {on_a_line(note.question) or A_QUOTE}"
        if note.text:
            yield _renumbered(note, numbers)
        else:
            yield from (f"> {on_a_line(each['quote'])} [{numbers[each['n']]}]" for each in note.sources)
        yield from (on_a_line(line) for line in note.remark.splitlines())

    def _number(self, source: Mapping[str, Any]) -> int:
        """That of the source here; a new one gets the next."""
        for known in self.sources:
            if all(known[name] == source[name] for name in SAME):
                return int(known["n"])
        n = max((int(known["n"]) for known in self.sources), default=0) + 1
        self.sources.append({**source, "n": n})
        return n


def _renumbered(note: Note, numbers: Mapping[int, int]) -> str:
    """The answer with this memo's numbers; other numbers in brackets that it has get round ones."""
    text = MARK.sub(lambda found: _mark(numbers, int(found[1])), inert(note.text))
    return numbered(text, quotes_of(note)).strip()


def _mark(numbers: Mapping[int, int], n: int) -> str:
    return mark(numbers[n]) if n in numbers else ""
