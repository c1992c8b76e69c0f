"""Marks written with the letter before them: accents, points of Hebrew and Arabic, vowels of India."""

import unicodedata

_ALPHABETS = (*range(0x300, 0x1E00), *range(0xA800, 0xAC00))

# Insides of character classes: the marks that are parts of words, and those of them without which people
# write and search. Vowels of India are none of the latter.
MARKS = "".join(chr(code) for code in _ALPHABETS if unicodedata.category(chr(code))[0] == "M")
OPTIONAL = (
    "\u0300-\u036f"  # accents
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # points of Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"  # vowels of Arabic
)


def with_marks(letter: str, marks: str) -> str:
    """The pattern of letters with the marks between and behind them. letter: the pattern of one letter."""
    return rf"{letter}+(?:[{marks}]+{letter}*)*"
