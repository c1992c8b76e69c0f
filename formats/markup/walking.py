"""From elements of HTML to blocks: the text that a reader of the page would see, in its order."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from lxml.html import HtmlElement

from formats.base.characters import clean_lines, clean_text, one_line
from formats.embedded.pictures import Pictures
from formats.rendition.blocks import (
    Block,
    Cell,
    Heading,
    ListItem,
    Note,
    PageBreak,
    Paragraph,
    Table,
    texts_of,
)
from formats.rendition.grid import table_of
from formats.rendition.list_labels import BULLETS, counted

UNSEEN = {
    "script",
    "style",
    "noscript",
    "template",
    "head",
    "iframe",
    "object",
    "embed",
    "svg",
    "canvas",
    "audio",
    "video",
    "input",
    "select",
    "datalist",
    "map",
    "frameset",
    "title",
    "link",
    "meta",
    "colgroup",
}
BLOCKS = {
    "address",
    "article",
    "aside",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "html",
    "legend",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "section",
    "summary",
    "ul",
    "blockquote",
    "caption",
    "tbody",
    "thead",
    "tfoot",
    "tr",
    "td",
    "th",
    "hr",
}
HEADINGS = {f"h{level}": level for level in range(1, 7)}
POINTS_A_PIXEL = 0.75
MOST_SPANNED = 1_000
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATA = re.compile(r"data:image/[\w.+-]+(;[\w=.+-]+)*,", re.IGNORECASE)
_LINE_BREAK = "\x1e"  # of <br>, while white space is folded

PictureOf = Callable[[str], bytes | None]


def title_of(root: HtmlElement) -> str:
    found = root.find(".//title")
    return one_line(found.text_content()) if found is not None else ""


def blocks_of(
    root: HtmlElement, pictures: Pictures, picture_of: PictureOf = lambda address: None
) -> Iterator[Block]:
    """picture_of: the bytes of a picture that lies beside the page, by its address; nothing is fetched."""
    return _Walk(pictures=pictures, picture_of=picture_of).blocks(root)


@dataclass(slots=True, kw_only=True)
class _Walk:
    """buffer: the words since the last block began."""

    pictures: Pictures
    picture_of: PictureOf
    buffer: list[str] = field(default_factory=list)
    done: list[Block] = field(default_factory=list)
    lists: list[tuple[str, int]] = field(default_factory=list)  # kind, next number
    label: str | None = None  # of the item that has begun
    indent: int = 0

    def blocks(self, root: HtmlElement) -> Iterator[Block]:
        self.children(root)
        self.flush()
        return iter(self.done)

    def children(self, element: HtmlElement) -> None:
        self.say(element.text)
        for child in element:
            self.element(child)
            self.say(child.tail)

    def say(self, text: str | None) -> None:
        if text:
            self.buffer.append(text)

    def flush(self) -> None:
        """End the paragraph or item that was begun."""
        text = _folded("".join(self.buffer))
        self.buffer.clear()
        if self.label is not None and self.lists:
            if text:
                self.done.append(ListItem(text=text, label=self.label, level=len(self.lists) - 1))
                self.label = None
        elif text:
            self.done.append(Paragraph(text=text, indent=self.indent + len(self.lists)))

    def element(self, element: HtmlElement) -> None:
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in UNSEEN or _is_hidden(element):
            return
        if tag == "br":
            self.buffer.append(_LINE_BREAK)
        elif tag == "img":
            self.image(element)
        elif tag in HEADINGS:
            self.flush()
            inner = self.inside(element)
            self.done += [
                Heading(text=" ".join(each.text.split()), level=HEADINGS[tag])
                if isinstance(each, Paragraph)
                else each
                for each in inner
            ]
        elif tag in ("pre", "listing", "xmp"):
            self.flush()
            if text := clean_text(element.text_content().expandtabs(4)).strip("\n").rstrip():
                self.done.append(Paragraph(text=text, code=True))
        elif tag in ("ul", "ol", "menu", "dir"):
            self.list(element, tag)
        elif tag == "li":
            self.item(element)
        elif tag == "table":
            self.flush()
            self.table(element)
        elif tag == "blockquote" or tag == "dd":
            self.flush()
            self.indent += 1
            self.children(element)
            self.flush()
            self.indent -= 1
        elif tag in BLOCKS:
            self.flush()
            self.children(element)
            self.flush()
        elif tag == "math":
            self.say(element.get("alttext") or element.text_content())
        else:
            self.children(element)

    def inside(self, element: HtmlElement) -> list[Block]:
        """The blocks of an element by itself."""
        inner = _Walk(pictures=self.pictures, picture_of=self.picture_of)
        return list(inner.blocks(element))

    def list(self, element: HtmlElement, tag: str) -> None:
        self.flush()
        label, self.label = self.label, None
        if tag == "ol":
            self.lists.append((element.get("type") or "1", _number(element.get("start"), 1)))
        else:
            self.lists.append(("", 0))
        self.children(element)
        self.flush()
        self.lists.pop()
        self.label = label

    def item(self, element: HtmlElement) -> None:
        self.flush()
        if not self.lists:
            self.lists.append(("", 0))
            self.item(element)
            self.lists.pop()
            return
        kind, number = self.lists[-1]
        if kind:
            number = _number(element.get("value"), number)
            self.lists[-1] = (kind, number + 1)
            self.label = f"{counted(number, kind)}."
        else:
            self.label = BULLETS[min(len(self.lists), len(BULLETS)) - 1]
        self.children(element)
        self.flush()
        self.label = None

    def image(self, element: HtmlElement) -> None:
        source, text = element.get("src") or "", element.get("alt") or ""
        content = _data(source) or self.picture_of(source)
        width = _number(element.get("width"), 0) * POINTS_A_PIXEL or None
        image = self.pictures.block(content, text, width) if content else None
        if image:
            self.flush()
            self.done.append(image)
        elif text.strip():
            self.say(f" {text} ")

    def table(self, element: HtmlElement) -> None:
        rows = list(_rows(element))
        for caption in element.iterchildren("caption"):
            self.done += self.inside(caption)
        if _is_layout(element, rows):
            for row in rows:
                for cell in _cells(row):
                    self.children(cell)
                    self.flush()
            return
        cells: list[list[Cell]] = []
        images: list[Block] = []
        for row in rows:
            cells.append([])
            for cell in _cells(row):
                inner = self.inside(cell)
                images += [each for each in inner if not isinstance(each, _TEXTS)]
                cells[-1].append(
                    Cell(
                        text="\n".join(texts_of(inner)),
                        columns=min(max(_number(cell.get("colspan"), 1), 1), MOST_SPANNED),
                        rows=min(max(_number(cell.get("rowspan"), 1), 1), MOST_SPANNED),
                    )
                )
        cells = [row for row in cells if row]
        if any(cell.text for row in cells for cell in row):
            self.done.append(table_of(cells, heads=((0, _heads(rows)),)))
        self.done += images


_TEXTS = (Heading, Paragraph, ListItem, Note, PageBreak, Table)


def _rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """Its own, not those of tables in it."""
    for child in table:
        if child.tag == "tr":
            if not _is_hidden(child):
                yield child
        elif child.tag in ("thead", "tbody", "tfoot", "form"):
            yield from _rows(child)


def _cells(row: HtmlElement) -> Iterator[HtmlElement]:
    return (cell for cell in row if cell.tag in ("td", "th") and not _is_hidden(cell))


def _is_layout(table: HtmlElement, rows: Sequence[HtmlElement]) -> bool:
    """Whether the cells only place text on the page: one a row, or with tables or headings of their own."""
    if table.get("role") == "presentation" or max((len(list(_cells(row))) for row in rows), default=0) < 2:
        return True
    inner = ("table", "h1", "h2", "h3", "h4")
    return any(next(cell.iterdescendants(*inner), None) is not None for row in rows for cell in _cells(row))


def _heads(rows: Sequence[HtmlElement]) -> int:
    """How many of the first rows are heads: those of the table's head, or of head cells alone."""
    count = 0
    for row in rows:
        cells = list(_cells(row))
        parent = row.getparent()
        is_head = (parent is not None and parent.tag == "thead") or (
            bool(cells) and all(cell.tag == "th" for cell in cells)
        )
        if not is_head:
            break
        count += bool(cells)
    return count if count < len(rows) else 0


def _folded(text: str) -> str:
    return clean_lines(_SPACE.sub(" ", text).replace(_LINE_BREAK, "\n"))


def _is_hidden(element: HtmlElement) -> bool:
    return element.get("hidden") is not None or bool(_HIDDEN.search(element.get("style") or ""))


def _number(text: str | None, otherwise: int) -> int:
    found = re.match(r"\s*(-?\d{1,6})", text or "")
    return int(found[1]) if found else otherwise


def _data(address: str) -> bytes | None:
    """The bytes of an address that holds them itself."""
    found = _DATA.match(address)
    if not found:
        return None
    content = address[found.end() :]
    if ";base64" not in found[0].lower():
        return unquote_to_bytes(content)
    try:
        return base64.b64decode(unquote_to_bytes(content))
    except (ValueError, binascii.Error):
        return None
