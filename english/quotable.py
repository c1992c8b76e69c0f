"""Where the quotable parts of a passage begin and end: sentences, table rows, list items, headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from english.dates import MONTH, YEAR
from text.normal_forms.spaceless import CLOSING, ENDS, is_spaceless, on_a_line, width
from text.sentences import sentence_ends
from text.tables.markdown_tables import PlacedRow, placed_rows
from text.tables.table_lines import FIGURE, cells, is_figure_row, is_table_line, lacks_label

MAX_QUOTE = 350  # characters; longer sentences are cut at a clause
MIN_LINE = 25  # columns; narrower text has no wrapped lines to speak of
WRAP_SLACK = 0.9  # share of the column that a wrapped line fills, as letters differ in width
LONGEST_GROUP = 60  # characters of what names some rows of a table
HEADING = 120  # characters; a longer block is no heading even without a full stop
MOST_IN_HEAD = 8  # words beside the dates
SHORT_CELL = 40  # characters of a line that goes on with a cell of the row above it
KEPT = 256  # passages whose parts are remembered: each step of an answer takes the same ones apart
NEAR_LINES = 4  # lines on either side that tell how wide the column is

_NUMBER_ONLY = re.compile(
    r"^\W*(?:(?:Table|Figure|Exhibit|Schedule|Section|Clause|Article|Chapter|Part|Annex|Appendix)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[ivxIVX]{1,5})\.$"
)
_ITEM = re.compile(
    r"(?:[-•▪●◦*–]\s|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s|\d{1,3}(?:\.\d{1,3})+\s+[\"“‘(]*[A-Z]|\d{1,2}\.\s+[A-Z]"
    r"|[A-Z]\d{1,2}\s+[A-Z]|[A-Z]\.\s+[A-Z]|(?:Table|Figure|Schedule|Section|Part|Article|Note)\s+[\dA-Z]{1,3}\b)"
)
_BULLET = re.compile(r"[-•▪●◦*–☐☒]\s")
_CAPTION = re.compile(r"(?:Table|Figure|Exhibit)\s+[\dA-Z]{1,3}\b")
_PICTURE = re.compile(r"Fig(?:ure|\.)\s+[A-Z]?\d{1,3}(?:\.\d{1,2})*\s*[:.–-]\s")  # never a row
_TERMINAL = re.compile(rf"[.!?;:{ENDS}：][\"'{CLOSING})\]]*$")
_FIGURES = re.compile(rf"{FIGURE}(?:\s+(?:{FIGURE}|[$€£¥%]))+$")
_RUNS_ON = re.compile(
    r"(?:,|\b(?:the|of|and|or|to|in|into|on|for|a|an|by|at|with|from|than|its?|under|before|after|clauses?|[Ss]ection|"
    r"[Ss]chedule|[Tt]able|is|are|was|were|be|not|shall|that|which))$"
)
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?|(?:Schedule|Section|Part|Article|Chapter|Annex|Appendix|Item)\s+\w+\W*)\s"
)
_PAGE_NUMBER = re.compile(r"(?:\bPage|\|) \d+(?: of \d+)?$|^(?!(?:19|20)\d\d$)\d{1,4}$")
_FIGURE = re.compile(r"\d")
# What heads the columns of a table: two dates, or nothing but a date, or "Three Months Ended".
_DATE = re.compile(rf"\b(?:{MONTH}\.? \d{{1,2}},?(?: {YEAR})?|{YEAR})(?!\d)")
_PERIOD = re.compile(r"\b(?:Weeks?|Months?|Quarters?|Years?) Ended\b")
_CLAUSE_BREAK = re.compile(r"[;:]\s|[，：]|,\s(?=(?:and|or|but|which|provided|unless|except)\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """text[start:end] of the passage. `about` is the heading that it stands under, `heads` the heads of its
    columns when it is the row of a table, "July 1, 2023 | June 25, 2022"; `first_head` that of the column
    with the rows' names, which few tables have; `group` what names the rows that it is among, "Americas";
    `cells` of a row, where they are known.
    """

    start: int
    end: int
    text: str  # white space folded
    kind: str  # "sentence", "row" or "heading"
    about: str = ""
    heads: str = ""
    first_head: str = ""
    group: str = ""
    cells: tuple[str, ...] = ()
    cut_before: bool = False  # by the passage's edge, or by the limit of length
    cut_after: bool = False

    @property
    def whole(self) -> bool:
        return not self.cut_before and not self.cut_after


@lru_cache(KEPT)
def parts(passage: str, heads: str = "", table: str = "") -> tuple[Part, ...]:
    """Everything quotable in a passage, in its order; no sentence has more than MAX_QUOTE characters.

    heads: those of the table in whose midst the passage begins. table: the rows that are known of it, as
    Markdown under the names of their columns; what else is a row is told by its look.
    """
    rows = {(row.start, row.end): row for row in placed_rows(passage, table)} if table else {}
    blocks = list(_blocks(passage, list(rows)))
    kinds = [
        "row" if block in rows else _kind(passage, *block, last=block[1] == blocks[-1][1]) for block in blocks
    ]
    reading = _Reading(passage, heads)
    for block, kind, following in zip(blocks, kinds, [*kinds[1:], ""], strict=False):
        reading.take(block, rows.get(block), kind, following)
    return tuple(reading.found)


class _Reading:
    """The blocks of a passage, taken in turn: the parts that they are, and what the next ones stand under."""

    def __init__(self, passage: str, heads: str) -> None:
        self.found: list[Part] = []
        self._passage = passage
        self._heading, self._lead = "", ""
        self._heads, self._in_table = heads, bool(heads)
        self._before = ""  # the kind of the last block

    def take(self, block: tuple[int, int], row: PlacedRow | None, kind: str, following: str) -> None:
        """One block. row: what is known of it as a row. following: the kind of the next block."""
        start, end = block
        text = _folded(self._passage[start:end])
        if row is None and kind == "row" and not self._in_table and _titles_columns(self._passage[start:end]):
            kind = "heads"
        match kind:
            case "row" if row:
                self._take_known_row(block, text, row)
            case "sentence":
                self._take_sentences(block, text, following)
            case "heading":
                self._take_heading(block, text, following)
            case "heads":
                self._take_heads(block, text)
            case "row":
                self._take_row(block, text)
        self._before = kind

    def _add(
        self, block: tuple[int, int], text: str, kind: str, lead: str = "", heads: str = "", group: str = ""
    ) -> None:
        start, end = block
        about = "" if kind == "heading" and not heads else self._about(lead)
        self.found.append(
            Part(start=start, end=end, text=text, kind=kind, about=about, heads=heads, group=group)
        )

    def _about(self, lead: str) -> str:
        return " ".join(filter(None, (self._heading, lead)))

    def _take_known_row(self, block: tuple[int, int], text: str, row: PlacedRow) -> None:
        start, end = block
        self.found.append(
            Part(
                start=start,
                end=end,
                text=text,
                kind="row",
                about=self._about(row.group or self._lead),
                heads=row.heads,
                first_head=row.first if row.heads else "",
                group=(row.group or _group(self._lead)).rstrip(" :"),
                cells=row.cells,
            )
        )
        self._in_table, self._heads = True, row.heads

    def _take_sentences(self, block: tuple[int, int], text: str, following: str) -> None:
        if not _ITEM.match(text):
            self._lead = ""
        about = self._about(self._lead)
        for first, last in _sentences(self._passage, *block):
            self.found += _limited(self._passage, first, last, about)
        if text.endswith(":"):
            self._lead = self.found[-1].text
        if not (text.endswith(":") and following in {"row", "heads"}):
            self._in_table, self._heads = False, ""

    def _take_heading(self, block: tuple[int, int], text: str, following: str) -> None:
        if self._in_table and following == "row" and not _CAPTION.match(text):
            self._lead = text  # a group of rows
        else:
            self._heading = f"{self._heading} {text}" if text.startswith("(") else text
            self._lead, self._heads, self._in_table = "", "", False
        self._add(block, text, "heading")

    def _take_heads(self, block: tuple[int, int], text: str) -> None:
        begins = self._before in {"", "row", "sentence"} or not self._in_table
        line = " | ".join(cells(self._passage[slice(*block)]))
        self._heads = line if begins else f"{self._heads} | {line}"
        self._in_table = True
        self._add(block, text, "heading", heads=self._heads)

    def _take_row(self, block: tuple[int, int], text: str) -> None:
        has_cells = any(map(is_table_line, self._passage[slice(*block)].split("\n")))
        self._add(block, text, "row", self._lead, self._heads if has_cells else "", _group(self._lead))
        self._in_table = True
        if text.startswith("Total"):
            self._lead = ""


def _group(lead: str) -> str:
    """What leads to the rows, where it is short enough to be their name, and no sentence."""
    name = lead.rstrip(" :")
    is_name = len(name) <= LONGEST_GROUP and not name[:1].islower() and not _TERMINAL.search(name)
    return name if is_name else ""


def flowing(passage: str) -> str:
    """The passage with a line for each paragraph, item, heading and row, however its own lines are broken."""
    return "\n".join(_folded(passage[start:end]) for start, end in _blocks(passage, ()))


def _names_columns(text: str) -> bool:
    """Whether a line heads the columns of a table: dates, a period, hardly anything else."""
    others, dates = _DATE.subn("", text)
    if _FIGURE.search(others) or _TERMINAL.search(text) or len(others.split()) > MOST_IN_HEAD:
        return False
    return dates > 1 or bool(_PERIOD.search(text)) or (dates > 0 and others.strip(" ,") in {"", "Change"})


def _titles_columns(line: str) -> bool:
    """Whether it may be the first line of a table: cells without any figure, but for years."""
    return "\t" in line.strip() and not _FIGURE.search(_DATE.sub("", line))


def _blocks(passage: str, rows: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of lines that run on into each other: a paragraph, an item, a heading, a row.

    rows: spans that are known to be rows.
    """
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", passage)]
    lines = [(a, b) for a, b in lines if passage[a:b].strip()]
    if not lines:
        return
    widths = [width(passage[a:b]) for a, b in lines]
    of_row = [
        next((n for n, (start, end) in enumerate(rows) if start < b and a < end), None) for a, b in lines
    ]
    start = lines[0][0]
    for number, (_, b) in enumerate(lines):
        last = number + 1 == len(lines)
        if (
            last
            or of_row[number] != of_row[number + 1]
            or (of_row[number] is None and _breaks(passage, lines, widths, number))
        ):
            lead = len(passage[start:b]) - len(passage[start:b].lstrip())
            yield start + lead, start + len(passage[start:b].rstrip())
            if not last:
                start = lines[number + 1][0]


def _breaks(passage: str, lines: list[tuple[int, int]], widths: list[int], number: int) -> bool:
    """Whether the line ends its block: it is set apart, or the next word would still have fitted on it."""
    (a, b), (c, d) = lines[number], lines[number + 1]
    line, following = passage[a:b].strip(), passage[c:d].strip()
    if passage[b:c].count("\n") > 1 or _PAGE_NUMBER.search(line) or _PAGE_NUMBER.search(following):
        return True
    after = passage[slice(*lines[number + 2])] if number + 2 < len(lines) else ""
    in_table = _breaks_row(line, following, after)
    if in_table is not None:
        return in_table
    if _RUNS_ON.search(line):
        return False
    begins = not following[0].islower() or following.split()[0] == line.split()[0]
    if _ITEM.match(following) or (_FIGURES.search(line) and begins):
        return True
    column = max(widths[max(0, number - NEAR_LINES) : number + NEAR_LINES + 1])
    if (
        number
        and _PAGE_NUMBER.search(passage[slice(*lines[number - 1])].strip())
        and width(line) < column * 0.75
    ):
        return True  # the header of the next page
    next_word = following[0] if is_spaceless(following[0]) else following.split()[0]
    fits = width(line) + 1 + width(next_word) <= WRAP_SLACK * column
    return begins and (fits or column < MIN_LINE)


def _breaks_row(line: str, following: str, after: str) -> bool | None:
    """The same for lines of a table; None when it is no table that they stand in.

    A label that runs over several lines goes with its figures, and so do the words that a cell wraps.
    """
    row, next_row = is_table_line(line), is_table_line(following)
    if any(_PERIOD.search(one) and _names_columns(_folded(one)) for one in (line, following)):
        return True
    if not row and not next_row:
        wrapped = lacks_label(after) and following[0] in "(&" and not _TERMINAL.search(line)
        return False if wrapped else None
    if not row and lacks_label(following):
        return bool(_TERMINAL.search(line) and not _names_columns(line)) or _names_columns(_folded(following))
    wraps = row and not next_row and not is_figure_row(line)
    return not (wraps and following[0].islower() and len(following) < SHORT_CELL)


def _kind(passage: str, start: int, end: int, *, last: bool) -> str:
    block = passage[start:end]
    text = _folded(block)
    if _PAGE_NUMBER.search(text):
        return "margin"
    if _names_columns(text):
        return "heads"
    names_picture = bool(_PICTURE.match(text))
    if not names_picture and any(map(is_table_line, block.split("\n"))):
        return "row"
    several = len(list(_sentences(passage, start, end))) > 1
    if _TERMINAL.search(text) or len(text) > HEADING or several:
        return "sentence"
    title = names_picture or _CAPTION.match(text) or not _FIGURE.search(_NUMBERED.sub("", text, count=1))
    if title and _BULLET.match(text):
        return "sentence"
    return "heading" if title and (names_picture or not last) else "row"


def _sentences(passage: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for stop in sentence_ends(passage, start, end):
        if not _NUMBER_ONLY.match(passage[begin:stop].strip()):
            yield from _stripped(passage, begin, stop)
            begin = stop
    yield from _stripped(passage, begin, end)


def _stripped(passage: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = passage[start:end]
    if body.strip():
        yield start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _limited(passage: str, start: int, end: int, about: str) -> Iterator[Part]:
    """The sentence, in several parts when it is too long to quote."""
    first = start
    while end - first > MAX_QUOTE:
        window = passage[first : first + MAX_QUOTE]
        breaks = [m.end() for m in _CLAUSE_BREAK.finditer(window) if m.end() > MAX_QUOTE // 3]
        cut = breaks[-1] if breaks else window.rfind(" ") + 1 or MAX_QUOTE
        yield from _part(passage, first, first + cut, about, cut_before=first > start, cut_after=True)
        first += cut
    yield from _part(passage, first, end, about, cut_before=first > start, cut_after=False)


def _part(
    passage: str, start: int, end: int, about: str, *, cut_before: bool, cut_after: bool
) -> Iterator[Part]:
    for first, last in _stripped(passage, start, end):
        text = _folded(passage[first:last])
        yield Part(
            start=first,
            end=last,
            text=text,
            kind="sentence",
            about=about,
            cut_before=cut_before or (first == 0 and text[:1].islower()),
            cut_after=cut_after or (last == len(passage.rstrip()) and not _TERMINAL.search(text)),
        )


def _folded(text: str) -> str:
    return on_a_line(text)
