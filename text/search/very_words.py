"""The very words that were asked for, in a text or as a pattern for Postgres: whatever white space."""

import re
import unicodedata

from text.normal_forms.clean_form import clean_form, cleaned
from text.normal_forms.spaceless import with_line_ends
from text.search.fuzzy_match import FIRST_CJK

_LETTER = re.compile(r"\w")
_SIGN = re.compile(r"([^\w\s])")


def very_words(words: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where they stand, as spans of the text."""
    words, form = clean_form(words), cleaned(text)
    pattern = _between_edges(words, r"\s+".join(map(re.escape, words.split())), r"\b", r"\b")
    return tuple(form.before(*match.span()) for match in re.finditer(pattern, form.text, re.IGNORECASE))


def pattern_for_postgres(words: str) -> str:
    """The very words, whatever white space, none of them a part of a longer word; accents may be apart from
    their letters.
    """
    words = clean_form(words)
    pieces = r"\s+".join(_SIGN.sub(r"\\\1", word) for word in words.split())
    # A mark by itself is no part of a word to Postgres.
    ends = r"\M" if _apart(words[-1]) == words[-1] else r"(?!\w)"
    return "".join(map(_with_marks, _between_edges(words, pieces, r"\m", ends)))


def _with_marks(letter: str) -> str:
    apart = _apart(letter)
    return letter if apart == letter else f"(?:{letter}|{apart})"


def _apart(letter: str) -> str:
    """The letter and its accents."""
    return unicodedata.normalize("NFD", letter)


def _between_edges(words: str, pieces: str, begins: str, ends: str) -> str:
    return f"{begins if _joins(words[0]) else ''}{with_line_ends(pieces)}{ends if _joins(words[-1]) else ''}"


def _joins(letter: str) -> bool:
    """Whether another letter beside it would make a longer word."""
    return bool(_LETTER.match(letter)) and letter < FIRST_CJK
