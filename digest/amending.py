"""An amendment held against the document that it changes: only what it names differs. Pure."""

import re
from collections.abc import Iterator, Sequence

from chat.answering.differing.amending import Span, changed_clauses, exchanged, number_of_clause
from digest.comparing import Became, Change, Statement
from text.lexicon import roots

SHORTEST = 4  # letters of a word by which documents are named
_TITLE = re.compile(r"\b(?:amendment|addendum|supplement|variation|rider|side letter)\b", re.IGNORECASE)
_SAYS = re.compile(
    r"\b(?:supplemental to|amends|varies|supplements|amending|is an? (?:amendment|addendum|supplement) to)\s"
    r"(?:the|a|an|that|our|your)\b"
)
_NEW_CLAUSE = re.compile(r"[\"“]\s{0,2}(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?\s[^\"”]+")
_DELETED = re.compile(
    r"\b(?:is|are|shall be) (?:hereby )?(?:deleted|removed)\b(?!.{0,40}\b(?:replaced|substituted))"
)


def amends(title: str, beginning: str, other: str) -> bool:
    """Whether a document with this title that begins so changes the one with the other title: it says so, and
    names it.
    """
    says = _TITLE.search(title) or _SAYS.search(beginning)
    if not says or _TITLE.search(other):
        return False
    named = roots(other.replace("-", " ").replace("_", " "), shortest=SHORTEST)
    return not named.isdisjoint(roots(f"{title} {beginning}", shortest=SHORTEST))


def amended(before: Sequence[Statement], after: Sequence[Statement]) -> list[Change]:
    """In the order of the amendment, each of its statements with the clause that it changes, if it is one."""
    clauses: dict[str, Statement] = {}
    for each in before:
        clauses.setdefault(number_of_clause(each.text), each)
    clauses.pop("", None)
    return [change for each in after for change in _changes(each, clauses)]


def _changes(statement: Statement, clauses: dict[str, Statement]) -> Iterator[Change]:
    changed = [clauses[number] for number in sorted(changed_clauses(statement.text)) if number in clauses]
    for clause in changed:
        is_gone = bool(_DELETED.search(statement.text)) and '"' not in statement.text
        yield Change(
            became=Became.REMOVED if is_gone else Became.CHANGED,
            before=clause,
            after=statement,
            parts=_parts(clause.text, statement.text),
        )
    if not changed:
        yield Change(became=Became.ADDED, after=statement)


def _parts(clause: str, change: str) -> tuple[Span, Span]:
    """What of the clause becomes what of the change: words that it exchanges, the clause as it is to read."""
    if words := exchanged(change, clause):
        new, old = words
        return old, new
    for found in _NEW_CLAUSE.finditer(change):
        if found["number"] == number_of_clause(clause):
            return (0, len(clause)), (found.start("number"), found.end())
    return (0, 0), (0, 0)
