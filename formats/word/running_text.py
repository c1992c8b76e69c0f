"""The words of a Word paragraph while it is read: fields that show a result, letters of fonts of symbols."""

import re
from dataclasses import dataclass, field

from formats.base.characters import clean_lines
from formats.rendition.blocks import Block
from formats.word.markup import BEFORE, Range

SYMBOLS = {
    0xF0FE: "☒",
    0xF0FD: "☒",
    0xF0A8: "☐",
    0xF06F: "☐",
    0xF0FC: "✓",
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0E0: "→",
}
OF_EACH_PAGE = re.compile(r"\s*(PAGE|NUMPAGES|SECTIONPAGES|PAGEREF)\b", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Field:
    """instruction: in pieces. is_shown: its result is being read, and is not the number of a page, which is
    another one here.
    """

    instruction: list[str] = field(default_factory=list)
    is_shown: bool = False


@dataclass(slots=True, kw_only=True)
class RunningText:
    """A paragraph while it is read. behind: blocks that are anchored in it. fields: those that are open.
    unshown: how many of these show nothing. ranges: of the comments that are being read, by their numbers.
    changed: where the last tracked change ended, as a number of pieces.
    """

    words: list[str] = field(default_factory=list)
    behind: list[Block] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    unshown: int = 0
    ranges: dict[str, Range] = field(default_factory=dict)
    changed: int = -1

    def add(self, words: str) -> None:
        self.words.append(words)
        for each in self.ranges.values():
            each.add(words)

    def end(self) -> str:
        """The last words as far as they are read."""
        return "".join(self.words[-BEFORE:])

    def clean(self) -> str:
        return clean_lines("".join(self.words))

    def begin_field(self) -> None:
        self.fields.append(Field())
        self.unshown += 1

    def begin_result(self) -> None:
        if self.fields and not self.fields[-1].is_shown:
            self.fields[-1].is_shown = not OF_EACH_PAGE.match("".join(self.fields[-1].instruction))
            self.unshown -= self.fields[-1].is_shown

    def end_field(self) -> None:
        if self.fields and not self.fields.pop().is_shown:
            self.unshown -= 1


def symbol(code: str) -> str:
    """Of a font of symbols, by its hexadecimal place."""
    place = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code) else 0xE000
    return SYMBOLS.get(place, "" if 0xE000 <= place < 0xF900 else chr(place))
