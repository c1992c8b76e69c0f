"""Where sentences begin and end, in prose, in lists and in text that was wrapped into lines."""

import re
from functools import lru_cache
from itertools import pairwise

from graph.extraction.rules.words import words

_ABBREVIATIONS = words(
    "mr mrs ms dr prof st jr sr vs no nos inc ltd co corp llc plc art sec fig figs eq vol pp p ed eds al"
    " etc cf "
    "ca approx dept est gen gov sen rep rev hon col lt sgt capt cmdr adm jan feb mar apr jun jul aug sep"
    " sept "
    "oct nov dec e.g i.e u.s u.k u.n ph.d b.a m.a d.c bros mt ft nr str bzw usw z.b d.h"
)
_END = re.compile(r"""[.!?]+["'”’)\]]*(?=\s+["'“‘(\[]?[^\sa-z])|[。！？]+[”」』）]?|\n\s*\n""")
_BULLET = re.compile(r"\n(?=\s*(?:[-•▪●◦*–]|\(?[a-z0-9ivx]{1,4}[.)])\s)")
_LAST_WORD = re.compile(r"[\w.]*$")
# What is left of the first tab in a numbered item is no cell of a table.
_ITEM = re.compile(r"\s*(?:[-•▪●◦*–]|\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlc]+)[.)]?)\t")
_SHORT_LINE = 0.75  # of the longest line: shorter ones end a paragraph, a heading or a table's row


@lru_cache(maxsize=16)  # several rules ask about one chunk after the other
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences, without the white space around them; together they hold every word."""
    cuts = {match.end() for match in _END.finditer(text) if not _is_abbreviation(text, match)}
    cuts |= {match.end() for match in _BULLET.finditer(text)}
    cuts |= _line_ends(text)
    spans, start = [], 0
    for cut in [*sorted(cuts), len(text)]:
        piece = text[start:cut]
        body = piece.strip()
        if body:
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(body)))
        start = cut
    return tuple(spans)


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match.group()[0] != ".":
        return False
    found = _LAST_WORD.search(text, max(0, match.start() - 12), match.start())
    word = found.group() if found else ""
    return word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper())


def is_row(line: str) -> bool:
    """Whether the line has cells of a table."""
    item = _ITEM.match(line)
    return "\t" in line[item.end() if item else 0 :].strip()


def _line_ends(text: str) -> set[int]:
    """Ends of lines that are not mere wraps: of rows of a table, and of lines that are clearly shorter than
    the others when no small letter follows.
    """
    if "\n" not in text:
        return set()
    lines = text.split("\n")
    longest = max(map(len, lines))
    ends, position = set(), 0
    for line, following in pairwise(lines):
        position += len(line) + 1
        opening = following.lstrip()[:1]
        is_short = len(line) < _SHORT_LINE * longest and opening and not opening.islower()
        if is_short or is_row(line) or is_row(following):
            ends.add(position)
    return ends
