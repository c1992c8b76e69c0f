"""Where the quotable parts of a passage begin and end: sentences, table rows, list items, headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from text.sentences import sentence_ends

MAX_QUOTE = 350  # characters; longer sentences are cut at a clause
MIN_LINE = 25  # characters; narrower text has no wrapped lines to speak of
WRAP_SLACK = 0.9  # share of the column that a wrapped line fills, as letters differ in width
HEADING = 120  # characters; a longer block is no heading even without a full stop
NEAR_LINES = 4  # lines on either side that tell how wide the column is

_NUMBER_ONLY = re.compile(
    r"^\W*(?:(?:Table|Figure|Exhibit|Schedule|Section|Clause|Article|Chapter|Part|Annex|Appendix)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[ivxIVX]{1,5})\.$"
)
_ITEM = re.compile(
    r"(?:[-•▪●◦*–]\s|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s|\d{1,3}(?:\.\d{1,3})+\s+[\"“‘(]*[A-Z]|\d{1,2}\.\s+[A-Z]"
    r"|[A-Z]\d{1,2}\s+[A-Z]|[A-Z]\.\s+[A-Z]|(?:Table|Figure|Schedule|Section|Part|Article|Note)\s+[\dA-Z]{1,3}\b)"
)
_CAPTION = re.compile(r"(?:Table|Figure|Exhibit)\s+[\dA-Z]{1,3}\b")
_TERMINAL = re.compile(r"[.!?;:][\"'”’)\]]*$")
_FIGURES = re.compile(
    r"(?:\(?[$€£]?[\d][\d.,]*%?\)?|[—–-])(?:\s+(?:\(?[$€£]?[\d][\d.,]*%?\)?|[—–-]|[$€£%]))+$"
)
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
_DATE = re.compile(r"\b(?:[A-Z][a-z]{2,8}\.? \d{1,2},?(?: (?:1[89]|20)\d\d)?|(?:1[89]|20)\d\d)(?!\d)")
_PERIOD = re.compile(r"\b(?:Weeks?|Months?|Quarters?|Years?) Ended\b")
_CLAUSE_BREAK = re.compile(r"[;:]\s|,\s(?=(?:and|or|but|which|provided|unless|except)\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """text[start:end] of the passage. `about` is what it stands under: a heading, a table's head."""

    start: int
    end: int
    text: str  # white space folded
    kind: str  # "sentence", "row" or "heading"
    about: str = ""
    whole: bool = True  # False when the passage's edge, or the limit of length, cuts it


def parts(passage: str) -> list[Part]:
    """Everything quotable in a passage, in its order; no sentence has more than MAX_QUOTE characters."""
    found: list[Part] = []
    heading, head, lead = "", "", ""
    blocks = list(_blocks(passage))
    for number, (start, end) in enumerate(blocks):
        text = _folded(passage[start:end])
        kind = _kind(text, last=number + 1 == len(blocks))
        sentences = list(_sentences(passage, start, end))
        if kind == "sentence" or (kind != "margin" and len(sentences) > 1):
            lead = lead if _ITEM.match(text) else ""
            for first, last in sentences:
                found += _limited(passage, first, last, f"{heading} {lead}".strip())
            if text.endswith(":"):
                lead = found[-1].text
        elif kind == "heading":
            in_table = bool(_CAPTION.match(heading)) and not _CAPTION.match(text) and not head
            heading, head = (heading, text) if in_table else (text, "")
            lead = ""
            found.append(Part(start=start, end=end, text=text, kind=kind))
        elif kind == "row":
            names_columns = _names_columns(text)
            about = " ".join(filter(None, (heading, head, lead)))
            if names_columns or (_CAPTION.match(heading) and not head):
                after_head = bool(found) and found[-1].text in head
                head = text if not after_head else head if text in head else f"{head} {text}"
                about = heading
                kind = "heading" if names_columns else kind
            found.append(Part(start=start, end=end, text=text, kind=kind, about=about))
    return found


def _names_columns(text: str) -> bool:
    others, dates = _DATE.subn("", text)
    if _FIGURE.search(others):
        return False
    return dates > 1 or bool(_PERIOD.search(text)) or others.strip(" ,") in {"", "Change"}


def _blocks(passage: str) -> Iterator[tuple[int, int]]:
    """Spans of lines that run on into each other: a paragraph, an item, a heading, a row."""
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", passage)]
    lines = [(a, b) for a, b in lines if passage[a:b].strip()]
    if not lines:
        return
    widths = [b - a for a, b in lines]
    start = lines[0][0]
    for number, (_, b) in enumerate(lines):
        last = number + 1 == len(lines)
        if last or _breaks(passage, lines, widths, number):
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
    if _RUNS_ON.search(line):
        return False
    if _ITEM.match(following) or _FIGURES.search(line):
        return True
    column = max(widths[max(0, number - NEAR_LINES) : number + NEAR_LINES + 1])
    if (
        number
        and _PAGE_NUMBER.search(passage[slice(*lines[number - 1])].strip())
        and len(line) < column * 0.75
    ):
        return True  # the header of the next page
    fits = len(line) + 1 + len(following.split()[0]) <= WRAP_SLACK * column
    return not following[0].islower() and (fits or column < MIN_LINE)


def _kind(text: str, *, last: bool) -> str:
    if _PAGE_NUMBER.search(text):
        return "margin"
    if _TERMINAL.search(text) or len(text) > HEADING:
        return "sentence"
    title = _CAPTION.match(text) or not _FIGURE.search(_NUMBERED.sub("", text, count=1))
    return "heading" if title and not last else "row"


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
        yield from _part(passage, first, first + cut, about, whole=False)
        first += cut
    yield from _part(passage, first, end, about, whole=first == start)


def _part(passage: str, start: int, end: int, about: str, *, whole: bool) -> Iterator[Part]:
    for first, last in _stripped(passage, start, end):
        text = _folded(passage[first:last])
        cut = (first == 0 and text[:1].islower()) or (last == len(passage) and not _TERMINAL.search(text))
        yield Part(start=first, end=last, text=text, kind="sentence", about=about, whole=whole and not cut)


def _folded(text: str) -> str:
    return " ".join(text.split())
