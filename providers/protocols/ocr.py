"""The interface of text recognisers: the picture of a page in, its words and their places out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from text.pictures import PictureText


class TextRecogniser(Protocol):
    """Reads print. Sync and safe to share between threads."""

    @property
    def name(self) -> str: ...

    def read(self, picture: bytes, languages: Sequence[str]) -> PictureText:
        """The words of a PNG. languages: as Tesseract names them, empty where none is chosen.

        Raises ProviderError where the server does not answer, PictureRefused where it cannot read this one.
        """
        ...
