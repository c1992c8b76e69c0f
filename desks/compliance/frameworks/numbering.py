"""Cuts the text of a regulation into a tree by its numbering: chapters, articles, paragraphs, points. Pure.

A number counts only where it is the next one: "Article 28" in the midst of a sentence that has wrapped
begins nothing, since the article before it was 30.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from django.utils.translation import gettext_noop

from desks.compliance.frameworks.reading.draft import Draft, Node, no_framework

SOURCE = "Numbering of a document"
LONGEST_TITLE = 160  # characters; a longer line behind a number is text
HEADINGS_BEFORE = 6  # lines before the first article that name its part, chapter and section
REMEMBERED = 60  # clauses back to which the one before the next is looked for
SKIPPED = 4  # numbers that may be left out, as in a law with repealed articles
PART, CHAPTER, SECTION, ARTICLE, PARAGRAPH, POINT, SUBPOINT = range(7)
LEVELS = {
    "part": PART,
    "title": PART,
    "book": PART,
    "annex": PART,
    "schedule": PART,
    "chapter": CHAPTER,
    "section": SECTION,
    "article": ARTICLE,
    "art.": ARTICLE,
    "§": ARTICLE,
    "clause": ARTICLE,
    "rule": ARTICLE,
    "artikel": ARTICLE,
    "kapitel": CHAPTER,
    "abschnitt": SECTION,
    "chapitre": CHAPTER,
}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_HEADING = re.compile(
    rf"^({'|'.join(map(re.escape, LEVELS))})\s*"
    r"([ivxlcdm]{1,12}|\d{1,5}[a-z]?|[a-z])\b[.:]?\s*[-–—:]?\s*(.*)$",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"^(\d{1,3}(?:\.\d{1,3}){1,4})\.?\s+(.+)$")
_NUMBER = re.compile(r"^(?:(\d{1,3})\.|\((\d{1,3})\))\s+(.+)$")
_LETTER = re.compile(r"^\(?([a-z]{1,2}|[ivxl]{1,6})\)\s+(.+)$")
_PAGE_NUMBER = re.compile(r"^(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?$", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    """A node that grows while lines come."""

    level: int
    ref: str
    title: str = ""
    lines: list[str] = field(default_factory=list)
    waits_for_title: bool = False


@dataclass(slots=True)
class _State:
    nodes: list[_Open] = field(default_factory=list)
    path: list[_Open] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)  # the last number on each level


def cut(name: str, pages: Sequence[str]) -> Draft:
    """A draft from the pages of a document. Raises ExtractionError where nothing is numbered."""
    repeated = _repeated(pages)
    lines = _body([line for page in pages for line in _lines(page) if line not in repeated])
    state = _State()
    for line in lines:
        _take(state, line)
    nodes = tuple(_nodes(state.nodes))
    if not nodes:
        raise no_framework(
            "This document has no numbered chapters, articles or clauses to make a list of.",
            hint=gettext_noop("Import it as a table: the template has the columns."),
        )
    return Draft(name=name, source=SOURCE, nodes=nodes)


def _body(lines: Sequence[str]) -> Sequence[str]:
    """From the heading of the first article on: recitals and a table of contents come before it."""
    first = {
        level: [place for place, line in enumerate(lines) if _is_first(line, level)]
        for level in (ARTICLE, CHAPTER, PART)
    }
    if not first[ARTICLE]:
        return lines[next((places[0] for places in first.values() if places), 0) :]
    start = first[ARTICLE][-1]
    before = range(max(0, start - HEADINGS_BEFORE), start)
    return lines[next((place for place in before if _HEADING.match(lines[place])), start) :]


def _is_first(line: str, level: int) -> bool:
    match = _HEADING.match(line)
    return match is not None and LEVELS[match[1].lower()] == level and _value(match[2]) == 1


def _lines(page: str) -> Iterator[str]:
    """Without page numbers."""
    for line in page.splitlines():
        bare = " ".join(line.split())
        if bare and not _PAGE_NUMBER.match(bare):
            yield bare


def _repeated(pages: Sequence[str]) -> set[str]:
    """The lines at the head or foot of most pages."""
    if len(pages) <= 3:
        return set()
    first = pages[:20]
    on_pages = Counter(line for page in first for line in set(_lines(page)) if len(line) < 100)
    return {line for line, count in on_pages.items() if count > len(first) / 2}


def _take(state: _State, line: str) -> None:
    if (match := _HEADING.match(line)) and _heads(state, match):
        return
    article = any(node.level == ARTICLE and " " in node.ref for node in state.path)
    if not article and (match := _DECIMAL.match(line)) and _is_next_decimal(state, match[1]):
        _open(state, _Open(level=ARTICLE + match[1].count("."), ref=match[1]), match[2])
        return
    if (match := _NUMBER.match(line)) and _numbers(
        state, int(match[1] or match[2]), match[3], inside=article
    ):
        return
    if state.path and (match := _LETTER.match(line)) and _letters(state, match[1], match[2]):
        return
    if state.path:
        _go_on(state, line)


def _heads(state: _State, match: re.Match[str]) -> bool:
    """A heading: its number is the next of its level, and what follows is a title or nothing."""
    level = LEVELS[match[1].lower()]
    number = _value(match[2])
    last = state.counts.get(level, 0)
    title = match[3].strip()
    is_title = not title or (
        len(title) <= LONGEST_TITLE and title[0].isupper() and not title.endswith((",", ";"))
    )
    if not is_title or not (last < number <= last + SKIPPED or (number == 1 and level != ARTICLE)):
        return False
    if not title and level == ARTICLE and number != last + 1 and last:
        return False
    state.counts = {
        known: value for known, value in state.counts.items() if known < level or known == ARTICLE
    }
    state.counts[level] = number
    node = _Open(
        level=level, ref=f"{match[1].capitalize()} {match[2]}", title=title, waits_for_title=not title
    )
    _open(state, node, "")
    return True


def _is_next_decimal(state: _State, ref: str) -> bool:
    """4.3 follows 4.2 or 4.2.7; 4.2.1 follows 4.2; a clause may begin anywhere with .1."""
    numbers = [int(part) for part in ref.split(".")]
    before = ".".join(map(str, [*numbers[:-1], numbers[-1] - 1]))
    clauses = (node.ref for node in reversed(state.nodes) if node.level >= ARTICLE)
    return numbers[-1] == 1 or before in islice(clauses, REMEMBERED)


def _numbers(state: _State, number: int, text: str, *, inside: bool) -> bool:
    """ "1." or "(1)": a paragraph within an article, elsewhere a clause of its own with a title."""
    level = PARAGRAPH if inside else ARTICLE
    if number != state.counts.get(level, 0) + 1:
        return False
    state.counts = {known: value for known, value in state.counts.items() if known <= level}
    state.counts[level] = number
    if inside:
        article = next(node for node in reversed(state.path) if node.level == ARTICLE)
        _open(state, _Open(level=level, ref=f"{_bare(article.ref)}.{number}"), text)
    else:
        is_title = len(text) <= LONGEST_TITLE and not text.endswith((".", ";", ","))
        node = _Open(level=level, ref=str(number), title=text if is_title else "")
        _open(state, node, "" if is_title else text)
    return True


def _letters(state: _State, letter: str, text: str) -> bool:
    """(a) after (a)'s predecessor; (i) is a point after (h), else the first of the points below one."""
    last = state.counts.get(POINT, 0)
    letters = _alphabetical(letter)
    roman = _value(letter) if set(letter) <= set("ivxl") else 0
    if letters == last + 1:
        level, number = POINT, letters
    elif roman and roman == state.counts.get(SUBPOINT, 0) + 1 and last:
        level, number = SUBPOINT, roman
    else:
        return False
    state.counts = {known: value for known, value in state.counts.items() if known <= level}
    state.counts[level] = number
    above = next((node for node in reversed(state.path) if node.level < level), state.path[-1])
    _open(state, _Open(level=level, ref=f"{_bare(above.ref)}.{letter}"), text)
    return True


def _open(state: _State, node: _Open, text: str) -> None:
    while state.path and state.path[-1].level >= node.level:
        state.path.pop()
    for level in range(node.level + 1, SUBPOINT + 1):
        if level != ARTICLE:
            state.counts.pop(level, None)
    if text:
        node.lines.append(text)
    state.path.append(node)
    state.nodes.append(node)


def _go_on(state: _State, line: str) -> None:
    node = state.path[-1]
    if (
        node.waits_for_title
        and not node.lines
        and len(line) <= LONGEST_TITLE
        and not line.endswith((".", ";"))
    ):
        node.title, node.waits_for_title = line, False
    elif node.lines and node.lines[-1].endswith("-") and line[:1].islower():
        node.lines[-1] = node.lines[-1][:-1] + line
    else:
        node.lines.append(line)


def _nodes(found: Sequence[_Open]) -> Iterator[Node]:
    """Depths without gaps. What has nothing below it can be assessed."""
    levels: list[int] = []
    drafts: list[Node] = []
    for node in found:
        while levels and levels[-1] >= node.level:
            levels.pop()
        drafts.append(Node(depth=len(levels), ref=node.ref, title=node.title, text=" ".join(node.lines)))
        levels.append(node.level)
    for place, draft in enumerate(drafts):
        is_leaf = place + 1 == len(drafts) or drafts[place + 1].depth <= draft.depth
        if draft.title or draft.text:
            yield replace(draft, is_assessable=is_leaf and bool(draft.text))


def _bare(ref: str) -> str:
    """Without the word before the number: of “Article 30” it is 30."""
    return ref.rpartition(" ")[2]


def _value(number: str) -> int:
    """Of a number in digits, Roman or as one letter; 0 for none."""
    if digits := re.match(r"\d+", number):
        return int(digits[0])
    values = [_ROMAN.get(letter, 0) for letter in number.lower()]
    if 0 in values:
        return _alphabetical(number) if len(number) == 1 else 0
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _alphabetical(letters: str) -> int:
    """1 for a, 27 for aa."""
    bare = letters.lower()
    if len(bare) == 2:
        return 26 + ord(bare[0]) - 96 if bare[0] == bare[1] else 0
    return ord(bare) - 96 if len(bare) == 1 else 0
