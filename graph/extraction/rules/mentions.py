"""Where a passage names something: headings, values, quoted terms and works, runs of capitals."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from django.conf import settings

from english import names
from english.contracts.defined_terms import MEANS
from english.dates import WEEKDAYS
from graph.extraction.rules import words
from graph.extraction.rules.document import Document, openings, read_document
from graph.extraction.rules.headings import heading
from graph.extraction.rules.patterns import (
    CJK_QUOTED,
    NAME,
    NUMBERED_SECTION,
    PAGE_NUMBER,
    PARENTHESISED,
    PERIOD,
    QUOTED,
    VALUE,
)
from text.sentences import sentences

MAX_NAME = 90  # characters
MAX_QUOTED = 9  # words

_DEFINITION = re.compile(rf"^\s*(?:,\s*)?{MEANS}")
_LABEL = re.compile(r"[A-Z]\d{0,2}\.?")  # “B4” before a question of a form
_EDGE = "\x1f"
_MONTH = re.compile(words.MONTHS, re.IGNORECASE)
_LOOSE_ENDS = words.PRONOUNS | {"of", "for", "at", "the", "de", "and", "upon", "no", "no."}
_DROPPED = words.OPENING | names.PERSON_TITLES | frozenset(map(str.lower, WEEKDAYS))
_SIGNED = re.compile(r"(?:Signed|Executed|Witnessed)\s+(?:for(?:\s+the)?|at)\s+")  # “Signed for Acme Limited”
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class Mention:
    """text[start:end] of a passage names something; `type` is empty where the pattern does not tell it."""

    start: int
    end: int
    type: str = ""
    defines: bool = False


def find(text: str, document: Document | None = None) -> list[Mention]:
    """The mentions of one passage, in order, none within another; without a document it stands alone."""
    document = document or read_document([text])
    span = heading(text)
    mentions = [Mention(*span, defines=True)] if span else []
    runs = list(_runs(text))
    mentions += [Mention(*span) for span in document.headings.spans(text) if not _is_within(span, runs)]
    mentions += [Mention(*match.span(), match.lastgroup or "") for match in VALUE.finditer(text)]
    mentions += [Mention(*m.span(1), "REFERENCE", defines=True) for m in NUMBERED_SECTION.finditer(text)]
    mentions += _quoted(text)
    taken = apart(mentions)
    return apart(chain(taken, _names(text, runs, taken, document)))


def apart(mentions: Iterable[Mention]) -> list[Mention]:
    """Without those that overlap an earlier one of the sequence, and no more than a chunk may have."""
    apart: list[Mention] = []
    for mention in mentions:
        if len(apart) == settings.MAX_CHUNK_ENTITIES:
            break
        if not any(mention.start < other.end and other.start < mention.end for other in apart):
            apart.append(mention)
    return sorted(apart, key=lambda mention: mention.start)


def _quoted(text: str) -> Iterator[Mention]:
    for match in [*QUOTED.finditer(text), *CJK_QUOTED.finditer(text)]:
        inner = match[1].strip()
        if len(inner.split()) > MAX_QUOTED or not any(c.isalpha() for c in inner):
            continue
        start, end = match.start(1), match.start(1) + len(match[1].rstrip(" ,."))
        defined = bool(_DEFINITION.match(text[match.end() : match.end() + 40])) or bool(
            PARENTHESISED.search(text[max(0, match.start() - 40) : match.start()])
        )
        yield Mention(start, end, "TERM" if defined else "WORK", defines=defined)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Where capitals follow each other. A run goes on behind a wrapped line, but not behind a heading or a
    table's row.
    """
    parted = list(text)
    for start, _ in sentences(text):
        if start and parted[start - 1] == "\n":
            parted[start - 1] = _EDGE
    return (match.span() for match in NAME.finditer("".join(parted)))


def _is_within(span: tuple[int, int], runs: Sequence[tuple[int, int]]) -> bool:
    """Whether words before or behind it belong to it: “Cook” in “Timothy D. Cook” is no name of its own."""
    place = bisect_right(runs, span[0], key=lambda run: run[0])
    if not place:
        return False
    start, end = runs[place - 1]
    return start <= span[0] and span[1] <= end and (start, end) != span


def _names(
    text: str, runs: Iterable[tuple[int, int]], taken: Sequence[Mention], document: Document
) -> Iterator[Mention]:
    opening = openings(text)
    for start, end in runs:
        if page := PAGE_NUMBER.search(text, start, end + 12):
            end = min(end, page.start())
        if signed := _SIGNED.match(text, start, end):
            start = signed.end()
        yield from _trimmed(text, start, end, document, opening, taken)


def _trimmed(
    text: str, start: int, end: int, document: Document, opening: set[int], taken: Sequence[Mention]
) -> Iterator[Mention]:
    """The names within a run of capitals: without opening function words, cut where a value stands."""
    for other in taken:
        if other.start < end and start < other.end:
            if other.start > start:
                yield from _trimmed(text, start, other.start, document, opening, ())
            if other.end < end:
                yield from _trimmed(text, other.end, end, document, opening, taken)
            return
    start = _behind_opening_words(text, start, end, opens=start in opening)
    name = _POSSESSIVE.sub("", text[start:end].rstrip(" \n\t&-–/'’"))
    while name and name.rsplit(None, 1)[-1].lower() in _LOOSE_ENDS:
        name = name.rsplit(None, 1)[0] if len(name.split()) > 1 else ""
    if _is_name(name, start in opening, document):
        yield Mention(start, start + len(name))


def _behind_opening_words(text: str, start: int, end: int, *, opens: bool) -> int:
    """Where the name begins, behind labels, titles and words such as “In”; `end` when nothing is left.

    `opens`: the run of capitals opens a sentence, so that the first capital proves nothing.
    """
    begin = start
    while start < end:
        if not text[start].isalnum():
            start += 1
            continue
        word = text[start:end].split(None, 1)[0]
        low = word.lower().rstrip(".")
        if low in words.KEPT_WITHIN and (start > begin or not opens):
            return start
        is_label = opens and bool(_LABEL.fullmatch(word)) and end - start > len(word)
        if not (is_label or low in _DROPPED):
            return start
        if low == "the" and not opens and text[start + len(word) : end].strip():
            return start
        start += len(word)
    return end


def _is_name(name: str, opening: bool, document: Document) -> bool:
    if (
        PERIOD.search(name)
        or not 2 <= len(name) <= MAX_NAME
        or sum(c.isalpha() for c in name) < 2
        or name.islower()
    ):
        return False
    parts = name.split()
    if len(parts) == 1:
        low = name.lower()
        if (
            low in words.STOP
            or _MONTH.fullmatch(low)
            or low.split("-")[0].split("'")[0].split("’")[0] in words.STOP
        ):
            return False
        if document.small[low] > document.capital[low]:
            return False
        is_new = document.passages > 1 and not document.capital[low]
        if opening and (is_new or low.endswith(("ly", "ing"))):
            return False
        if len(name) == 2 and not name.isupper():
            return False
    return not (len(parts) > 3 and name.isupper())  # a shouted sentence
