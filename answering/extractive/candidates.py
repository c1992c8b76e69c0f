"""The parts of passages that may be quoted, each with what stands around it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from english.closed_classes import AUXILIARIES, one_of
from english.contracts.clauses import clause_at, number_of_clause
from english.contracts.roles import ROLE
from english.dates import YEAR
from english.quotable import KEPT, MAX_QUOTE, Part, parts
from providers.protocols import Vectors
from text.tables.markdown_tables import HEADS_JOINER
from text.tables.table_lines import cells

MIN_PART = 12  # characters; less is no answer to anything
SHORT = 40  # characters; a shorter sentence says little without its neighbours
SOON = 80  # characters of a sentence in which it says "it" of what stands before it
LONG_ENOUGH = 30  # characters; a shorter answer ("Yes.") is quoted with what follows
GROUP_JOINER = ": "
STATEMENT = 10  # words; a line without a full stop that has so many is more than a heading

# What every report or contract of its kind says about itself, whatever its matter: single sentences, and
# passages all of which are such.
_BOILERPLATE = re.compile(
    r"\bincorporated (?:herein )?by reference\b|\baccompanying notes\b|\bnotes are an integral part\b"
    r"|\ball rights reserved\b|\bduly (?:authori[sz]ed|caused this)\b|\btable of contents\b"
    r"|\bItem \d+[A-Z]?\.$"
    r"|\b(?:agreement|contract|lease|licen[cs]e|deed|terms|provisions|everything else)\b[^.;]{0,80}"
    r"\b(?:remains?|continues?|stays?)\b[^.;]{0,20}"
    r"\b(?:full force|unchanged|unaffected|unaltered|the same|as (?:it is|they are))\b",
    re.IGNORECASE,
)
_CERTIFICATE = re.compile(
    r"\bcertif(?:y|ies|ication)\b.{0,200}(?:\bpursuant to\b|\bSection \d|\breviewed this)|\bSarbanes.Oxley\b"
    r"|\bbased on my knowledge\b|\bcertifying officer|\bindicate by check ?mark\b"
    r"|\bforward.looking statements?\b.{0,400}\bforward.looking statements?\b",
    re.IGNORECASE | re.DOTALL,
)
# How a sentence begins that goes on about what the one before names. "This Agreement" names its own subject.
_GOES_ON = re.compile(
    r"(?:It|Its|They|Their|He|She|His|Her)\b"
    rf"|(?:This|These) {one_of(AUXILIARIES)}\b"
)
# What somebody did to that: "Cavendish v Makdessi replaced it".
_DONE_TO_IT = re.compile(r"[^,.;:]{3,60}?\b\w+(?:ed|es|s) (?:it|them|him|her)\b")
_POINTS_BACK = re.compile(r"\b(?:it|them|him|her|they|he|she)\b", re.IGNORECASE)
_STATES_FIRST = re.compile(
    r"(?!(?:what|who|how|why|when|where|which|can|may|is|are|do|does|q\w*)\b)"
    r"(?:\S+\s+){3,}?\S+:\s",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:signed|executed|witnessed)\b.{0,160}\b(?:by|for|behalf of)\s+[A-Z]|(?:By:\s*)?/s/\s*[A-Z]",
    re.IGNORECASE,
)
_CALLED = re.compile(r"[^()]{3,120}\(\s?(?:the\s)?[\"“](?:the\s)?[A-Z][\w -]{1,40}[\"”]\s?\)\W*$")
# The line that says of when, for how long or between whom a contract is: "Date: 22 August 2025".
_LABELLED = re.compile(
    r"(?:(?:Effective |Commencement |Start |End |Expiry )?Date|Term|Period"
    rf"|(?=[A-Z])(?i:{ROLE}))"
    r":\s+(?=\S*[A-Z\d]).{3,}"
)
_POINT = re.compile(r"[-•▪●◦*–]\s")
# Names a table or a picture, or announces one: "The components were as follows: (In millions)".
_CAPTION = re.compile(r"(?:Table|Figure|Exhibit|Schedule|Note|NOTE)\b|.*[):?]$")
# A line of a reckoning that says nothing alone: "(299) Higher unit cost", "990 Lower operating expenses".
_CHANGE = re.compile(r"\(\d[\d,.]{2,}\)\s")
_CHANGE_IN_ROW = re.compile(rf"(?!{YEAR}\b)\d{{2,3}}(?:,\d{{3}})*\s(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage as a tool gave it. score: its nearness in meaning, 0 to 1. table: its rows as Markdown.
    changes: titles of the documents that its own one amends.
    """

    key: str
    document: str
    text: str
    score: float
    table: str = ""
    table_heads: str = ""
    by_meaning: bool = True  # found by a search by meaning, not only by its letters
    changes: tuple[str, ...] = ()

    @property
    def of(self) -> str:
        """The title, and the titles of what its document changes."""
        return " ".join((self.document, *self.changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A quotable part: passage.text[start:end], with all that its rank rests on."""

    passage: Passage
    start: int
    end: int
    text: str  # white space folded
    around: str  # the heading and the heads of columns that it stands under
    beside: str  # the parts before and after it in the passage
    kind: str  # "sentence", "row", or "label" for a line such as "Date: 22 August 2025"
    heads: str = ""  # of the columns, when it is a row
    first_head: str = ""  # of the column with the names of the rows
    group: str = ""  # what names the rows that it is among, "Americas"
    cells: tuple[str, ...] = ()  # of a row, where they are known
    cut_before: bool = False
    cut_after: bool = False
    score: float = 0.0  # orders the candidates of one question
    sure: float = 0.0  # 0 to 1: whether it is an answer at all
    vector: Vectors | None = None  # of the heading and the text
    stands_for: str = ""  # the part before it, where it says "it" or "they" of what that one names
    said: bool = False  # states what is asked in the words that documents usually have for it

    @property
    def whole(self) -> bool:
        return not self.cut_before and not self.cut_after

    @property
    def quote(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def clause(self) -> str:
        """The number of the clause that it is, or is a part of; empty where none is told."""
        return number_of_clause(self.text) or clause_at(self.passage.text, self.start)

    @property
    def row(self) -> str:
        """The row of a table as it reads: its cells parted by bars."""
        return " | ".join(self.row_cells)

    @property
    def row_cells(self) -> Sequence[str]:
        known = self.cells if self.first_head or not self.cells or self.cells[0] else self.cells[1:]
        return known or cells(self.quote)

    @property
    def columns(self) -> Sequence[str]:
        """What heads each cell, the first one the row's group where nothing else does; empty if unknown."""
        heads = self.heads.split(HEADS_JOINER) if self.heads else []
        own, first = len(self.row_cells), self.first_head
        if not heads or own > len(heads) + 1 or (own < len(heads) and not self.cells):
            return ()
        if own == len(heads) and not self.cells:
            first, *heads = heads
        return [first or self.group, *heads]

    @property
    def boilerplate(self) -> bool:
        is_signed = _SIGNED.match(self.text)
        return not is_signed and bool(
            _BOILERPLATE.search(self.text) or _CERTIFICATE.search(self.passage.text)
        )


def candidates(passages: Sequence[Passage]) -> list[Candidate]:
    """Quotable parts, each text once: of repeats the one that is whole, or knows more of its headings."""
    kept: dict[str, Candidate] = {}
    for part in (part for passage in passages for part in _of(passage)):
        other = kept.get(part.text)
        if other is None or (part.whole, len(part.around)) > (other.whole, len(other.around)):
            kept[part.text] = part
    wholes = [part.text for part in kept.values() if part.whole and part.kind != "row"]
    return [part for part in kept.values() if part.whole or not any(part.text in whole for whole in wholes)]


@lru_cache(KEPT)
def _of(passage: Passage) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    items = parts(passage.text, passage.table_heads, passage.table)
    position = 0
    while position < len(items):
        last = _end_of_answer(items, position) if _is_question(items[position].text) else position
        part, end = items[position], items[last]
        text = " ".join(passage.text[part.start : end.end].split())
        answers = (last > position or not _is_question(part.text)) and not _is_change(part)
        under_heads = part.kind == "row" and part.heads  # these say what "2020 135" means
        if _says_something(part) and answers and (under_heads or len(text) >= MIN_PART):
            before = items[position - 1].text if position and _POINTS_BACK.search(text, 0, SOON) else ""
            beside = [*items[max(0, position - 1) : position], *items[last + 1 : last + 2]]
            candidate = Candidate(
                passage=passage,
                start=part.start,
                end=end.end,
                text=text,
                around=f"{part.about} {part.heads.replace(' |', '')}".strip(),
                beside=" ".join(item.text for item in beside),
                stands_for=before,
                kind=_kind_of(part),
                heads=part.heads,
                first_head=part.first_head,
                group=part.group,
                cells=part.cells,
                cut_before=part.cut_before,
                cut_after=end.cut_after,
            )
            found.append(candidate)
        position = last + 1
    return tuple(found)


def with_its_neighbours(part: Candidate, quotable: Collection[str]) -> Candidate:
    """A sentence that goes on about what the one before it names ("Its fee was £900.") with that one, and any
    with the next one where that goes on about it ("It is payable in May."): where these are among the texts
    that may be quoted, and all make no quote that is too long.
    """
    if part.kind != "sentence":
        return part
    passage = part.passage
    items = parts(passage.text, passage.table_heads, passage.table)
    before = next((item for item in reversed(items) if item.end <= part.start), None)
    after = next((item for item in items if item.start >= part.end), None)
    start, end, cut_before, cut_after = part.start, part.end, part.cut_before, part.cut_after
    if (
        before
        and before.kind == "sentence"
        and not cut_before
        and (_GOES_ON.match(part.text) or _DONE_TO_IT.match(part.text))
        and before.text in quotable
        and end - before.start <= MAX_QUOTE
    ):
        start, cut_before = before.start, before.cut_before
    if (
        after
        and not cut_after
        and (_GOES_ON.match(after.text) or _DONE_TO_IT.match(after.text))
        and after.text in quotable
        and after.end - start <= MAX_QUOTE
    ):
        end, cut_after = after.end, after.cut_after
    if (start, end) == (part.start, part.end):
        return part
    text = " ".join(passage.text[start:end].split())
    return replace(part, start=start, end=end, text=text, cut_before=cut_before, cut_after=cut_after)


def _says_something(part: Part) -> bool:
    """Not so a heading, unless it is a long line without a full stop, as slides and cells have them, or one
    that says who has signed or who a party is, or has a label: "Date: 22 August 2025".
    """
    if part.kind != "heading" or any(says.match(part.text) for says in (_SIGNED, _CALLED, _LABELLED)):
        return True
    is_long = len(part.text.split()) >= STATEMENT
    return is_long and not part.heads and not _CAPTION.match(part.text)


def _kind_of(part: Part) -> str:
    if part.kind != "heading":
        return part.kind
    is_label = _LABELLED.match(part.text) and not (_SIGNED.match(part.text) or _CALLED.match(part.text))
    return "label" if is_label and len(part.text.split()) < STATEMENT else "sentence"


def _is_question(text: str) -> bool:
    """Not so a statement that goes on to one: "Makdessi replaced that test: is the sum too large?"."""
    return text.endswith("?") and not _STATES_FIRST.match(text)


def _is_change(part: Part) -> bool:
    in_row = part.kind == "row" and not part.heads and _CHANGE_IN_ROW.match(part.text)
    return bool(in_row or _CHANGE.match(part.text))


def _end_of_answer(items: Sequence[Part], position: int) -> int:
    """A question in a document is quoted with its answer, and a "Yes." with what follows. The next point of a
    list is no answer.
    """
    last = position
    is_point = _POINT.match(items[position].text)
    while last + 1 < len(items) and items[last + 1].kind == "sentence":
        following = items[last + 1]
        if _is_question(following.text) or following.end - items[position].start > MAX_QUOTE:
            break
        if is_point and _POINT.match(following.text):
            break
        last += 1
        if len(following.text) >= LONG_ENOUGH:
            break
    return last
