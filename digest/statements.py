"""The sentences of a page, a list with what leads to it as one. Pure."""

import re
from collections.abc import Iterator

from text.sentences import sentences

LONGEST_LIST = 700  # characters of a list that is kept whole
LONGEST = 1_500  # characters of a statement; more is a table or a page without a sentence, and is cut
_LEADS = re.compile(r"(?::|[;,]\s*(?:and|or))\s*$|;\s*$")
_NUMBER = re.compile(r"\s*(?:\d{1,3}(?:\.\d{1,3})*[.)]?|\((?:\d{1,3}|[a-z]{1,4})\))\s*")
_ITEM = re.compile(r"\s*(?:\(?(?:[a-z]|[ivx]{1,4})\)|[•●▪–-])\s")


def statements(text: str) -> Iterator[tuple[int, int]]:
    """Where they begin and end. A list and its beginning are one: its items alone say nothing. So are the
    number of a clause or heading and its words.
    """
    for start, end in _whole(text):
        for first in range(start, end, LONGEST):
            yield first, min(first + LONGEST, end)


def _whole(text: str) -> Iterator[tuple[int, int]]:
    whole: tuple[int, int] | None = None
    for start, end in sentences(text):
        if whole and _goes_on(text, whole, start, end):
            whole = whole[0], end
            continue
        if whole:
            yield whole
        whole = start, end
    if whole:
        yield whole


def _goes_on(text: str, whole: tuple[int, int], start: int, end: int) -> bool:
    if _NUMBER.fullmatch(text, *whole):  # of a heading or a clause, which it belongs to
        return True
    is_led = bool(_LEADS.search(text[whole[0] : whole[1]]))
    return is_led and bool(_ITEM.match(text[start:end])) and end - whole[0] <= LONGEST_LIST
