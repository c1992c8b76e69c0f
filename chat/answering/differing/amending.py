"""Sentences that change what another document says: a clause, words of it, who does something. Pure."""

import re

from text.lexicon import roots

# What puts other words in the place of those of a clause.
_IS_CHANGED = (
    r"(?:(?:is|are|was|were|be|been)\s+(?:\w+\s+){0,2}(?:deleted|replaced|amended|substituted)"
    r"|(?:now|shall) reads?|(?:shall|is to|are to) be read as|reads?(?= as follows|\s{0,2}[:\"“]))\b"
)
_CLAUSE = r"\b(?:[Cc]lause|[Ss]ection|[Pp]aragraph|[Aa]rticle) (\d{1,3}(?:\.\d{1,3})*)\b"
_CHANGED_CLAUSE = re.compile(rf"{_CLAUSE}.{{0,80}}?\b{_IS_CHANGED}")
_NUMBER = re.compile(r"^\W*(\d{1,3}(?:\.\d{1,3})*)\.?\s")
_SIGNS = str.maketrans("’‘", "''")
_QUOTED = re.compile(r"[\"“]\s{0,2}([^\"“”]{1,200}?)\s{0,2}[\"”]")
_NAME = r"[A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+)+"
# "Ann Lee replaces Bo Hill", "Bo Hill is replaced by Ann Lee": who comes and who goes.
_REPLACES = re.compile(rf"(?P<new>{_NAME})\s+(?:replaces|succeeds|takes the place of)\s+(?P<old>{_NAME})")
_REPLACED = re.compile(
    rf"(?P<old>{_NAME})\s+(?:is|shall be)\s+(?:replaced|succeeded)\s+by\s+(?P<new>{_NAME})"
)
SHORTEST = 4  # letters of a word that two sentences have in common
ALIKE = 2  # words that a change and the clause that it changes have in common

Span = tuple[int, int]


def number_of_clause(text: str) -> str:
    """Of "8.1 The Tenant shall ..." its number; empty where a text begins with none."""
    own = _NUMBER.match(text)
    return own[1] if own else ""


def changed_clauses(text: str) -> set[str]:
    """Numbers of the clauses that it says are deleted, replaced or to be read otherwise."""
    return set(_CHANGED_CLAUSE.findall(text))


def changes_another_clause(change: str, clause: str) -> bool:
    """Whether one changes clauses of a document, and the other is a clause that it leaves as it is."""
    changed, own = changed_clauses(change), number_of_clause(clause)
    return bool(changed) and "." in own and own not in changed


def changes(change: str, clause: str) -> bool:
    """Whether one says that it changes the clause that the other is; a number alone is no proof."""
    own = number_of_clause(clause)
    if not own or own not in changed_clauses(change):
        return False
    alike = roots(change, shortest=SHORTEST) & roots(clause, shortest=SHORTEST)
    return len(alike) >= ALIKE or exchanged(change, clause) is not None


def exchanged(change: str, clause: str) -> tuple[Span, Span] | None:
    """Where a sentence puts other words in the place of those of the clause: its new words, and the old ones
    in the clause. These are quoted, or somebody's name.
    """
    change, clause = change.translate(_SIGNS), clause.translate(_SIGNS)
    return _words(change, clause) or _names(change, clause)


def _words(change: str, clause: str) -> tuple[Span, Span] | None:
    quoted = list(_QUOTED.finditer(change))
    if len(quoted) != 2 or number_of_clause(clause) not in changed_clauses(change):
        return None
    places = [clause.find(each[1]) for each in quoted]
    if (places[0] < 0) == (places[1] < 0):
        return None
    old, new = quoted if places[0] >= 0 else reversed(quoted)
    at = max(places)
    return new.span(1), (at, at + len(old[1]))


def _names(change: str, clause: str) -> tuple[Span, Span] | None:
    found = _REPLACES.search(change) or _REPLACED.search(change)
    at = clause.find(found["old"]) if found else -1
    if found is None or at < 0:
        return None
    # "From the Amendment Date Ann Lee replaces Bo Hill": her name has as many words as his.
    new = found["new"].split()[-len(found["old"].split()) :]
    start = found.end("new") - len(" ".join(new))
    return (start, found.end("new")), (at, at + len(found["old"]))
