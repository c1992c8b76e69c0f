"""The program that reads pages which are pictures. Run in the sandbox, never imported."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from formats.base.errors import ExtractionError
from formats.ocr import layer, page_text
from formats.ocr.assembly import joined
from formats.ocr.detection import find_lines, has_ink
from formats.ocr.engine import Engine, Picture, Quad
from formats.ocr.orientation import quarters
from formats.ocr.pictures import lines_in_pictures, lines_in_regions
from formats.ocr.resolution import pixels_across
from formats.pdf.opening import open_pdf
from formats.pdf.rendering import draw

STARTS_THREADS = True  # the models do

Frame = tuple[dict[str, Any], bytes]


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """A frame for each of `pages`: its number, whether it has a text that is kept when it is right, whether
    only its pictures are read, and which parts alone are (left, top, right, bottom as parts of the page).

    {page, kept} where it is; else the page's size in points, how many quarters it was turned, and `unread`:
    script and box of each line that cannot be read; with the text as page_text.packed gives it.
    """
    engine = Engine(request["threads"], frozenset(request["languages"]))
    document = open_pdf(request)
    for number, has_layer, only_pictures, regions in request["pages"]:
        page = pdfium.FPDF_LoadPage(document, number - 1)
        if not page:
            raise ExtractionError("corrupt")
        if only_pictures or regions:
            yield _read_parts(engine, page, number, regions)
        else:
            yield _read(engine, page, number, has_layer)
        pdfium.FPDF_ClosePage(page)


def _read(engine: Engine, page: Any, number: int, has_layer: bool) -> Frame:
    picture = _picture(page)
    lines: Sequence[Quad] = find_lines(engine, picture) if has_ink(picture) else ()
    if has_layer and layer.is_right(engine, page, picture, lines):
        return {"page": number, "kept": True}, b""
    turns = quarters(engine, picture, lines) if lines else 0
    sides = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
    width, height = reversed(sides) if turns % 2 else sides
    head = {"page": number, "kept": False, "quarter_turns": turns, "width": width, "height": height}
    text, unread = page_text.read(engine, picture, lines, turns)
    return head | _unread(unread), page_text.packed(text)


def _read_parts(engine: Engine, page: Any, number: int, regions: Sequence[Sequence[float]]) -> Frame:
    """The given parts of the page, or else its pictures. They lie as the page does."""
    picture = _picture(page)
    found = find_lines(engine, picture)
    lines = (
        lines_in_regions(page, picture, found, regions)
        if regions
        else lines_in_pictures(page, picture, found)
    )
    head = {
        "page": number,
        "kept": False,
        "quarter_turns": 0,
        "width": pdfium.FPDF_GetPageWidthF(page),
        "height": pdfium.FPDF_GetPageHeightF(page),
    }
    read = [page_text.read(engine, picture, of_one, 0) for of_one in lines]
    unread = [line for _, lines in read for line in lines]
    return head | _unread(unread), page_text.packed(joined([text for text, _ in read]))


def _unread(lines: Sequence[page_text.Unread]) -> dict[str, Any]:
    return {"unread": [[line.script, *line.box] for line in lines]}


def _picture(page: Any) -> Picture:
    head, pixels = draw(page, pixels_across(pdfium.FPDF_GetPageWidthF(page)))
    drawn = np.frombuffer(pixels, dtype=np.uint8).reshape(head["height"], head["width"], 3)
    return np.ascontiguousarray(drawn[:, :, ::-1])
