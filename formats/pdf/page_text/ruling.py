"""The lines and shadings that part the cells of tables on a page, and the grids that they make. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

THIN = 3.0  # points: what is thinner is a line
SHORTEST = 8.0  # points of a line
SAME = 1.5  # points between two drawings of one line
GAP = 4.0  # points between two parts of one line
TOUCHES = 4.0  # points between a line and one that ends at it
WHOLE_PAGE = 0.8  # of its area: such a box is its background or its frame
MOST_CELLS = 20_000  # of a grid
MOST_CROSSINGS = 4_000_000  # pairs of lines of a page

Line = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """In points from the top left of the displayed page. across: y, from x0 to x1. down: x, from y0 to y1.
    shades: x0, y0, x1, y1 and a colour as one number, in the order in which they are drawn.
    """

    across: Sequence[Line] = ()
    down: Sequence[Line] = ()
    shades: NDArray[np.float64]

    def shade_at(self, x: float, y: float) -> int:
        """The colour that a place is filled with, -1 for none."""
        s = self.shades
        over = np.flatnonzero((s[:, 0] <= x) & (x <= s[:, 2]) & (s[:, 1] <= y) & (y <= s[:, 3]))
        return int(s[over[-1], 4]) if len(over) else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """xs, ys: of the lines between columns and rows. cell_of: (rows, columns, 2), row and column of the first
    part of the cell that each part belongs to.
    """

    xs: NDArray[np.float64]
    ys: NDArray[np.float64]
    cell_of: NDArray[np.intp]


def ruling(shapes: NDArray[np.float64], width: float, height: float) -> Ruling:
    """shapes: (n, 5), x0, y0, x1, y1 in points and the colour, below 0 without; the page's size."""
    across: list[Line] = []
    down: list[Line] = []
    shades: list[list[float]] = []
    for x0, y0, x1, y1, colour in shapes.tolist():
        if (x1 - x0) * (y1 - y0) >= WHOLE_PAGE * width * height:
            continue
        is_flat, is_narrow = y1 - y0 <= THIN, x1 - x0 <= THIN
        if is_flat and not is_narrow:
            across.append(((y0 + y1) / 2, x0, x1))
        elif is_narrow and not is_flat:
            down.append(((x0 + x1) / 2, y0, y1))
        elif not is_flat:
            across += [(y0, x0, x1), (y1, x0, x1)]
            down += [(x0, y0, y1), (x1, y0, y1)]
            if colour >= 0:
                shades.append([x0, y0, x1, y1, colour])
    return Ruling(
        across=list(_whole(across)),
        down=list(_whole(down)),
        shades=np.array(shades, dtype=np.float64).reshape(-1, 5),
    )


def grids(lines: Ruling) -> Iterator[Grid]:
    """Those of two or more columns and rows; of each that touches no other."""
    across, down = np.array(lines.across).reshape(-1, 3), np.array(lines.down).reshape(-1, 3)
    if len(across) < 2 or not len(down) or len(across) * len(down) > MOST_CROSSINGS:
        return
    x, top, bottom = (part[None, :] for part in down.T)
    y, left, right = (part[:, None] for part in across.T)
    meets = (left - TOUCHES <= x) & (x <= right + TOUCHES) & (top - TOUCHES <= y) & (y <= bottom + TOUCHES)
    waiting = np.ones(len(across), dtype=bool)
    while waiting.any():
        mine = np.zeros(len(across), dtype=bool)
        mine[np.argmax(waiting)] = True
        theirs = meets[mine].any(axis=0)
        while True:
            reached = meets[:, theirs].any(axis=1) | mine
            if (reached == mine).all():
                break
            mine, theirs = reached, meets[reached].any(axis=0)
        waiting &= ~mine
        if mine.sum() > 1 and theirs.any() and (grid := _grid(across[mine], down[theirs])):
            yield grid


def _grid(across: NDArray[np.float64], down: NDArray[np.float64]) -> Grid | None:
    xs = _steps([*down[:, 0], across[:, 1].min(), across[:, 2].max()])
    ys = _steps([*across[:, 0], down[:, 1].min(), down[:, 2].max()])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > MOST_CELLS:
        return None
    return Grid(xs=xs, ys=ys, cell_of=_cells(_walls(down, xs, ys), _walls(across, ys, xs).T))


def _walls(
    lines: NDArray[np.float64], places: NDArray[np.float64], along: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Whether a line stands at the end of each part of the grid: (parts along the lines, parts beside)."""
    middles = (along[:-1] + along[1:]) / 2
    walls = np.zeros((len(middles), len(places) - 1), dtype=bool)
    for place, start, end in lines:
        number = int(np.argmin(np.abs(places - place))) - 1
        if 0 <= number < walls.shape[1]:
            walls[(start - SAME <= middles) & (middles <= end + SAME), number] = True
    return walls


def _cells(right: NDArray[np.bool_], below: NDArray[np.bool_]) -> NDArray[np.intp]:
    """right, below: of each part whether a line stands right of it, or below it."""
    rows, columns = right.shape
    first = list(range(rows * columns))

    def root(part: int) -> int:
        while first[part] != part:
            first[part] = first[first[part]]
            part = first[part]
        return part

    for row in range(rows):
        for column in range(columns):
            part = row * columns + column
            for other, is_parted in (
                (part + 1, column + 1 == columns or right[row, column]),
                (part + columns, row + 1 == rows or below[row, column]),
            ):
                if not is_parted:
                    one, two = sorted((root(part), root(other)))
                    first[two] = one
    roots = np.array([root(part) for part in range(rows * columns)], dtype=np.intp)
    return np.stack([roots // columns, roots % columns], axis=-1).reshape(rows, columns, 2)


def _whole(lines: Sequence[Line]) -> Iterator[Line]:
    """One line for all that are drawn at one place, with what they leave open closed."""
    rows: list[list[Line]] = []
    for line in sorted(lines):
        if rows and line[0] - rows[-1][0][0] <= SAME:
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        place = row[0][0]
        start, end = None, 0.0
        for _, begun, ended in sorted(row, key=lambda line: line[1]):
            if start is not None and begun - end <= GAP:
                end = max(end, ended)
                continue
            if start is not None and end - start >= SHORTEST:
                yield place, start, end
            start, end = begun, ended
        if start is not None and end - start >= SHORTEST:
            yield place, start, end


def _steps(places: Sequence[float]) -> NDArray[np.float64]:
    """In order, without those that are nearly the same."""
    steps: list[float] = []
    for place in sorted(places):
        if not steps or place - steps[-1] > TOUCHES:
            steps.append(place)
    return np.array(steps)
