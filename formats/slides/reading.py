"""From a presentation to blocks: each slide as it is laid out, its notes below it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.exc import PackageNotFoundError

from formats.base.characters import clean_lines, one_line
from formats.base.errors import ExtractionError, too_large
from formats.embedded.archive import UNREADABLE
from formats.embedded.parts import Package
from formats.embedded.pictures import Pictures
from formats.embedded.xml import attribute, local, whole_number
from formats.rendition.blocks import (
    Address,
    Block,
    Cell,
    Frame,
    Heading,
    Image,
    ListItem,
    Note,
    Paragraph,
    Slide,
    Table,
)
from formats.rendition.grid import table_of
from formats.rendition.heads import has_heads
from formats.rendition.list_labels import counted
from formats.slides.comments import comments_on, is_of_comments, people_of
from formats.slides.mending import mended

EMUS_A_POINT = 12_700
WIDTH = 720.0  # points to which a slide is drawn
ROW = 0.04  # of a slide's height: shapes whose tops differ by less stand side by side
MOST_SLIDES = 2_000
DEEPEST = 20  # groups in groups
USUAL_SIZE, SMALLEST_SIZE = 18.0, 8.0
SIZES = {"title": 32.0, "ctrTitle": 36.0, "subTitle": 22.0}
FOOTERS = {"sldNum", "dt", "ftr"}
DAMAGED = (ValueError, TypeError, AttributeError, KeyError, IndexError, NotImplementedError)  # of one shape
KINDS = {"alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I", "arabic": "1"}


def blocks_of(path: Path) -> Iterator[Block]:
    """Raises ExtractionError."""
    package = Package(path)
    for name in package.names():
        if name.endswith((".xml", ".rels")) and not is_of_comments(name):
            package.check(name)
    try:
        presentation = _opened(path, package)
        slides = list(presentation.slides)
    except (PackageNotFoundError, KeyError, AttributeError, TypeError, *UNREADABLE):
        raise ExtractionError("corrupt") from None
    if len(slides) > MOST_SLIDES:
        raise too_large("This file has {n} slides; {most} are allowed.", n=len(slides), most=MOST_SLIDES)
    width = presentation.slide_width or 9_144_000
    reader = _Reader(scale=WIDTH / width, height=(presentation.slide_height or 6_858_000) * WIDTH / width)
    people = people_of(package)
    for number, slide in enumerate(slides, start=1):
        hidden = slide._element.get("show") == "0"
        yield Address(text=f"Slide {number}", note="Hidden in the file" if hidden else "")
        yield reader.slide(slide)
        yield from comments_on(slide, people)


def _opened(path: Path, package: Package) -> Any:
    """Also where a picture is damaged: that costs the picture, not the slides."""
    try:
        return Presentation(str(path))
    except (KeyError, *UNREADABLE):
        return Presentation(mended(path, package))


class _Reader:
    """scale: points a unit of the file. height: of a slide, in points."""

    def __init__(self, *, scale: float, height: float) -> None:
        self.scale, self.height = scale, height
        self.pictures = Pictures()

    def slide(self, slide: Any) -> Slide:
        frames = [frame for shape in slide.shapes for frame in self.frames(shape, (0.0, 0.0, 1.0, 1.0), 0)]
        return Slide(
            width=WIDTH,
            height=self.height,
            frames=tuple(_in_reading_order(frames, self.height)),
            below=tuple(_below(slide)),
        )

    def frames(self, shape: Any, within: tuple[float, float, float, float], depth: int) -> Iterator[Frame]:
        """within: how far the group moves and stretches what is in it."""
        if local(shape._element) == "grpSp":
            if depth < DEEPEST:
                inner = _of_group(shape, within)
                for each in shape.shapes:
                    yield from self.frames(each, inner, depth + 1)
            return
        try:
            blocks = tuple(self.blocks(shape))
        except DAMAGED:
            blocks = tuple(_words(shape))
        if not blocks:
            return
        try:
            sides = [side or 0 for side in (shape.left, shape.top, shape.width, shape.height)]
        except DAMAGED:
            sides = [0, 0, 0, 0]
        x, y, across, down = within
        left, top = x + sides[0] * across, y + sides[1] * down
        wide, high = sides[2] * across, sides[3] * down
        points = [side * self.scale for side in (left, top, wide, high)]
        room = max(WIDTH - max(points[0], 0.0), 40.0)
        yield Frame(
            x=min(max(points[0], 0.0), WIDTH - 40),
            y=min(max(points[1], 0.0), self.height - 12),
            width=min(points[2], room) if points[2] > 24 else room,
            height=points[3] if points[3] > 8 else 20.0,
            blocks=blocks,
            size=_size(shape) * self.scale * EMUS_A_POINT,
        )

    def blocks(self, shape: Any) -> Iterator[Any]:
        kind = _placeholder(shape)
        if kind in FOOTERS:
            return
        if getattr(shape, "has_table", False) and shape.has_table:
            yield from _table(shape.table)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            yield from _chart(shape.chart)
        elif image := self.image(shape):
            yield image
        elif shape.has_text_frame:
            yield from _paragraphs(shape.text_frame, is_title=kind in ("title", "ctrTitle"))
        else:
            yield from _words(shape)

    def image(self, shape: Any) -> Image | Note | None:
        try:
            content = shape.image.blob
        except (AttributeError, KeyError, ValueError):
            return None
        said = attribute(shape._element._nvXxPr.cNvPr, "descr") or ""
        width = (shape.width or 0) * self.scale
        image = self.pictures.block(
            content, "" if said.endswith((".png", ".jpg", ".jpeg")) else said, width or None
        )
        return image


def _words(shape: Any) -> Iterator[Paragraph]:
    """Whatever is written in it."""
    lines = (one_line(each.text or "") for each in shape._element.iter() if local(each) == "t")
    return (Paragraph(text=line) for line in lines if line)


def _paragraphs(frame: Any, *, is_title: bool) -> Iterator[Any]:
    if is_title:
        if text := one_line(" ".join(paragraph.text for paragraph in frame.paragraphs)):
            yield Heading(text=text)
        return
    counts: dict[int, int] = {}
    for paragraph in frame.paragraphs:
        text = clean_lines(paragraph.text, gaps=False)
        if not text:
            continue
        level = paragraph.level
        label = _label(paragraph, counts)
        if label:
            yield ListItem(text=text, label=label, level=level)
        else:
            yield Paragraph(text=text, indent=level)


def _label(paragraph: Any, counts: dict[int, int]) -> str:
    """A bullet or number that the paragraph has itself; those of the master are not told."""
    properties = paragraph._p.pPr
    for each in () if properties is None else properties:
        if local(each) == "buChar":
            return "•"
        if local(each) == "buAutoNum":
            start = whole_number(attribute(each, "startAt"), 1)
            counts[paragraph.level] = counts.get(paragraph.level, start - 1) + 1
            kind = attribute(each, "type") or ""
            number = counted(
                counts[paragraph.level], next((k for n, k in KINDS.items() if kind.startswith(n)), "1")
            )
            return (
                f"({number})" if "ParenBoth" in kind else f"{number})" if "ParenR" in kind else f"{number}."
            )
    return ""


def _table(table: Any) -> Iterator[Table]:
    rows = []
    for row in table.rows:
        cells = []
        for cell in row.cells:
            if cell.is_spanned:
                continue
            text = clean_lines(cell.text, gaps=False)
            cells.append(
                Cell(text=text, columns=cell.span_width, rows=cell.span_height)
                if cell.is_merge_origin
                else text
            )
        rows.append(cells)
    words = [[str(cell) for cell in row] for row in rows]
    if any(any(row) for row in words):
        yield table_of(rows, heads=((0, int(bool(table.first_row) or has_heads(words))),))


def _chart(chart: Any) -> Iterator[Any]:
    """A chart as the table that it draws."""
    try:
        if (
            chart.has_title
            and chart.chart_title.has_text_frame
            and (said := one_line(chart.chart_title.text_frame.text))
        ):
            yield Paragraph(text=said)
        plots = list(chart.plots)
        for plot in plots:
            series = list(plot.series)
            rows = [["", *(one_line(each.name or "") for each in series)]]
            for place, category in enumerate(plot.categories):
                values = (each.values[place] if place < len(each.values) else None for each in series)
                rows.append(
                    [one_line(str(category)), *("" if value is None else f"{value:g}" for value in values)]
                )
            if len(rows) > 1:
                yield table_of(rows, heads=((0, 1),))
    except (AttributeError, KeyError, ValueError, TypeError, IndexError):
        return


def _below(slide: Any) -> Iterator[Note]:
    try:
        frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        said = clean_lines(frame.text, gaps=False) if frame else ""
    except (AttributeError, KeyError, ValueError):
        said = ""
    if said:
        yield Note(text=said, label="Notes:")


def _in_reading_order(frames: Sequence[Frame], height: float) -> list[Frame]:
    """From the top, side by side from the left; the title comes first wherever it stands."""
    titled = [frame for frame in frames if isinstance(frame.blocks[0], Heading)]
    others = sorted((frame for frame in frames if frame not in titled), key=lambda frame: frame.y)
    rows: list[list[Frame]] = []
    for frame in others:
        if rows and frame.y - rows[-1][0].y < ROW * height:
            rows[-1].append(frame)
        else:
            rows.append([frame])
    return titled + [frame for row in rows for frame in sorted(row, key=lambda frame: frame.x)]


def _of_group(group: Any, within: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y, across, down = within
    form = group._element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
    sides = {local(each): each for each in (() if form is None else form)}
    if not {"off", "ext", "chOff", "chExt"} <= set(sides):
        return within
    figure = {
        name: (whole_number(sides[name].get(a), 0), whole_number(sides[name].get(b), 0))
        for name, a, b in (("off", "x", "y"), ("ext", "cx", "cy"), ("chOff", "x", "y"), ("chExt", "cx", "cy"))
    }
    wide = across * figure["ext"][0] / (figure["chExt"][0] or 1)
    high = down * figure["ext"][1] / (figure["chExt"][1] or 1)
    return (
        x + figure["off"][0] * across - figure["chOff"][0] * wide,
        y + figure["off"][1] * down - figure["chOff"][1] * high,
        wide,
        high,
    )


def _placeholder(shape: Any) -> str:
    found = next((each for each in shape._element.iter() if local(each) == "ph"), None)
    return "" if found is None else attribute(found, "type") or "body"


def _size(shape: Any) -> float:
    """Of its print in points, as its first run says; else what such shapes usually have."""
    for each in shape._element.iter():
        if local(each) in ("rPr", "defRPr") and (size := whole_number(attribute(each, "sz"), 0)) > 0:
            return min(max(size / 100, SMALLEST_SIZE), 66.0)
    return SIZES.get(_placeholder(shape), USUAL_SIZE)
