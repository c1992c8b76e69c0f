"""What counts as a word of a text: the word patterns, and a text's words in comparable form."""

import re

from text.normal_forms.clean_form import JOINERS, UNSEEN_CLASS
from text.normal_forms.marks import MARKS, with_marks
from text.normal_forms.normal_form import fold

# Underscores rule lines in forms and are no letters. Marks and what cannot be seen part no word.
_WORD = with_marks(r"[^\W_]", MARKS + UNSEEN_CLASS + JOINERS)
# "e-mail", "R&D", "4.2", "tenant's" are one word each.
COMPOUND = re.compile(rf"{_WORD}(?:[.,’'&-]{_WORD})*")
_LETTERS = re.compile(rf"[\w{MARKS}]+")
_DASHES_AND_QUOTES = re.compile("[\u2010-\u2027]")  # most texts are plain ASCII but for these
_SPACES = {code: " " for code in range(128) if not _LETTERS.match(chr(code))}


def letters(text: str) -> str:
    """Its letters and figures, joined: what is the same however it is spaced, marked up or punctuated."""
    return "".join(filter(str.isalnum, text))


def tokens(text: str) -> list[str]:
    """The runs of letters, figures and underscores of a text, folded, in order."""
    return spaced(text).split()


def spaced(text: str) -> str:
    """The tokens with spaces between them: less to keep than a list."""
    folded = fold(_DASHES_AND_QUOTES.sub(" ", text))
    return folded.translate(_SPACES) if folded.isascii() else " ".join(_LETTERS.findall(folded))
