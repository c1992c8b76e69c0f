"""How the lines of a PDF's page are printed, and which of them its tags call headings. In the sandbox."""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium

WHITE = frozenset((0x00, 0x09, 0x0A, 0x0D, 0x20, 0xA0))
ENDS = frozenset((0x0A, 0x0D))
FORCED_BOLD = 1 << 18  # of a font's flags
BOLD = 600  # weight
BOLD_NAMES = ("bold", "black", "heavy", "demi")
MOST_TAGS = 20_000  # of a page
LONGEST_TYPE = 64  # bytes
LONGEST_NAME = 200

Printed = tuple[int, float, bool, int]


def printed_lines(page: Any, text: Any, codes: Sequence[int]) -> list[Printed]:
    """Of each line where it begins among the characters, the size of its print in points, whether all of it
    is bold, and the level of heading that the file's tags give it.
    """
    levels = _tagged(page)
    lines = []
    for first, last in _spans(codes):
        bold = _is_bold(text, first) and _is_bold(text, last)
        level = levels.get(_content(text, first), 0) if levels else 0
        lines.append((first, round(_size(text, first), 1), bold, level))
    return lines


def _spans(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last printed character of each line."""
    first = last = -1
    for place, code in enumerate(codes):
        if code in ENDS:
            if first >= 0:
                yield first, last
            first = -1
        elif code not in WHITE:
            first, last = (place if first < 0 else first), place
    if first >= 0:
        yield first, last


def _size(text: Any, index: int) -> float:
    """The size in the font's own units, as large as it is drawn."""
    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text, index, matrix):
        scale = float((matrix.c**2 + matrix.d**2) ** 0.5)
    return float(pdfium.FPDFText_GetFontSize(text, index)) * scale


def _is_bold(text: Any, index: int) -> bool:
    if pdfium.FPDFText_GetFontWeight(text, index) >= BOLD:
        return True
    name, flags = ctypes.create_string_buffer(LONGEST_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(text, index, name, LONGEST_NAME, flags)
    return bool(flags.value & FORCED_BOLD) or any(
        part in name.value.decode("utf-8", "replace").lower() for part in BOLD_NAMES
    )


def _content(text: Any, index: int) -> int:
    """The number by which tags refer to what the character is drawn with."""
    drawn = pdfium.FPDFText_GetTextObject(text, index)
    return int(pdfium.FPDFPageObj_GetMarkedContentID(drawn)) if drawn else -1


def _tagged(page: Any) -> dict[int, int]:
    """The level of heading of marked content, where the page has such tags."""
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    levels: dict[int, int] = {}
    roots = range(min(pdfium.FPDF_StructTree_CountChildren(tree), MOST_TAGS))
    waiting = [(pdfium.FPDF_StructTree_GetChildAtIndex(tree, number), 0) for number in roots]
    for _ in range(MOST_TAGS):
        if not waiting:
            break
        element, level = waiting.pop()
        if not element:
            continue
        level = _level(element) or level
        for number in range(min(pdfium.FPDF_StructElement_CountChildren(element), MOST_TAGS)):
            if level and (content := pdfium.FPDF_StructElement_GetChildMarkedContentID(element, number)) >= 0:
                levels[content] = level
            waiting.append((pdfium.FPDF_StructElement_GetChildAtIndex(element, number), level))
    pdfium.FPDF_StructTree_Close(tree)
    return levels


def _level(element: Any) -> int:
    buffer = ctypes.create_string_buffer(LONGEST_TYPE)
    size = pdfium.FPDF_StructElement_GetType(element, buffer, LONGEST_TYPE)
    kind = buffer.raw[: max(0, min(size, LONGEST_TYPE) - 2)].decode("utf-16-le", "replace")
    if kind == "Title":
        return 1
    return int(kind[1]) if len(kind) == 2 and kind[0] == "H" and kind[1] in "123456" else int(kind == "H")
