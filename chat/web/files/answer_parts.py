"""An answer's Markdown as plain parts, for files that have paragraphs, lists and tables of their own."""

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum

from lxml import html

from chat.web.answers.rendering import blocks

HEADINGS = {f"h{level}" for level in range(1, 7)}
FIRST_HEADING = 3  # what `rendering` makes of the highest one, as the page has its own above


class PartKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    NUMBERED = "numbered"
    QUOTE = "quote"
    LINE = "line"  # of code, as it is
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words of one part that look alike."""

    text: str
    strong: bool = False
    emphasis: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """stretches: the words of all but a table. rows: of a table alone, each with the text of its cells.
    level: of a heading alone, from 1. number: of an item of a numbered list alone.
    """

    kind: PartKind
    stretches: Sequence[Run] = ()
    rows: Sequence[Sequence[str]] = ()
    level: int = 0
    number: int = 0

    @property
    def text(self) -> str:
        """The words without emphasis."""
        return "".join(run.text for run in self.stretches)


def parts_of(markdown: str) -> Iterator[Part]:
    """In reading order."""
    for block in blocks(markdown):
        for element in html.fragments_fromstring(block):
            if isinstance(element, str):
                yield Part(kind=PartKind.PARAGRAPH, stretches=[Run(text=element)])
            else:
                yield from _parts(element)


def _parts(element: html.HtmlElement) -> Iterator[Part]:
    if element.tag == "ul":
        yield from (Part(kind=PartKind.BULLET, stretches=_runs(item)) for item in element.iter("li"))
    elif element.tag == "ol":
        for number, item in enumerate(element.iter("li"), 1):
            yield Part(kind=PartKind.NUMBERED, stretches=_runs(item), number=number)
    elif element.tag == "table":
        rows = [[_words(cell) for cell in row.iterchildren()] for row in element.iter("tr")]
        yield Part(kind=PartKind.TABLE, rows=rows)
    elif element.tag == "pre":
        lines = element.text_content().splitlines()
        yield from (Part(kind=PartKind.LINE, stretches=[Run(text=line)]) for line in lines)
    elif element.tag in HEADINGS:
        level = int(element.tag[1]) - FIRST_HEADING + 1
        yield Part(kind=PartKind.HEADING, stretches=_runs(element), level=level)
    elif element.tag == "blockquote" and element.find("table") is not None:
        for inner in element.iterchildren():
            if inner.tag == "table":
                yield from _parts(inner)
            else:
                yield Part(kind=PartKind.QUOTE, stretches=_runs(inner))
    else:
        kind = PartKind.QUOTE if element.tag == "blockquote" else PartKind.PARAGRAPH
        yield Part(kind=kind, stretches=_runs(element))


def _words(element: html.HtmlElement) -> str:
    return "".join(run.text for run in _runs(element))


def _runs(element: html.HtmlElement) -> list[Run]:
    """On one line, without the lists within, whose items have lines of their own."""
    bare = deepcopy(element)
    for inner in bare.xpath("./ul | ./ol"):
        inner.drop_tree()
    return _on_one_line(_pieces(bare, strong=False, emphasis=False))


def _pieces(element: html.HtmlElement, *, strong: bool, emphasis: bool) -> Iterator[Run]:
    strong, emphasis = strong or element.tag == "strong", emphasis or element.tag == "em"
    yield Run(text=element.text or "", strong=strong, emphasis=emphasis)
    for inner in element:
        yield from _pieces(inner, strong=strong, emphasis=emphasis)
        yield Run(text=inner.tail or "", strong=strong, emphasis=emphasis)


def _on_one_line(pieces: Iterable[Run]) -> list[Run]:
    """With one space for each stretch of spaces and line breaks, and none at the ends."""
    runs: list[Run] = []
    spaced = False
    for piece in pieces:
        words = piece.text.split()
        if words and runs and (spaced or piece.text[0].isspace()):
            runs.append(Run(text=" "))
        if words:
            runs.append(Run(text=" ".join(words), strong=piece.strong, emphasis=piece.emphasis))
        spaced = piece.text[-1:].isspace() if words else spaced or bool(piece.text)
    return runs
