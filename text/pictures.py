"""What stands on a picture, as an engine of OCR tells it: words with their places. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedWord:
    """box: left, top, right, bottom as parts of the upright picture, 0 to 1. sure: 0 to 1.

    Words of one `line` stand side by side, and in the order in which they are read.
    """

    text: str
    box: tuple[float, float, float, float]
    sure: float
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureText:
    """quarter_turns: clockwise, after which the picture lies upright as the words say."""

    words: Sequence[PicturedWord]
    quarter_turns: int = 0
