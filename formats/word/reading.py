"""From the parts of a Word document to blocks: the current text, each thing once, in reading order."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from formats.base.annotations import Annotation, AnnotationKind
from formats.base.characters import one_line
from formats.base.errors import ExtractionError, gettext_noop
from formats.embedded.parts import Package
from formats.embedded.pictures import Pictures
from formats.embedded.recognition import ZIP
from formats.embedded.xml import Element, attribute, child, children, local, whole_number
from formats.rendition.blocks import (
    Block,
    Heading,
    Image,
    ListItem,
    Note,
    PageBreak,
    Paragraph,
    texts_of,
)
from formats.word.alt_chunks import NOT_READ, blocks_of_part
from formats.word.equations import DELETED, line_of
from formats.word.markup import (
    CHANGES,
    MOST_RANGES,
    Range,
    annotations_in,
    author_of,
    change_of,
    deleted_words,
    joined,
    made,
)
from formats.word.numbering import Numbering
from formats.word.properties import value_of
from formats.word.running_text import OF_EACH_PAGE, RunningText, symbol
from formats.word.styles import Style, hides, numbering_of, outline_level, styles_of
from formats.word.tables import table_blocks

EMUS_A_POINT = 12_700
DEEPEST = 2  # documents in documents


def blocks_of(package: Package) -> Iterator[Block]:
    """Headers come first and footers last, each once; notes follow what they are about."""
    return _blocks_of(package, Pictures(), 0)


def _blocks_of(package: Package, pictures: Pictures, depth: int) -> Iterator[Block]:
    part = package.main("word/document.xml")
    root = package.xml(part)
    body = child(root, "body")
    if body is None:
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a Word document but has none inside.")
        )
    reader = _Reader(package=package, part=part, pictures=pictures, depth=depth)
    yield from reader.margins("header")
    yield from reader.content(body)
    yield from reader.margins("footer")


@dataclass(slots=True, kw_only=True)
class _Reader:
    package: Package
    part: str
    styles: dict[str, Style] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)
    notes: dict[str, dict[str, Element]] = field(default_factory=dict)
    pictures: Pictures
    depth: int  # of the document in others
    noted: int = 0
    labels: dict[tuple[str, str], str] = field(default_factory=dict)  # of the notes that were told
    waiting: deque[tuple[Element, str]] = field(default_factory=deque)  # notes, the first one being read
    taken_in: set[str] = field(default_factory=set)  # parts of another kind
    joined: RunningText = field(default_factory=RunningText)  # paragraphs whose end was deleted
    joined_properties: Element | None = None
    ranges: dict[str, Range] = field(default_factory=dict)  # of comments, which may go on in other paragraphs
    commented: dict[str, Range] = field(default_factory=dict)  # those that have ended

    def __post_init__(self) -> None:
        self.styles = styles_of(self._related("styles"))
        self.numbering = Numbering.of(self._related("numbering"))
        for kind, name in (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment")):
            self.notes[name] = {
                attribute(each, "id") or "": each
                for each in children(self._related(kind), name)
                if attribute(each, "type") in (None, "normal")
            }

    def _related(self, kind: str) -> Element | None:
        return next((self.package.xml(name) for name in self.package.related(self.part, kind)), None)

    def margins(self, kind: str) -> Iterator[Block]:
        """Headers or footers; those of several sections that say the same are told once."""
        told: set[str] = set()
        main = self.part
        for name in self.package.related(main, kind):
            root = self.package.xml(name)
            if root is None:
                continue
            self.part = name  # its pictures are named by its own relations
            blocks = list(self.content(root))
            self.part = main
            said = "\n".join(texts_of(blocks))
            if (
                said
                and said not in told
                and re.search(r"\w", re.sub(r"(?i)\b(page|seite|of|von)\b", "", said))
            ):
                told.add(said)
                yield Note(text=said)
            yield from (block for block in blocks if isinstance(block, Image))
            yield from annotations_in(blocks)

    def content(self, element: Element) -> Iterator[Block]:
        """Of the body, a cell, a text box or a note: no paragraph goes on beyond it."""
        outside = self.joined, self.joined_properties
        self.joined = RunningText()
        yield from self.inner(element)
        yield from self.end_joined()
        self.joined, self.joined_properties = outside

    def end_joined(self) -> Iterator[Block]:
        joined, self.joined = self.joined, RunningText()
        yield from self.ended(joined, self.joined_properties)
        yield from joined.behind

    def inner(self, element: Element) -> Iterator[Block]:
        for each in element:
            match local(each):
                case "p":
                    yield from self.paragraph(each)
                case "tbl":
                    yield from self.end_joined()
                    yield from table_blocks(each, self.content)
                case "sdt":
                    if (inner := child(each, "sdtContent")) is not None:
                        yield from self.inner(inner)
                case "ins" | "moveTo" | "customXml" | "smartTag":
                    yield from self.inner(each)
                case "del" | "moveFrom" as name:
                    if change := change_of(CHANGES[name], each, deleted_words(each)):
                        yield change
                case "commentRangeStart":
                    self.begin_range(attribute(each, "id") or "")
                case "commentRangeEnd":
                    self.end_range(attribute(each, "id") or "")
                case "AlternateContent":
                    yield from self.inner(_chosen(each))
                case "altChunk":
                    yield from self.end_joined()
                    yield from self.foreign(self.package.target(self.part, attribute(each, "id")))

    def foreign(self, name: str) -> Iterator[Block]:
        """A part that is a file of another kind, told once; of another document its blocks."""
        if name in self.taken_in:
            return
        self.taken_in.add(name)
        content = self.package.content(name)
        if content is None or (content.startswith(ZIP) and self.depth == DEEPEST):
            yield NOT_READ
        elif content.startswith(ZIP):
            try:
                yield from _blocks_of(Package(content), self.pictures, self.depth + 1)
            except ExtractionError:
                yield NOT_READ
        else:
            yield from blocks_of_part(name, content, self.pictures)

    def paragraph(self, element: Element) -> Iterator[Block]:
        properties = child(element, "pPr")
        text = RunningText(words=self.joined.words, behind=self.joined.behind, ranges=self.ranges)
        for each in self.ranges.values():
            each.add(" ")
        self.joined = RunningText()
        for each in element:
            yield from self.inline(each, text, properties)
        mark = child(properties, "rPr")
        if child(mark, "del") is not None or child(mark, "moveFrom") is not None:
            said: list[Block] = [block for block in text.behind if isinstance(block, Annotation)]
            self.joined, self.joined_properties = RunningText(words=text.words, behind=said), properties
            text.behind = [block for block in text.behind if not isinstance(block, Annotation)]
        else:
            yield from self.ended(text, properties)
        yield from text.behind
        if (
            child(properties, "sectPr") is not None
            and value_of(child(properties, "sectPr"), "type") != "continuous"
        ):
            yield PageBreak()

    def ended(self, text: RunningText, properties: Element | None) -> Iterator[Block]:
        """The paragraph as far as it was read."""
        words = text.clean()
        text.words = []
        style = self.styles.get(value_of(properties, "pStyle"), Style())
        label, level = self.numbered(properties, style) if words else (None, 0)
        own = outline_level(properties)
        heading = (style.heading if own is None else own) or 0
        if not words:
            return
        if heading:
            yield Heading(text=" ".join(f"{label or ''} {words}".split()), level=heading)
        elif label:
            yield ListItem(text=words, label=label, level=level)
        else:
            yield Paragraph(text=words, code=style.code)

    def numbered(self, properties: Element | None, style: Style) -> tuple[str | None, int]:
        """What is printed before the paragraph, and the level of its list."""
        number, level = numbering_of(properties)
        if number is None:
            number = style.list
            if level is None and number is not None:
                level = style.level
                if level is None:
                    level = self.numbering.level_of_style(number, value_of(properties, "pStyle"))
        if number is None:
            return None, 0
        level = level or 0
        return self.numbering.label(number, level), level

    def inline(self, element: Element, text: RunningText, properties: Element | None) -> Iterator[Block]:
        """Add what an element within a paragraph says; a page break within it ends the paragraph."""
        match local(element):
            case "del" | "moveFrom":
                self.deleted(element, text)
            case "ins" | "moveTo":
                yield from self.inserted(element, text, properties)
            case "commentRangeStart":
                self.begin_range(attribute(element, "id") or "")
            case "commentRangeEnd":
                self.end_range(attribute(element, "id") or "")
            case name if name in DELETED or name in ("pPr", "rPr", "sdtPr", "rt"):
                return
            case "t":
                if not text.unshown:
                    text.add(element.text or "")
            case "tab" | "ptab":
                text.add(" ")
            case "br" | "cr":
                if attribute(element, "type") == "page":
                    yield from self.ended(text, properties)
                    yield PageBreak()
                else:
                    text.add("\n")
            case "noBreakHyphen":
                text.add("-")
            case "sym":
                text.add(symbol(attribute(element, "char") or ""))
            case "fldChar":
                self.field(element, text)
            case "fldSimple":
                if not OF_EACH_PAGE.match(attribute(element, "instr") or ""):
                    yield from self.inside(element, text, properties)
            case "footnoteReference" | "endnoteReference":
                self.note(local(element).removesuffix("Reference"), attribute(element, "id") or "", text)
            case "commentReference":
                self.comment(attribute(element, "id") or "", text)
            case "oMath":
                text.add(f" {line_of(element)} ")
            case "r":
                if not self.is_hidden(child(element, "rPr"), properties):
                    if text.fields and (instruction := _instruction(element)):
                        text.fields[-1].instruction.append(instruction)
                    yield from self.inside(element, text, properties)
            case "AlternateContent":
                yield from self.inside(_chosen(element), text, properties)
            case "drawing" | "pict" | "object":
                text.behind += self.drawing(element)
            case _:
                yield from self.inside(element, text, properties)

    def is_hidden(self, run: Element | None, paragraph: Element | None) -> bool:
        """By the run's own properties, else by its style or the paragraph's."""
        named = (value_of(run, "rStyle"), value_of(paragraph, "pStyle"))
        own = hides(run)
        return any(self.styles.get(name, Style()).hidden for name in named) if own is None else own

    def inside(self, element: Element, text: RunningText, properties: Element | None) -> Iterator[Block]:
        for each in element:
            yield from self.inline(each, text, properties)

    def field(self, element: Element, text: RunningText) -> None:
        match attribute(element, "fldCharType"):
            case "begin":
                text.begin_field()
            case "separate":
                text.begin_result()
            case "end":
                text.end_field()

    def note(self, kind: str, number: str, text: RunningText) -> None:
        """Its number each time, and what it says once: notes may name one another, or themselves."""
        found = self.notes[kind].get(number)
        if found is None or (self.waiting and found is self.waiting[0][0]):
            return
        is_new = (kind, number) not in self.labels
        label = self.labels.setdefault((kind, number), f"[{self.noted + 1}]")
        self.noted += is_new
        text.add(label)
        if is_new:
            self.tell(found, label, text)

    def comment(self, number: str, text: RunningText) -> None:
        found = self.notes["comment"].pop(number, None)
        self.end_range(number)
        on = self.commented.pop(number, Range())
        if found is None:
            return
        ranges, self.ranges = self.ranges, {}  # a comment's own words are in no range
        said = "\n".join(texts_of(self.content(found), notes=False))
        self.ranges = ranges
        if said:
            text.behind.append(
                Annotation(
                    kind=AnnotationKind.COMMENT,
                    text=said,
                    quote=on.quote,
                    author=author_of(found),
                    made=made(found),
                )
            )

    def begin_range(self, number: str) -> None:
        if len(self.ranges) < MOST_RANGES:
            self.ranges.setdefault(number, Range())

    def end_range(self, number: str) -> None:
        if number in self.ranges:
            self.commented[number] = self.ranges.pop(number)

    def deleted(self, element: Element, text: RunningText) -> None:
        """What is no longer there is told beside the paragraph, and what is said of it."""
        words = deleted_words(element)
        for each in self.ranges.values():
            each.add(words, is_deleted=True)
        self.changed(change_of(CHANGES[local(element)], element, words, text.end()), text, len(text.words))
        for each in element.iter():
            if local(each) == "commentReference":
                self.comment(attribute(each, "id") or "", text)

    def inserted(self, element: Element, text: RunningText, properties: Element | None) -> Iterator[Block]:
        """Words of the document like others; that they are new is told beside the paragraph."""
        began, before = len(text.words), text.end()
        for block in self.inside(element, text, properties):
            yield block
            began = 0  # a page break has ended the paragraph
        added = "".join(text.words[began:])
        self.changed(change_of(CHANGES[local(element)], element, added, before), text, began)

    def changed(self, change: Annotation | None, text: RunningText, began: int) -> None:
        """began: behind how many pieces of the paragraph."""
        if change is None:
            return
        if began == text.changed and (whole := joined(text.behind[-1] if text.behind else None, change)):
            text.behind[-1] = whole
        else:
            text.behind.append(change)
        text.changed = len(text.words)

    def tell(self, note: Element, label: str, text: RunningText) -> None:
        """Behind the paragraph; one that is named in another note behind that."""
        is_inner = bool(self.waiting)
        self.waiting.append((note, label))
        while self.waiting and not is_inner:
            text.behind += self.apart(*self.waiting[0])
            self.waiting.popleft()

    def apart(self, element: Element, label: str) -> Iterator[Block]:
        blocks = list(self.content(element))
        if said := "\n".join(texts_of(blocks, notes=False)):
            yield Note(text=said, label=label)
        yield from (block for block in blocks if isinstance(block, Image | Note))
        yield from annotations_in(blocks)

    def drawing(self, element: Element) -> Iterator[Block]:
        """Pictures, text boxes, and the words of diagrams."""
        drawn = list(_drawn(element))
        said = next((attribute(each, "descr") for each in drawn if local(each) == "docPr"), None) or ""
        across = next((attribute(each, "cx") for each in drawn if local(each) == "extent"), None)
        width = max(whole_number(across, 0), 0) / EMUS_A_POINT or None
        for each in drawn:
            match local(each):
                case "blip" | "imagedata":
                    yield from self.picture(each, said, width)
                case "txbxContent":
                    yield from self.content(each)
                case "relIds":
                    yield from self.diagram(attribute(each, "dm"))
                case "t" if _is_drawn_text(each):
                    if words := one_line(each.text or ""):
                        yield Paragraph(text=words)

    def picture(self, element: Element, said: str, width: float | None) -> Iterator[Block]:
        name = self.package.target(self.part, attribute(element, "embed") or attribute(element, "id"))
        content = self.package.content_if_whole(name)
        image = self.pictures.block(content, said, width) if content else None
        if image:
            yield image
        elif said.strip():
            yield Note(text=one_line(said), label="Picture:")

    def diagram(self, relation: str | None) -> Iterator[Block]:
        root = self.package.xml(self.package.target(self.part, relation))
        for point in () if root is None else root.iter():
            said = (each.text or "" for each in point.iter() if local(each) == "t")
            if local(point) == "pt" and (words := one_line("".join(said))):
                yield Paragraph(text=words)


def _chosen(alternatives: Element) -> Element:
    """The first choice that says something, as newer programs read it; else what older ones read."""
    *choices, last = list(alternatives) or [alternatives]
    return next((each for each in choices if len(each)), last)


def _drawn(drawing: Element) -> Iterator[Element]:
    """Its elements, but not those in its text boxes, which are paragraphs with drawings of their own."""
    walk = etree.iterwalk(drawing, events=("start",))
    for _, each in walk:
        yield each
        if local(each) == "txbxContent":
            walk.skip_subtree()
        elif local(each) == "AlternateContent":
            walk.skip_subtree()
            yield from _drawn(_chosen(each))


def _instruction(run: Element) -> str:
    return "".join(each.text or "" for each in children(run, "instrText"))


def _is_drawn_text(element: Element) -> bool:
    """Text of a shape that is no text box of Word's: a group or canvas of DrawingML."""
    return str(element.tag).endswith("/drawingml/2006/main}t")
