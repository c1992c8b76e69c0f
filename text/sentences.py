"""Where sentences begin and end: in running text, and in text with lists, tables and wrapped lines."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from text.normal_forms.spaceless import CLOSING, ENDS, LETTERS, width
from text.word_lists import words

# Words whose full stop ends no sentence, in small letters and without the last stop.
ABBREVIATIONS = words(
    """mr mrs ms dr prof rev hon st jr sr dept gen gov sen rep col lt sgt capt cmdr adm inc ltd co corp llc
plc bros vs v no nos nr vol p pp ed eds al fig figs eq eqs sec art cl para cf ca approx est etc incl viz mt ft
str jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e u.s u.k u.n u.s.c u.s.c.a c.f.r a.m p.m ph.d b.a
m.a d.c bzw usw z.b d.h"""
)
_END = re.compile(
    r"""(?<![.!?])[.!?]++["'”’)\]]*+(?=\s+["'“‘(\[]*(?:[^\sa-z]|[a-z][A-Z]))"""
    rf"|[{ENDS}]+[{CLOSING}]*|(?<=[{LETTERS}])[!?;]+[{CLOSING}]*"
)
_LAST_WORD = re.compile(r"[\w.]*$")
_LONGEST_ABBREVIATION = 12  # characters
_PARAGRAPH_OR_BULLET = re.compile(
    r"\n\s*\n|\n(?=\s*(?:(?:[-•▪●◦*–]|\(?[a-z0-9ivx]{1,4}[.)])\s|[（(]?[一二三四五六七八九十]{1,3}[、）)]))"
)
# What is left of the first tab in a numbered item is no cell of a table.
_ITEM = re.compile(r"\s*(?:[-•▪●◦*–]|\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlc]+)[.)]?)\t")
_SHORT_LINE = 0.75  # of the longest line: shorter ones end a paragraph, a heading or a table's row


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """The offsets in text[start:end] at which a sentence ends and another one follows."""
    for match in _END.finditer(text, start, len(text) if end is None else end):
        if not (match.group().startswith(".") and _is_abbreviation(text, match.start())):
            yield match.end()


def _is_abbreviation(text: str, stop: int) -> bool:
    match = _LAST_WORD.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop)
    word = match.group() if match else ""
    return word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isupper())


@lru_cache(maxsize=16)  # several rules ask about one chunk after the other
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences, rows, items and headings, without the white space around them; together they
    hold every word.
    """
    cuts = {*sentence_ends(text), *(match.end() for match in _PARAGRAPH_OR_BULLET.finditer(text))}
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
    longest = max(map(width, lines))
    ends, position = set(), 0
    for line, following in pairwise(lines):
        position += len(line) + 1
        opening = following.lstrip()[:1]
        is_short = width(line) < _SHORT_LINE * longest and opening and not opening.islower()
        if is_short or is_row(line) or is_row(following):
            ends.add(position)
    return ends
