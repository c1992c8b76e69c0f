"""The part of a passage that a result shows: its sentences with the words, marked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from text.search.stretches import Stretch
from text.sentences import sentences

WIDTH = 320  # characters shown
LEAST = 80  # of them, where more stands behind
LEAD = 60  # of them before the words, where a sentence is too long to be shown whole
ELLIPSIS = "…"
LINE, CELL = " · ", " | "  # between lines, and between the cells of a table

_PARTED = "\x1e"  # a sign that no document's text has
_SIGN = re.compile(rf"[ \r\n]*([{_PARTED}\t])[ \r\n]*")
_CLOSED = ".!?:;,\"'”’)]"
_LABEL = re.compile(r"(?:table|figure|chart|box|exhibit)\s+[A-Z0-9]+(?:[.-]\d+)*[.:]?", re.IGNORECASE)
_DOTS = re.compile(r"(?:\s?\.){5,}")
_WHITE_SPACE = re.compile(r"\s+")
# "4. Repair", "E. Support", "4.1 The Tenant shall": another clause begins. "(a)" is a part of one.
_CLAUSE = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[A-Z]\.)\s+[\"“(]?[^\W\d_a-z]")
_SIGNATURES = re.compile(
    r"(?:yours (?:sincerely|faithfully|truly)|(?:kind|best) regards|signed|executed|agreed|in witness)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(?[\w.]{1,8}[.)]")  # of a clause whose words are cut off
# The gap behind the number of a clause, “2.2” or “(a)”, whose words are all that follows on its line.
_NUMBER_GAP = re.compile(
    r"(?m)^(\(?(?:\d{1,3}(?:\.\d{1,3})+[.)]?|(?:\d{1,3}|[A-Za-z]|[ivxlc]+)[.)]))\t(?=[\"“(]?[^\W\d][^\t\n]*$)"
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """`place` is the offset in the passage of its first marked word, else of its beginning. `parts` have a
    sign between lines, and a tab between cells.
    """

    parts: tuple[Stretch, ...]
    place: int

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """On one line: cells separated by bars, lines by dots."""
        return tuple(
            replace(part, text=_on_a_line(part.text.replace(_PARTED, LINE).replace("\t", CELL)))
            for part in self.parts
        )

    @property
    def rows(self) -> list[list[list[Stretch]]]:
        """Its lines, each in cells; empty where no line is one of a table."""
        rows: list[list[list[Stretch]]] = [[[]]]
        for part in self.parts:
            for piece in _SIGN.split(part.text):
                if piece == _PARTED:
                    rows.append([[]])
                elif piece == "\t":
                    rows[-1].append([])
                elif piece:
                    rows[-1][-1].append(replace(part, text=_on_a_line(piece)))
        return rows if any(len(row) > 1 for row in rows) else []


def excerpt(text: str, spans: Sequence[Span], before: str = "") -> Excerpt:
    """The part where most of the spans are close together; without any, the beginning.

    before: what stands before the text in its document.
    """
    start, end = _window(text, spans)
    shown = _parted(text)
    inside = [(max(a, start), min(b, end)) for a, b in spans if a < end and b > start]
    stretches = list(_cut(shown[start:end], [(a - start, b - start) for a, b in inside]))
    if start > 0 or _goes_on(before, text):
        stretches.insert(0, Stretch(text=f"{ELLIPSIS} ", marked=False))
    if end < len(text.rstrip()):
        stretches.append(Stretch(text=f" {ELLIPSIS}", marked=False))
    return Excerpt(parts=tuple(stretches), place=inside[0][0] if inside else start)


def _goes_on(before: str, text: str) -> bool:
    """Whether a passage begins in the middle of a sentence."""
    first = next((letter for letter in text if letter.isalnum()), "")
    if before and not before[-1].isspace():
        before += "\n"  # of the page before
    seam = len(before)
    return first.islower() or any(a < seam < b for a, b in sentences(before + text[:WIDTH]))


def _parted(text: str) -> str:
    """The text with a sign after each heading, item and row that another line follows, and none in a clause
    behind its number. Of the same length.
    """
    text = _NUMBER_GAP.sub(r"\1 ", text)
    parts = list(text)
    for (start, end), (after, _) in pairwise(sentences(text)):
        is_open = "\t" in text[start:end] or text[end - 1] not in _CLOSED
        if is_open and "\n" in text[end:after]:
            parts[end:after] = [_PARTED, *"\n" * (after - end - 1)]
    return "".join(parts)


def _window(text: str, spans: Sequence[Span]) -> Span:
    if len(text) <= WIDTH:
        return 0, len(text)
    first = max(
        (a for a, _ in spans),
        key=lambda a: (sum(b - c for c, b in spans if a <= c and b <= a + WIDTH), -a),
        default=0,
    )
    whole = [(a, b) for a, b in sentences(text) if b > first]
    start, end = whole[0] if whole else (first, len(text))
    if end - start > WIDTH:
        start = _word_start(text, max(start, first - LEAD))
        return start, _word_end(text, start + WIDTH)
    line = text.rfind("\n", 0, start) + 1
    if _NUMBER.fullmatch(text[line:start].rstrip()):
        start = line
    for begin, after in whole[1:]:
        if after - start > WIDTH or (end - start >= LEAST and _is_of_another(text, begin, start, spans)):
            break
        if not _announces(text, begin, after):
            end = after
    if end - start < LEAST:  # a heading before a sentence that is too long to be shown whole
        end = _word_end(text, start + WIDTH)
    return start, end


def _is_of_another(text: str, begin: int, start: int, spans: Sequence[Span]) -> bool:
    """Whether a clause or the signatures begin there, of which no marked word would be shown."""
    begins = text[:begin].endswith("\n") and (_CLAUSE.match(text, begin) or _SIGNATURES.match(text, begin))
    return bool(begins) and not any(begin <= a and b <= start + WIDTH for a, b in spans)


def _announces(text: str, begin: int, end: int) -> bool:
    """Whether it says nothing without what follows: a table's label, a heading, a number of a clause."""
    part = text[begin:end]
    if _LABEL.fullmatch(part) or _NUMBER.fullmatch(part):
        return True
    return bool(_CLAUSE.match(part)) and part[-1] not in _CLOSED and text[end : end + 1] == "\n"


def _word_start(text: str, place: int) -> int:
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    return place


def _word_end(text: str, place: int) -> int:
    cut = max(text.rfind(" ", 0, place), text.rfind("\n", 0, place))
    return cut if place < len(text) and cut > place - LEAD else min(place, len(text))


def _cut(text: str, spans: Sequence[Span]) -> Iterator[Stretch]:
    position = 0
    for start, end in spans:
        if start > position:
            yield Stretch(text=text[position:start], marked=False)
        yield Stretch(text=text[start:end].replace(_PARTED, " "), marked=True)
        position = end
    if position < len(text):
        yield Stretch(text=text[position:], marked=False)


def _on_a_line(piece: str) -> str:
    """A line of dots to write on is an ellipsis."""
    return _DOTS.sub(f" {ELLIPSIS}", _WHITE_SPACE.sub(" ", piece))
