"""A page and a document at a glance. Pure: texts in, points out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from digest.duties import duties
from digest.parties import is_role, labelled_parties, parties
from digest.points import Kind, Point
from digest.statements import statements
from digest.terms import terms
from digest.values import values
from english.contracts.defined_terms import meanings_in, named_behind
from text.languages import language_of
from text.running_lines import running_lines, running_places, without_places

_SAID_OF = re.compile(
    r"\b[Tt]he\s(?P<term>[A-Z][\w-]+(?:\s[A-Z][\w-]+){0,3})\s+"
    r"(?:is|are|was|shall be|will be|ends?|expires?|begins?|starts?|falls?|runs?|becomes?)\b[^.;:]{0,30}$"
)


_EXAMPLE = re.compile(r"\W{0,3}(?:(?:first|second|third|fourth|an?|another|for)\s+)?example\b", re.IGNORECASE)
LABEL = 40  # characters of the words that say that an example follows


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A point with its page and the statement in words: `before` its value, the value, `after` it."""

    page: int
    point: Point
    before: str
    value: str
    after: str

    @property
    def statement(self) -> str:
        return f"{self.before}{self.value}{self.after}"


def read(pages: Sequence[PageText]) -> list[Placed]:
    """In the order of the text; what is said in the same words twice counts once, as does a party."""
    pages = without_running_lines(pages)
    named = [[*parties(page.text), *labelled_parties(page.text)] for page in pages]
    names = {point.about.lower() for points in named for point in points}
    found: dict[tuple[Kind, str, str], Placed] = {}
    for page, points in zip(pages, named, strict=True):
        for point in (*points, *_points(page.text, names)):
            there = placed(page, point)
            statement = "" if point.kind == Kind.PARTY else there.statement
            found.setdefault((point.kind, statement, name_of(point)), there)
    return list(found.values())


def is_understood(text: str) -> bool:
    """Whether the rules know its language: English, or too little text to tell."""
    return language_of(text) in ("", "en")


def name_of(point: Point) -> str:
    """What tells it from others of its kind in the same sentence; a party from all others."""
    if point.kind == Kind.PARTY:
        return f"{point.label}, {point.about}".casefold()
    return point.label + point.party


def without_running_lines(pages: Sequence[PageText]) -> list[PageText]:
    """Heads, feet and page numbers become spaces, so that all else stays where it is."""
    running = running_lines(page.text for page in pages)
    return [
        PageText(number=page.number, text=without_places(page.text, running_places(page.text, running)))
        for page in pages
    ]


def _points(text: str, names: set[str]) -> Iterator[Point]:
    is_example = False
    for first, last in statements(text):
        yield from terms(text, first, last)
        # “Second example.” stands before the sentence that is one.
        is_next, is_example = is_example, bool(_EXAMPLE.match(text, first))
        if is_next or is_example:
            is_example = is_example and last - first <= LABEL
            continue
        yield from duties(text, first, last, names)
        for value in values(text, first, last):
            yield replace(value, about=_term_of(text, first, value, names))


def _term_of(text: str, first: int, value: Point, names: set[str]) -> str:
    """The term whose value it is: one that means it, stands in brackets behind it, or is what the statement
    says it of: “the Annual Rent is £70,000”. Empty where that is a party.
    """
    means = [" ".join(found["term"].split()) for found in meanings_in(text, first, value.start)]
    said_of = _SAID_OF.search(text, first, value.start)
    found = (*means[-1:], named_behind(text, value.end), said_of["term"] if said_of else "")
    return next((term for term in found if term and term.lower() not in names and not is_role(term)), "")


def placed(page: PageText, point: Point) -> Placed:
    """The point with the words of its statement."""

    def words(start: int, end: int) -> str:
        """On one line, the spaces at its ends kept as one."""
        text = page.text[start:end]
        inner = " ".join(text.split())
        lead = " " if text[:1].isspace() and inner else ""
        return f"{lead}{inner}{' ' if text[-1:].isspace() and inner else ''}"

    return Placed(
        page=page.number,
        point=point,
        before=words(point.first, point.start).lstrip(),
        value=words(point.start, point.end),
        after=words(point.end, point.last).rstrip(),
    )
