"""Finds a quote in its source and says how faithful it is: exact, normalised, corrected, or not there.
Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from english.closed_classes import MODALS, NEGATIONS, one_of
from english.dates import MONTHS, WEEKDAYS
from english.lexicon import NEGATIVE_PREFIXES
from text.normal_forms import spaceless
from text.normal_forms.normal_form import normal_form

Method = Literal["exact", "normalised", "corrected"]

FUZZY_SCORE = 90.0
WORD_SCORE = 65.0  # a misspelt word against the right one
FUZZY_LENGTHS = (0.8, 1.25)  # a corrected quote's length over the given one's
FUZZY_SOURCE = 200_000  # characters; a longer source is searched fuzzily in its hint window only
FUZZY_WORDS = 3  # a shorter quote resembles too much
WINDOW_MARGIN = 200
ELLIPSIS_SPAN = 3000
FIGURE_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """source[start:end] == quote, the source's own words.

    method: "exact", the same characters; "normalised", the same but for spaces, hyphenation, ligatures,
    accents, quote marks, dashes or case; "corrected", the same but for slips that change no figure and no
    negation.
    """

    start: int
    end: int
    method: Method
    quote: str


_TABLE_BARS = re.compile(r"(?:\s*\|(?:\s*:?-{3,}:?\s*(?=\|))?)+\s*")
_ELLIPSIS = re.compile(r"\s*[\[(]?(?:…|\.{3,}|\. \. \.)[\])]?\s*")
_FULL_WIDTH = {0xFF10 + figure: str(figure) for figure in range(10)}
_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
# Words that reverse a statement. A quote may differ from its source by a slip, but never in one of these.
_DECISIVE = re.compile(
    rf"\b(?:{one_of(NEGATIONS, MODALS)}|"
    r"non|\w+n't|unless|except\w*|only|all|any|each|every|some|if|or|and|but|increas\w*|decreas\w*|rise[sn]?|rose|f[ae]ll\w*|gains?|loss\w*|"
    r"profits?|more|less|fewer|greater|lower|higher|above|below|over|under|before|after|until|minimum|maximum|least|"
    r"most|includ\w*|exclud\w*|yes|true|false|first|second|third|last|half|double|triple|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|"
    r"(?:m|b|tr)illions?|days?|weeks?|months?|years?|hours?|"
    rf"{'|'.join((*MONTHS, *WEEKDAYS)).lower()})\b|[$€£¥%§]",
)
_OPPOSING_PREFIXES = (*NEGATIVE_PREFIXES, "de", "anti", "counter", "pre", "post", "re")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def locate(
    quote: str, source: str, near: tuple[int, int] | None = None, *, slips: bool = True
) -> Located | None:
    """Where `quote` is in `source`, or None. near: the span of the source that is searched first. slips:
    whether slips of the pen are allowed, which takes long for a long quote.

    An ellipsis in the quote stands for omitted words; the result includes them.
    """
    quote = quote.strip()
    if not quote:
        return None
    if "|" in quote and "|" not in source:
        quote = _TABLE_BARS.sub(" ", quote).strip()  # a row, copied out of a table in Markdown
    windows = [(0, len(source))]
    if near is not None:
        windows.insert(0, (max(0, near[0] - WINDOW_MARGIN), min(len(source), near[1] + WINDOW_MARGIN)))
    for find in (_find_same, _find_parts, _find_similar) if slips else (_find_same, _find_parts):
        for start, end in windows:
            if located := find(quote, source, start, end):
                return located
    return None


def cuts_word(source: str, start: int, end: int) -> bool:
    """Whether a quote begins or ends inside a word of its source: “able to pay” of “unable to pay”."""
    return not _is_whole(source, start, end)


def _find_same(quote: str, source: str, start: int, end: int) -> Located | None:
    """The quote exactly, else normalised."""
    for position in _occurrences(quote, source, start, end):
        if not _cuts_figure(source, position, position + len(quote)):
            return _located(source, position, position + len(quote), "exact")
    normal = normal_form(quote)[0]
    text, places = normal_form(source[start:end])
    for sought in dict.fromkeys([normal, _bare(normal)]):
        for position in _occurrences(sought, text, 0, len(text)) if sought else ():
            span = (start + int(places[position]), start + int(places[position + len(sought) - 1]) + 1)
            if _is_whole(source, *span) and _figures(quote) == _figures(source[slice(*span)]):
                return _located(source, *span, "normalised")
    return None


def _find_parts(quote: str, source: str, start: int, end: int) -> Located | None:
    """The parts between ellipses, one after the other."""
    parts = [part for part in _ELLIPSIS.split(quote) if _bare(part)]
    if not parts or parts == [quote]:
        return None
    located: list[Located] = []
    for part in parts:
        begin = located[-1].end if located else start
        here = _find_same(part, source, begin, end) or _find_similar(part, source, begin, end)
        if here is None:
            return None
        located.append(here)
    if located[-1].end - located[0].start > ELLIPSIS_SPAN:
        return None
    worst = max((part.method for part in located), key=["exact", "normalised", "corrected"].index)
    return _located(source, located[0].start, located[-1].end, worst)


def _find_similar(quote: str, source: str, start: int, end: int) -> Located | None:
    """The quote but for slips of the pen, in whole words."""
    sought = normal_form(quote)[0]
    if len(_WORD.findall(sought)) < FUZZY_WORDS or end - start > FUZZY_SOURCE:
        return None
    text, places = normal_form(source[start:end])
    alignment = fuzz.partial_ratio_alignment(sought, text, score_cutoff=FUZZY_SCORE)
    if alignment is None or len(text) < len(sought) * FUZZY_LENGTHS[0]:
        return None
    first, last = _whole_words(text, alignment.dest_start, alignment.dest_end)
    if first >= last or not _is_slip(sought, text[first:last], text):
        return None
    span = (start + int(places[first]), start + int(places[last - 1]) + 1)
    if _cuts_figure(source, *span) or _figures(quote) != _figures(source[slice(*span)]):
        return None
    return _located(source, *span, "corrected")


def _is_slip(quote: str, original: str, source: str) -> bool:
    """Whether two normalised texts differ in spelling only, not in what they say.

    A changed word that the source uses elsewhere is another word, not a misspelt one: lessee for lessor. In
    scripts whose words are of one letter or two, another letter is another word.
    """
    if spaceless.parts(quote) != spaceless.parts(original):
        return False
    if not FUZZY_LENGTHS[0] <= len(original) / len(quote) <= FUZZY_LENGTHS[1]:
        return False
    if fuzz.ratio(quote, original) < FUZZY_SCORE or _DECISIVE.findall(quote) != _DECISIVE.findall(original):
        return False
    ours, theirs = set(_WORD.findall(quote)), set(_WORD.findall(original))
    changed, replaced = ours - theirs, theirs - ours
    if changed & set(_WORD.findall(source)):
        return False
    if any(_are_opposed(word, other) for word in changed for other in replaced):
        return False
    return all(any(_are_alike(word, other) for other in replaced) for word in changed)


def _are_alike(a: str, b: str) -> bool:
    return a in b or b in a or fuzz.ratio(a, b) >= WORD_SCORE


def _are_opposed(a: str, b: str) -> bool:
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    prefix = longer.removesuffix(shorter)
    return len(shorter) > 2 and prefix != longer and prefix in _OPPOSING_PREFIXES


def _located(source: str, start: int, end: int, method: Method) -> Located:
    return Located(start=start, end=end, method=method, quote=source[start:end])


def _occurrences(sought: str, text: str, start: int, end: int) -> Iterator[int]:
    position = text.find(sought, start, end)
    while position >= 0:
        yield position
        position = text.find(sought, position + 1, end)


def _figures(text: str) -> list[str]:
    return _FIGURE.findall(text.translate(_FULL_WIDTH))


def _cuts_figure(source: str, start: int, end: int) -> bool:
    """Whether the span begins or ends inside a figure: "5" of "25", "25" of "25,699"."""
    return any(
        match.start() < edge < match.end()
        for edge in (start, end)
        for match in _FIGURE.finditer(source, max(0, edge - FIGURE_LENGTH), edge + FIGURE_LENGTH)
    )


def _is_whole(source: str, start: int, end: int) -> bool:
    """Whether the span cuts no word and no figure."""
    cuts = spaceless.cuts_word(source, start) or spaceless.cuts_word(source, end)
    return not cuts and not _cuts_figure(source, start, end)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span in whole words: a word that it cuts is kept if at least half of it is inside."""
    first, last = _nearer_edge(text, start), _nearer_edge(text, end)
    while first < last and text[first] == " ":
        first += 1
    while first < last and text[last - 1] == " ":
        last -= 1
    return first, last


def _nearer_edge(text: str, place: int) -> int:
    """The nearer end of the word that `place` cuts; `place` itself when it cuts none."""
    left = right = place
    while spaceless.cuts_word(text, left):
        left -= 1
    while spaceless.cuts_word(text, right):
        right += 1
    return left if place - left <= right - place else right


def _bare(text: str) -> str:
    """Without the punctuation at its edges, which writers add and drop."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", text)
