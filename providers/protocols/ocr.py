"""What a text recogniser promises: the picture of a page goes in, its words and their places come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWord:
    """box: left, top, right, bottom as parts of the upright picture, 0 to 1. sure: 0 to 1.

    Words of one `line` stand side by side, and in the order in which they are read.
    """

    text: str
    box: tuple[float, float, float, float]
    sure: float
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPicture:
    """quarter_turns: clockwise, after which the picture lies upright as the words say."""

    words: Sequence[ReadWord]
    quarter_turns: int


class TextRecogniser(Protocol):
    """Reads print. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    def read(self, picture: bytes, languages: Sequence[str]) -> ReadPicture:
        """The words of a PNG. languages: as Tesseract names them, empty where none is chosen.

        Raises ProviderError where the server does not answer, PictureRefused where it cannot read this one.
        """
        ...
