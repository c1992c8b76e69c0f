"""An answer's Markdown as plain parts, for files that have paragraphs, lists and tables of their own."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum

from lxml import html

from chat.web.rendering import blocks


class PartKind(StrEnum):
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    NUMBERED = "numbered"
    QUOTE = "quote"
    LINE = "line"  # of code, as it is
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """rows: of a table alone, each with the text of its cells."""

    kind: PartKind
    text: str = ""
    rows: Sequence[Sequence[str]] = ()


def parts_of(markdown: str) -> Iterator[Part]:
    """In reading order, without emphasis."""
    for block in blocks(markdown):
        for element in html.fragments_fromstring(block):
            if isinstance(element, str):
                yield Part(kind=PartKind.PARAGRAPH, text=element)
            else:
                yield from _parts(element)


def _parts(element: html.HtmlElement) -> Iterator[Part]:
    if element.tag in ("ul", "ol"):
        kind = PartKind.BULLET if element.tag == "ul" else PartKind.NUMBERED
        yield from (Part(kind=kind, text=_words(item)) for item in element.iter("li"))
    elif element.tag == "table":
        rows = [[_words(cell) for cell in row.iterchildren()] for row in element.iter("tr")]
        yield Part(kind=PartKind.TABLE, rows=rows)
    elif element.tag == "pre":
        yield from (Part(kind=PartKind.LINE, text=line) for line in element.text_content().splitlines())
    else:
        kind = PartKind.QUOTE if element.tag == "blockquote" else PartKind.PARAGRAPH
        yield Part(kind=kind, text=_words(element))


def _words(element: html.HtmlElement) -> str:
    """On one line, without the lists within, whose items have lines of their own."""
    bare = deepcopy(element)
    for inner in bare.xpath("./ul | ./ol"):
        inner.drop_tree()
    return " ".join(bare.text_content().split())
