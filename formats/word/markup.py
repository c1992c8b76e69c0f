"""What Word calls markup: comments, and changes that are tracked. It stands beside the text that is read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from formats.base.annotations import LONGEST_QUOTE, LONGEST_TEXT, Annotation, AnnotationKind
from formats.base.characters import one_line
from formats.embedded.xml import Element, attribute, local
from formats.rendition.blocks import Block, Table

CHANGES = {
    "ins": AnnotationKind.INSERTED,
    "moveTo": AnnotationKind.MOVED_HERE,
    "del": AnnotationKind.DELETED,
    "moveFrom": AnnotationKind.MOVED_AWAY,
}
BEFORE = 60  # characters before a change that say where it is
MOST_RANGES = 100  # comments that are on the same words
_SPACES = ("tab", "ptab", "br", "cr", "p", "tr", "tc")


@dataclass(slots=True, kw_only=True)
class Range:
    """The words that a comment is on, as far as they were read; those that were deleted apart."""

    words: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, words: str, *, is_deleted: bool = False) -> None:
        """No more than a quote may have."""
        if self.length <= LONGEST_QUOTE:
            (self.deleted if is_deleted else self.words).append(words)
            self.length += len(words)

    @property
    def quote(self) -> str:
        return one_line("".join(self.words)) or one_line("".join(self.deleted))


def change_of(kind: AnnotationKind, element: Element, text: str, before: str = "") -> Annotation | None:
    """What an element says of a change. text: as it is written. before: the words in front of it."""
    if not text:
        return None
    return Annotation(
        kind=kind, text=text, quote=_last_words(before), author=author_of(element), made=made(element)
    )


def author_of(element: Element) -> str:
    return one_line(attribute(element, "author") or "")


def made(element: Element) -> str:
    """Word writes the clock of whoever made it and calls that UTC, so the distance is left out."""
    return (attribute(element, "date") or "").removesuffix("Z")


def joined(last: Block | None, change: Annotation) -> Annotation | None:
    """Both as one change: Word parts one where its print changes."""
    is_same = isinstance(last, Annotation) and (last.kind, last.author) == (change.kind, change.author)
    if isinstance(last, Annotation) and is_same and len(last.text) < LONGEST_TEXT:
        return replace(last, text=last.text + change.text)
    return None


def deleted_words(element: Element) -> str:
    """All that was written in an element that is no longer there."""
    words = []
    for each in element.iter():
        match local(each):
            case "t" | "delText":
                words.append(each.text or "")
            case name if name in _SPACES:
                words.append(" ")
    return "".join(words)


def annotations_in(blocks: Iterable[Block]) -> Iterator[Annotation]:
    """Those among blocks that become the text of a cell or a note, and those of their tables."""
    for block in blocks:
        if isinstance(block, Annotation):
            yield block
        elif isinstance(block, Table):
            yield from (each for on_row in block.annotations.values() for each in on_row)


def _last_words(before: str) -> str:
    line = one_line(before)
    return line if len(line) <= BEFORE else line[-BEFORE:].partition(" ")[2]
