"""Lines and filled boxes that a PDF's page draws: what the ruling of tables is told from. In the sandbox."""

import ctypes
import math
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

MOST_OBJECTS = 5_000  # of a page that are looked at
MOST_SHAPES = 2_000  # of a page; one with more is a drawing
MOST_PARTS = 64  # of a path; one with more is a drawing
FEWEST_PARTS = 7  # of a path that is more than a rectangle
DEEPEST = 3  # drawings within drawings
SHORTEST = 4.0  # points; what is smaller both ways is a dot
NO_FILL = -1
WHITE = 0xFFFFFF

Shape = tuple[float, float, float, float, int]
Matrix = tuple[float, float, float, float, float, float]
UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def shapes(page: Any) -> list[Shape]:
    """Left, right, bottom, top in points, and the colour of the filling as one number, NO_FILL without.
    Empty for a page with more than MOST_SHAPES.
    """
    found: list[Shape] = []
    left = MOST_OBJECTS
    waiting = [(pdfium.FPDFPage_GetObject, page, pdfium.FPDFPage_CountObjects(page), UNMOVED, 0)]
    while waiting and left > 0:
        get, holder, count, matrix, depth = waiting.pop()
        for index in range(min(count, left)):
            left -= 1
            drawn = get(holder, index)
            kind = pdfium.FPDFPageObj_GetType(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                found += _of_path(drawn, matrix)
                if len(found) > MOST_SHAPES:
                    return []
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
                inner = max(0, pdfium.FPDFFormObj_CountObjects(drawn))
                moved = _joined(_matrix(drawn), matrix)
                waiting.append((pdfium.FPDFFormObj_GetObject, drawn, inner, moved, depth + 1))
    return found


def _of_path(path: Any, matrix: Matrix) -> Iterator[Shape]:
    """A path of few parts as the box around it; of several, each of its straight lines."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke) or not (fill.value or stroke.value):
        return
    parts = pdfium.FPDFPath_CountSegments(path)
    if FEWEST_PARTS <= parts <= MOST_PARTS:
        for box in _lines(path, parts, _joined(_matrix(path), matrix)):
            if _is_seen(box):
                yield *box, NO_FILL
    elif parts < FEWEST_PARTS:
        sides = [ctypes.c_float() for _ in range(4)]
        if pdfium.FPDFPageObj_GetBounds(path, *sides):
            left, bottom, right, top = (side.value for side in sides)
            box = _around(_at(matrix, left, bottom), _at(matrix, right, top))
            colour = _colour(path) if fill.value else NO_FILL
            if _is_seen(box) and (stroke.value or colour != WHITE):
                yield *box, colour


def _lines(path: Any, parts: int, matrix: Matrix) -> Iterator[tuple[float, float, float, float]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    begun = last = (0.0, 0.0)
    for index in range(parts):
        part = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(part, x, y)
        place = _at(matrix, x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(part)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            begun = place
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _around(last, place)
        if pdfium.FPDFPathSegment_GetClose(part):
            yield _around(place, begun)
        last = place


def _is_seen(box: tuple[float, float, float, float]) -> bool:
    left, right, bottom, top = box
    return all(map(math.isfinite, box)) and max(right - left, top - bottom) >= SHORTEST


def _colour(path: Any) -> int:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(path, *parts):
        return NO_FILL
    red, green, blue, _ = (part.value for part in parts)
    return int(red << 16 | green << 8 | blue)


def _matrix(drawn: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, matrix):
        return UNMOVED
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _joined(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    origin = _at(then, e, f)
    right, up = _at(then, a + e, b + f), _at(then, c + e, d + f)
    return (
        right[0] - origin[0], right[1] - origin[1], up[0] - origin[0], up[1] - origin[1], *origin,
    )  # fmt: skip


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _around(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float, float, float]:
    return min(one[0], other[0]), max(one[0], other[0]), min(one[1], other[1]), max(one[1], other[1])
