"""From the lines of a picture to the characters of a page, in reading order. In the sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from formats.ocr.engine import Engine, Picture, Quad, ReadLine, straighten
from formats.ocr.layout import Placed, rows
from formats.ocr.letters import letter_boxes
from formats.ocr.orientation import readings, turn_points

LEAST_SCORE = 0.5  # of a line, 0 to 1; less is a drawing taken for print
SPACE, LINE_END, HYPHEN = 0x20, 0x0A, 0x2D
DIVIDES = 0x02  # in place of a hyphen and its line end, as PDFium has it
WHITE = (0.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """codes: (n,) code points. places: (n, 5) left, top, right, bottom as parts of the page, and how sure."""

    codes: NDArray[np.uint32]
    places: NDArray[np.float64]


def read(engine: Engine, picture: Picture, lines: Sequence[Quad], quarters: int) -> Line:
    """All of the page, turned upright, as one line with line ends."""
    placed = [placed for line in lines if (placed := _read_line(engine, picture, line, quarters))]
    codes: list[NDArray[np.uint32]] = []
    places: list[NDArray[np.float64]] = []
    for row in rows(placed):
        _end_line(codes, places, row[0])
        for number, part in enumerate(row):
            if number:
                _add(codes, places, SPACE)
            codes.append(part.codes)
            places.append(part.places)
    if not codes:
        return Line(codes=np.zeros(0, dtype=np.uint32), places=np.zeros((0, 5)))
    return Line(codes=np.concatenate(codes), places=np.concatenate(places))


def joined(texts: Sequence[Line]) -> Line:
    """Texts that stand one below the other, as one."""
    codes: list[NDArray[np.uint32]] = [np.zeros(0, dtype=np.uint32)]
    places: list[NDArray[np.float64]] = [np.zeros((0, 5))]
    for text in texts:
        if len(text.codes):
            if len(codes) > 1:
                _add(codes, places, LINE_END)
            codes.append(text.codes)
            places.append(text.places)
    return Line(codes=np.concatenate(codes), places=np.concatenate(places))


def packed(line: Line) -> bytes:
    """The body of a frame: n code points as uint32, then n places as five doubles each."""
    return line.codes.astype("<u4").tobytes() + line.places.astype("<f8").tobytes()


def _read_line(engine: Engine, picture: Picture, line: Quad, quarters: int) -> Placed[Line] | None:
    best: tuple[ReadLine, Quad, Picture] | None = None
    for quad in readings(line, quarters):
        straight = straighten(picture, quad)
        said = engine.read(straight)
        if best is None or said.score > best[0].score:
            best = said, quad, straight
    assert best
    said, quad, straight = best
    if said.score < LEAST_SCORE or 2 * said.text.count(" ") >= len(said.text):
        return None
    height, width = picture.shape[:2]
    boxes = letter_boxes(straight, quad, said).reshape(-1, 2, 2)
    corners = turn_points(boxes, quarters, width, height)
    upright = np.hstack([corners.min(axis=1), corners.max(axis=1)])
    size = np.array([height, width] if quarters % 2 else [width, height])
    parts = np.hstack([upright / np.tile(size, 2), said.sure[:, None]]).clip(0, 1)
    codes = np.frombuffer(said.text.encode("utf-32-le"), dtype="<u4")
    turned = turn_points(quad, quarters, width, height)
    start, end = (turned[0] + turned[3]) / 2, (turned[1] + turned[2]) / 2
    return Placed(
        start=(float(start[0]), float(start[1])),
        end=(float(end[0]), float(end[1])),
        height=float(np.linalg.norm(turned[0] - turned[3])),
        content=Line(codes=codes.astype(np.uint32), places=parts),
    )


def _end_line(codes: list[NDArray[np.uint32]], places: list[NDArray[np.float64]], after: Line) -> None:
    """A hyphen behind a letter and before a small one divides a word."""
    if not codes:
        return
    last = codes[-1]
    if len(last) > 1 and last[-1] == HYPHEN and chr(last[-2]).isalpha() and chr(after.codes[0]).islower():
        codes[-1] = np.append(last[:-1], np.uint32(DIVIDES))
    else:
        _add(codes, places, LINE_END)


def _add(codes: list[NDArray[np.uint32]], places: list[NDArray[np.float64]], code: int) -> None:
    codes.append(np.array([code], dtype=np.uint32))
    places.append(np.array([WHITE]))
