"""How sure OCR was of what it read: which words of a page are doubtful, which are its own. Pure."""

import re
import zlib

import numpy as np
from numpy.typing import NDArray

from text.normal_forms.spaceless import LETTERS

DOUBTFUL = 0.7  # certainty of a word's least certain character
OWN = 255  # in place of percent: a character of the file's own text
_WORD = re.compile(rf"[{LETTERS}]|[^\s{LETTERS}]+")


def pack_certainty(sure: NDArray[np.float64]) -> bytes:
    """The stored form of n certainties from 0 to 1: zlib of uint8 (n,), in percent."""
    return zlib.compress(np.rint(sure * 100).astype(np.uint8).tobytes(), 1)


def after_own_text(certainty: bytes, own: int) -> bytes:
    """The stored form of a page's text that OCR has read, behind `own` characters of the file's own text."""
    return zlib.compress(bytes([OWN]) * own + zlib.decompress(certainty), 1)


def is_recognised(certainty: bytes, start: int, end: int) -> bool:
    """Whether OCR has read any of text[start:end], a page on which it has read something."""
    if not certainty:
        return True
    sure = np.frombuffer(zlib.decompress(certainty), dtype=np.uint8)[max(0, start) : max(0, end)]
    return bool((sure != OWN).any())


def doubtful_words(text: str, certainty: bytes, start: int = 0, end: int | None = None) -> list[str]:
    """The words of text[start:end] that were hard to read, whole, in order. certainty: of the whole text."""
    if not certainty:
        return []
    sure = np.frombuffer(zlib.decompress(certainty), dtype=np.uint8)
    end = len(text) if end is None else end
    return [
        word[0]
        for word in _WORD.finditer(text)
        if word.start() < end and start < word.end() and sure[slice(*word.span())].min() < 100 * DOUBTFUL
    ]
