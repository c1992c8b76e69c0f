"""Lines in scripts that the engine does not know, as regions of a page. Pure."""

from collections.abc import Sequence
from typing import Any

from formats.base.doubts import MOST, Doubt, DoubtKind

GAP = 1.5  # heights of a line, to the next one of the same region
LONGEST_NAME = 40  # characters of a script's name

Told = Sequence[Any]  # script, left, top, right, bottom


def is_sound(lines: Any) -> bool:
    """Whether this is what the child says of lines: one that was taken over may send anything."""
    return isinstance(lines, list) and all(map(_is_line, lines))


def unread_regions(lines: Sequence[Told]) -> tuple[Doubt, ...]:
    """Lines of one script that stand below each other are one region. Boxes are in parts of the page."""
    regions: list[list[Any]] = []
    for script, left, top, right, bottom in sorted(lines, key=lambda line: (line[2], line[1]))[:MOST]:
        for region in regions:
            near = top - region[4] < GAP * (bottom - top)
            if region[0] == script and near and left < region[3] and region[1] < right:
                region[1:] = (
                    min(region[1], left),
                    min(region[2], top),
                    max(region[3], right),
                    max(region[4], bottom),
                )
                break
        else:
            regions.append([script, left, top, right, bottom])
    return tuple(
        Doubt(kind=DoubtKind.UNREAD, script=script, box=(left, top, right, bottom))
        for script, left, top, right, bottom in regions
    )


def _is_line(line: Any) -> bool:
    if not isinstance(line, list) or len(line) != 5 or not isinstance(line[0], str):
        return False
    left, top, right, bottom = sides = line[1:]
    return (
        0 < len(line[0]) <= LONGEST_NAME
        and all(isinstance(side, int | float) and 0 <= side <= 1 for side in sides)
        and left <= right
        and top <= bottom
    )
