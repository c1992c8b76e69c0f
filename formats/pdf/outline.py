"""The outline that a PDF has of itself, its bookmarks. In the sandbox."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

MOST = 5_000  # entries
DEEPEST = 8
LONGEST = 2_000  # bytes of a title

Entry = tuple[int, str, int, float | None]


def outline(document: Any) -> list[Entry]:
    """Of each entry that leads to a page: level from 1, title, page from 1, points above the page's foot."""
    found: list[Entry] = []
    seen: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(seen) < MOST:
        mark, level = waiting.pop()
        address = ctypes.cast(mark, ctypes.c_void_p).value
        if not mark or address is None or address in seen:
            continue
        seen.add(address)
        if entry := _entry(document, mark, level):
            found.append(entry)
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, mark), level))
        if level < DEEPEST:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, mark), level + 1))
    return found


def _entry(document: Any, mark: Any, level: int) -> Entry | None:
    target = pdfium.FPDFBookmark_GetDest(document, mark)
    if not target and (action := pdfium.FPDFBookmark_GetAction(mark)):
        target = pdfium.FPDFAction_GetDest(document, action)
    size = pdfium.FPDFBookmark_GetTitle(mark, None, 0)
    page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
    if page < 0 or not 2 < size <= LONGEST:
        return None
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFBookmark_GetTitle(mark, buffer, size)
    title = " ".join(buffer.raw[:-2].decode("utf-16-le", "replace").split())
    return (level, title, page + 1, _height(target)) if title else None


def _height(target: Any) -> float | None:
    has_x, has_y, has_zoom = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    x, y, zoom = ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    known = pdfium.FPDFDest_GetLocationInPage(target, has_x, has_y, has_zoom, x, y, zoom)
    return float(y.value) if known and has_y.value else None
