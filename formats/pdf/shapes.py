"""Lines, filled boxes and pictures that a PDF's page draws, from which tables and scans are told. In the
sandbox.
"""

import ctypes
import math
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

MOST_OBJECTS = 5_000  # of a page that are looked at
MOST_SHAPES = 2_000  # of a page; one with more is a drawing
MOST_PARTS = 64  # of a path; one with more is a drawing
FEWEST_PARTS = 7  # of a path that is more than a rectangle
MOST_PICTURES = 1_000  # objects of a page among which pictures are looked for
DEEPEST = 3  # drawings within drawings
SHORTEST = 4.0  # points; what is smaller both ways is a dot
NO_FILL = -1
WHITE = 0xFFFFFF

Shape = tuple[float, float, float, float, int]
Matrix = tuple[float, float, float, float, float, float]
UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

_pointer, _int = ctypes.c_void_p, ctypes.c_int


def _quick(function: Any, result: Any, *arguments: Any) -> Any:
    """The function with plain addresses: typed pointers cost several times as much, for each object."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, _pointer).value or 0)


_on_page = _quick(pdfium.FPDFPage_GetObject, _pointer, _pointer, _int)
_in_form = _quick(pdfium.FPDFFormObj_GetObject, _pointer, _pointer, ctypes.c_ulong)
_kind = _quick(pdfium.FPDFPageObj_GetType, _int, _pointer)
_mode = _quick(pdfium.FPDFPath_GetDrawMode, _int, _pointer, _pointer, _pointer)
_count = _quick(pdfium.FPDFPath_CountSegments, _int, _pointer)
_bounds = _quick(pdfium.FPDFPageObj_GetBounds, _int, *[_pointer] * 5)
_fill_colour = _quick(pdfium.FPDFPageObj_GetFillColor, _int, *[_pointer] * 5)

_sides = (ctypes.c_float * 4)()  # left, bottom, right, top
_channels = (ctypes.c_uint * 4)()
_modes = (ctypes.c_int * 2)()  # fill, stroke
_at_sides = [ctypes.addressof(_sides) + 4 * place for place in range(4)]
_at_channels = [ctypes.addressof(_channels) + 4 * place for place in range(4)]
_at_modes = [ctypes.addressof(_modes) + 4 * place for place in range(2)]


def shapes(page: Any) -> list[Shape]:
    """Left, right, bottom, top in points, and the colour of the filling as one number, NO_FILL without.
    Empty for a page with more than MOST_SHAPES.
    """
    found: list[Shape] = []
    for drawn, kind, matrix in _objects(page, MOST_OBJECTS, DEEPEST):
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            found += _of_path(drawn, matrix)
            if len(found) > MOST_SHAPES:
                return []
    return found


def pictures(page: Any, *, deep: bool = False) -> list[list[float]]:
    """Left, right, bottom, top of each picture on a page, in points. deep: also those within drawings."""
    boxes = []
    for drawn, kind, matrix in _objects(page, MOST_PICTURES, DEEPEST if deep else 0):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE and _bounds(drawn, *_at_sides):
            boxes.append(list(_placed(matrix)))
    return boxes


def _objects(page: Any, most: int, deepest: int) -> Iterator[tuple[int, int, Matrix]]:
    """Each object, its kind, and how the drawing that it is in is placed on the page."""
    waiting = [(_on_page, ctypes.cast(page, _pointer).value, pdfium.FPDFPage_CountObjects(page), UNMOVED, 0)]
    while waiting and most > 0:
        get, holder, count, matrix, depth = waiting.pop()
        for index in range(min(count, most)):
            drawn = get(holder, index)
            kind = _kind(drawn)
            yield drawn, kind, matrix
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < deepest:
                form = _typed(drawn)
                inner = max(0, pdfium.FPDFFormObj_CountObjects(form))
                waiting.append((_in_form, drawn, inner, _joined(_matrix(form), matrix), depth + 1))
        most -= count


def _typed(drawn: int) -> Any:
    return ctypes.cast(drawn, pdfium.FPDF_PAGEOBJECT)


def _of_path(path: int, matrix: Matrix) -> Iterator[Shape]:
    """A path of few parts as the box around it; of several, each of its straight lines."""
    if not _mode(path, *_at_modes) or not any(_modes):
        return
    fill, stroke = _modes
    parts = _count(path)
    if FEWEST_PARTS <= parts <= MOST_PARTS:
        typed = _typed(path)
        for box in _lines(typed, parts, _joined(_matrix(typed), matrix)):
            if _is_seen(box):
                yield *box, NO_FILL
    elif parts < FEWEST_PARTS and _bounds(path, *_at_sides):
        left, right, bottom, top = _placed(matrix)
        colour = _colour(path) if fill else NO_FILL
        if _is_seen((left, right, bottom, top)) and (stroke or colour != WHITE):
            yield left, right, bottom, top, colour


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


def _placed(matrix: Matrix) -> tuple[float, float, float, float]:
    """Left, right, bottom, top on the page of the sides that were asked for last."""
    left, bottom, right, top = _sides
    if matrix is UNMOVED:
        return left, right, bottom, top
    return _around(_at(matrix, left, bottom), _at(matrix, right, top))


def _is_seen(box: tuple[float, float, float, float]) -> bool:
    left, right, bottom, top = box
    return all(map(math.isfinite, box)) and max(right - left, top - bottom) >= SHORTEST


def _colour(path: int) -> int:
    if not _fill_colour(path, *_at_channels):
        return NO_FILL
    red, green, blue, _ = _channels
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
        right[0] - origin[0],
        right[1] - origin[1],
        up[0] - origin[0],
        up[1] - origin[1],
        *origin,
    )


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _around(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float, float, float]:
    return min(one[0], other[0]), max(one[0], other[0]), min(one[1], other[1]), max(one[1], other[1])
