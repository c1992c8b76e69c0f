"""Where sentences begin and end: in running text, and in text with lists, tables and wrapped lines."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from text.normal_forms.spaceless import CLOSING, ENDS, LETTERS, width
from text.number_words import GERMAN_MONTHS
from text.word_lists import words

# Words whose full stop ends no sentence, in small letters and without the last stop.
ABBREVIATIONS = words(
    """mr mrs ms dr prof rev hon st jr sr dept gen gov sen rep col lt sgt capt cmdr adm inc ltd co corp llc
plc bros vs v no nos nr vol p pp ed eds al fig figs eq eqs sec art cl para cf ca approx est etc incl viz mt ft
str jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e u.s u.k u.n u.s.c u.s.c.a c.f.r a.m p.m ph.d b.a
m.a d.c bzw usw z.b d.h
abs ziff nrn abschn anl ggf evtl inkl exkl zzgl bzgl gem vgl sog tel lt rn rz mio mrd tsd std z.t u.a o.g
i.v.m i.s.d i.d.r b.v
ee chap réf cie ste tél pág págs núm núms apdo sra sres dña avda cía ud uds s.a s.l s.r.l s.a.s s.a.r.l"""
)
# "am 12. April", "im 2. Halbjahr": the stop makes an ordinal of a German number.
_COUNTED = "|".join(
    sorted(
        GERMAN_MONTHS
        | words(
            """Tag Tages Tage Werktag Werktages Werktags Arbeitstag Arbeitstages Bankarbeitstag Kalendertag
            Kalendertages Kalenderwoche Woche Monat Monats Quartal Quartals Halbjahr Halbjahres Jahr Jahres
            Stock Obergeschoss Abschnitt Kapitel Auflage Lebensjahr Lebensjahres"""
        ),
        key=len,
        reverse=True,
    )
)
_ORDINAL = re.compile(rf"(?<![\w.,])\d{{1,2}}\.(?=\s+(?:{_COUNTED})\b)")
# "z. B.", "d. h.", "EE. UU.": letters that stand for words, a stop behind each.
_LETTERS_BEFORE = re.compile(r"(?<![^\W_])[a-zA-Z]\.\s?$")
_LETTER_BEHIND = re.compile(r"\.\s[a-zA-Z]\.")
_END = re.compile(
    r"""(?<![.!?])[.!?]++["'”’)\]]*+(?=\s+["'“‘(\[]*(?:[^\sa-z]|[a-z][A-Z]))"""
    rf"|[{ENDS}]+[{CLOSING}]*|(?<=[{LETTERS}])[!?;]+[{CLOSING}]*"
)
_LAST_WORD = re.compile(r"[\w.]*$")
_LONGEST_ABBREVIATION = 12  # characters
_PARAGRAPH_OR_BULLET = re.compile(
    rf"\n\s*\n|\n(?!\s*\d{{1,2}}\.\s+(?:{_COUNTED})\b)"
    r"(?=\s*(?:(?:[-•▪●◦*–]|\(?[a-z0-9ivx]{1,4}[.)])\s|[（(]?[一二三四五六七八九十]{1,3}[、）)]))"
)
# What is left of the first tab in a numbered item is no cell of a table.
_ITEM = re.compile(r"\s*(?:[-•▪●◦*–]|\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlc]+)[.)]?)\t")
_SHORT_LINE = 0.75  # of the longest line: shorter ones end a paragraph, a heading or a table's row


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """The offsets in text[start:end] at which a sentence ends and another one follows."""
    for match in _END.finditer(text, start, len(text) if end is None else end):
        if not (match.group().startswith(".") and _goes_on(text, match.start())):
            yield match.end()


def _goes_on(text: str, stop: int) -> bool:
    """Whether the full stop belongs to a word."""
    return _is_abbreviation(text, stop) or _is_ordinal(text, stop)


def _is_ordinal(text: str, stop: int) -> bool:
    return text[stop - 1 : stop].isdigit() and bool(_ORDINAL.match(text, _start_of_number(text, stop)))


def _start_of_number(text: str, stop: int) -> int:
    while stop and text[stop - 1].isdigit():
        stop -= 1
    return stop


def _is_abbreviation(text: str, stop: int) -> bool:
    match = _LAST_WORD.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop)
    word = match.group() if match else ""
    if word.lower() in ABBREVIATIONS:
        return True
    return len(word) == 1 and word.isalpha() and (word.isupper() or _is_one_of_letters(text, stop))


def _is_one_of_letters(text: str, stop: int) -> bool:
    """“z. B.” and “d. h.”: a letter with another one, and its stop, beside it."""
    return bool(_LETTER_BEHIND.match(text, stop) or _LETTERS_BEFORE.search(text, max(0, stop - 4), stop - 1))


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
        is_short = is_short and not (
            _is_ordinal(text, position - 1 - len(line) + len(line.rstrip()) - 1)
            or _ORDINAL.match(following.lstrip())
        )
        if is_short or is_row(line) or is_row(following):
            ends.add(position)
    return ends
