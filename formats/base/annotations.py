"""What people have added to a document beside its own words: comments, and changes that are tracked.

The program in the sandbox sends it as it is found; outside it is cleaned and bounded, as what comes out of
the sandbox may be anything.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

from formats.base.characters import clean_lines, one_line
from formats.base.file_properties import moment_of
from text.normal_forms.letter_forms import USUAL_FORMS

MOST = 2_000  # of a page
LONGEST_TEXT, LONGEST_QUOTE, LONGEST_AUTHOR = 10_000, 500, 200  # characters that are kept


class AnnotationKind(StrEnum):
    """Inserted and moved words are words of the document; deleted ones and those moved away are not."""

    COMMENT = "comment"
    INSERTED = "inserted"
    DELETED = "deleted"
    MOVED_HERE = "moved_here"
    MOVED_AWAY = "moved_away"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """text: what the comment says, or the words that were changed. quote: the words that a comment is on, or
    those before a change; empty where there are none. author: empty where the file does not tell. made: a day
    or a time as ISO 8601, empty where the file does not tell it.
    """

    kind: AnnotationKind
    text: str
    quote: str = ""
    author: str = ""
    made: str = ""

    @classmethod
    def from_sandbox(cls, told: Any) -> Self | None:
        """Of what a program has sent; None for what says nothing."""
        told = told if isinstance(told, dict) else {}
        given = {each.name: str(told.get(each.name) or "").translate(USUAL_FORMS) for each in fields(cls)}
        text = clean_lines(given["text"][: 2 * LONGEST_TEXT], gaps=False)[:LONGEST_TEXT]
        if given["kind"] not in list(AnnotationKind) or not text:
            return None
        return cls(
            kind=AnnotationKind(given["kind"]),
            text=text,
            quote=one_line(given["quote"][: 2 * LONGEST_QUOTE])[:LONGEST_QUOTE],
            author=one_line(given["author"][: 2 * LONGEST_AUTHOR])[:LONGEST_AUTHOR],
            made=moment_of(given["made"]),
        )
