"""What counts as a word of a text: the word patterns, and a text's words in comparable form."""

import re

from text.normal_form import fold

# "e-mail", "R&D", "4.2", "tenant's" are one word each; underscores rule lines in forms and are no letters.
COMPOUND = re.compile(r"[^\W_]+(?:[.,’'&-][^\W_]+)*")
_LETTERS = re.compile(r"\w+")
_DASHES_AND_QUOTES = re.compile("[\u2010-\u2027]")  # most texts are plain ASCII but for these
_SPACES = {code: " " for code in range(128) if not _LETTERS.match(chr(code))}


def tokens(text: str) -> list[str]:
    """The runs of letters, figures and underscores of a text, folded, in order."""
    return spaced(text).split()


def spaced(text: str) -> str:
    """The tokens with spaces between them: less to keep than a list."""
    folded = fold(_DASHES_AND_QUOTES.sub(" ", text))
    return folded.translate(_SPACES) if folded.isascii() else " ".join(_LETTERS.findall(folded))
