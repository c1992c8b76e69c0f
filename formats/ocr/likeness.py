"""Whether two readings of a page have the same text, but for some letters that were read otherwise."""

import unicodedata

from rapidfuzz import fuzz

ALIKE = 60.0  # 0 to 100; the same words read by OCR are at 80 and more, other letters below 40


def are_alike(one: str, other: str) -> bool:
    return fuzz.ratio(letters(one), letters(other)) >= ALIKE


def letters(text: str) -> str:
    """Its letters and digits alone, whatever their case and width."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).lower()))
