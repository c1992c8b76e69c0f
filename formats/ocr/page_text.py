"""From the lines of a picture to the characters of a page, in reading order. In the sandbox."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from formats.ocr.assembly import Line, assembled
from formats.ocr.engine import Engine, Picture, Quad, ReadLine, straighten
from formats.ocr.layout import Placed
from formats.ocr.letters import letter_boxes
from formats.ocr.orientation import readings, turn_points

LEAST_SCORE = 0.5  # of a line, 0 to 1; less is a drawing taken for print


def read(engine: Engine, picture: Picture, lines: Sequence[Quad], quarters: int) -> Line:
    """All of the page, turned upright, as one line with line ends."""
    with ThreadPoolExecutor(engine.threads) as threads:
        read_lines = threads.map(lambda line: _read_line(engine, picture, line, quarters), lines)
        return assembled([placed for placed in read_lines if placed])


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
