"""What the words of a stretch of text mean, as their document defines them. Pure."""

import re
from collections.abc import Iterable

from digest.reading import PageText, Placed, placed
from digest.statements import statements
from digest.terms import terms


def defined_in(words: str, pages: Iterable[PageText]) -> list[Placed]:
    """The terms that occur in the words, in their order there, each where the document defines it first.

    A term counts as it is written, also in its plural: “Service” is no other word than “Services”.
    """
    found: dict[str, tuple[int, Placed]] = {}
    for page in pages:
        for point in terms(page.text, 0, len(page.text)):
            at = _place(point.label, words)
            if at is None or point.label in found:
                continue
            first, last = next(
                (span for span in statements(page.text) if span[0] <= point.start < span[1]),
                (point.start, point.end),
            )
            found[point.label] = at, placed(page, point.within(first, last))
    return [definition for _at, definition in sorted(found.values(), key=lambda row: row[0])]


def _place(term: str, words: str) -> int | None:
    forms = "|".join(re.escape(form) for form in dict.fromkeys((term, f"{term}s", term.removesuffix("s"))))
    match = re.search(rf"(?<!\w)(?:{forms})(?!\w)", words)
    return match.start() if match else None
