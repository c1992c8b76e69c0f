"""From the lines of a picture to the characters of a page, in reading order. In the sandbox."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from formats.ocr.assembly import Line, assembled
from formats.ocr.engine import Engine, Picture, Quad, ReadLine, straighten
from formats.ocr.layout import Placed
from formats.ocr.letters import letter_boxes
from formats.ocr.orientation import readings, turn_points
from formats.ocr.scripts import likelihood
from formats.ocr.unknown_scripts import Seen, scripts_of

LEAST_SCORE = 0.5  # of a line, 0 to 1; less is a drawing taken for print


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A line in a script that the engine does not know. box: left, top, right, bottom as parts of the upright
    page.
    """

    script: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """placed: what is read and where; None for what is no print. box: as in Unread."""

    seen: Seen
    box: tuple[float, float, float, float]
    placed: Placed[Line] | None


def read(engine: Engine, picture: Picture, lines: Sequence[Quad], quarters: int) -> tuple[Line, list[Unread]]:
    """All of the page, turned upright, as one line with line ends, and what the engine cannot read."""
    with ThreadPoolExecutor(engine.threads) as threads:
        read_lines = list(threads.map(lambda line: _read_line(engine, picture, line, quarters), lines))
    told = scripts_of([line.seen for line in read_lines])
    unread = [
        Unread(script=script, box=line.box) for line, script in zip(read_lines, told, strict=True) if script
    ]
    known = [line.placed for line, script in zip(read_lines, told, strict=True) if line.placed and not script]
    return assembled(known), unread


def packed(line: Line) -> bytes:
    """The body of a frame: n code points as uint32, then n places as five doubles each."""
    return line.codes.astype("<u4").tobytes() + line.places.astype("<f8").tobytes()


def _read_line(engine: Engine, picture: Picture, line: Quad, quarters: int) -> _Line:
    best: tuple[ReadLine, Quad, Picture] | None = None
    for quad in readings(line, quarters):
        straight = straighten(picture, quad)
        said = engine.read(straight)
        if best is None or said.score > best[0].score:
            best = said, quad, straight
    assert best
    said, quad, straight = best
    height, width = picture.shape[:2]
    turned = turn_points(quad, quarters, width, height)
    size = np.array([height, width] if quarters % 2 else [width, height])
    left, top, right, bottom = (
        np.hstack([turned.min(axis=0) / size, turned.max(axis=0) / size]).clip(0, 1).tolist()
    )
    grey = np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return _Line(
        seen=Seen(
            likelihood=likelihood(grey),
            text=said.text,
            score=said.score,
            length=straight.shape[1] / straight.shape[0],
        ),
        box=(left, top, right, bottom),
        placed=_placed(said, quad, straight, picture, quarters) if _is_print(said) else None,
    )


def _is_print(said: ReadLine) -> bool:
    return said.score >= LEAST_SCORE and 2 * said.text.count(" ") < len(said.text)


def _placed(said: ReadLine, quad: Quad, straight: Picture, picture: Picture, quarters: int) -> Placed[Line]:
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
