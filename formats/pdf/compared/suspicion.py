"""Which pages have a text that is likely to be other than what they show, by the text alone. Pure."""

import re
from collections.abc import Sequence

from formats.base.doubts import Doubt, DoubtKind
from text.languages import language_of, small_words

BROKEN = 0.2  # of the letters
MISREAD = 0.5  # of the text; a page with less keeps its text, and the part is marked
LEAST = 20  # letters; fewer tell nothing

_VISIBLE = re.compile(r"\S")
_JUNK = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")


def is_suspect(text: str, unmapped: float) -> bool:
    """unmapped: share of the characters of which the file does not say what letters they are, 0 to 1.

    Formulas and old fonts have many such characters and a right text for all that, in some language.
    """
    visible = len(_VISIBLE.findall(text))
    if visible < LEAST:
        return False
    if len(_JUNK.findall(text)) > BROKEN * visible:
        return True
    return unmapped > BROKEN and not small_words(language_of(text))


def is_misread(text: str, doubts: Sequence[Doubt]) -> bool:
    """Whether most of the text has other letters than the page shows."""
    letters = sum(doubt.end - doubt.start for doubt in doubts if doubt.kind == DoubtKind.LETTERS)
    return letters > MISREAD * max(len(text), 1)
