"""An amendment held against the document that it changes: only what it names differs. Pure."""

import re
from collections.abc import Iterator, Sequence

from digest.comparing import Became, Change, Sentence
from english.contracts.clauses import Span, changed_clauses, common, exchanged, names, number_of_clause
from english.contracts.defined_terms import meanings_in
from english.contracts.instrument_days import day_made
from english.values import values_in

HEAD = 8  # statements at the beginning, among which it says on which day it was made
LEAST = 2  # words that a sentence and what it changes have in common, where it names no clause and no term
_NEW_CLAUSE = re.compile(r"[\"“]\s{0,2}(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?\s[^\"”]+")
_DELETED = re.compile(
    r"\b(?:is|are|shall be) (?:hereby )?(?:deleted|removed|disapplied)\b(?!.{0,40}\b(?:replaced|substituted))"
    r"|\b(?:no longer appl(?:y|ies)|ceases? to apply)\b"
)
_WORDS = re.compile(r"[\"“]")


def amended(before: Sequence[Sentence], after: Sequence[Sentence]) -> list[Change]:
    """In the order of the amendment, each of its statements with what it changes, if that is told. Its head,
    up to the day on which it was made, changes nothing.
    """
    document = _Amended(before)
    head = next((place for place, each in enumerate(after[:HEAD], start=1) if day_made(each.text)), 0)
    return [change for each in after[head:] for change in document.changes(each)]


class _Amended:
    """The document that is amended: its clauses by their numbers, its definitions by their terms."""

    def __init__(self, statements: Sequence[Sentence]) -> None:
        self._statements = statements
        self._clauses: dict[str, Sentence] = {}
        self._terms: dict[str, tuple[Sentence, Span]] = {}
        for each in statements:
            self._clauses.setdefault(number_of_clause(each.text), each)
            for term, span in _meanings(each.text).items():
                self._terms.setdefault(term, (each, span))
        self._clauses.pop("", None)

    def changes(self, statement: Sentence) -> list[Change]:
        """One for each clause or definition that it changes; it alone where that can't be told."""
        found = [*self._of_definitions(statement)] or [*self._of_clauses(statement)]
        found = found or [*self._of_persons(statement)] or [*self._of_values(statement)]
        return found or [Change(became=Became.ADDED, after=statement)]

    def _of_definitions(self, statement: Sentence) -> Iterator[Change]:
        """“The definition of Break Date is replaced by ...”, “"Area" shall now mean ...”."""
        for term, new in _meanings(statement.text).items():
            if term in self._terms:
                clause, old = self._terms[term]
                yield _changed(clause, statement, (old, new))

    def _of_clauses(self, statement: Sentence) -> Iterator[Change]:
        changed = changed_clauses(statement.text)
        for clause in (self._clauses[number] for number in sorted(changed) if number in self._clauses):
            is_gone = bool(_DELETED.search(statement.text)) and not _WORDS.search(statement.text)
            yield Change(
                became=Became.REMOVED if is_gone else Became.CHANGED,
                before=clause,
                after=statement,
                parts=_parts(clause.text, statement.text),
            )

    def _of_persons(self, statement: Sentence) -> Iterator[Change]:
        """“Ann Lee replaces Bo Hill”."""
        for clause in self._statements:
            if words := exchanged(statement.text, clause.text):
                new, old = words
                yield _changed(clause, statement, (old, new))
                return

    def _of_values(self, statement: Sentence) -> Iterator[Change]:
        """“The Annual Rent is £70,000”: the value of the definition, or of the sentence most alike."""
        own = [place for term, place in self._terms.items() if names(term, statement.text)]
        for clause, within in own or self._likest(statement):
            first, last = within
            for new in values_in(statement.text):
                olds = [old for old in values_in(clause.text) if first <= old.start and old.end <= last]
                # "from 1 April 2021 to 31 March 2031": the last one of a kind.
                old = next((old for old in reversed(olds) if old.comparable(new)), None)
                if old is not None and not old.same_as(new):
                    yield _changed(clause, statement, ((old.start, old.end), (new.start, new.end)))
                    return

    def _likest(self, statement: Sentence) -> list[tuple[Sentence, Span]]:
        """The one that has most of its words, at least half of them; none where two have as many."""
        most = len(common(statement.text, statement.text))
        near = sorted(
            (
                (len(common(statement.text, each.text)), number)
                for number, each in enumerate(self._statements)
            ),
            reverse=True,
        )
        alike, second = near[0][0], near[1][0] if len(near) > 1 else 0
        if alike < max(LEAST, most / 2) or alike == second:
            return []
        clause = self._statements[near[0][1]]
        return [(clause, (0, len(clause.text)))]


def _changed(clause: Sentence, statement: Sentence, parts: tuple[Span, Span]) -> Change:
    return Change(became=Became.CHANGED, before=clause, after=statement, parts=parts)


def _meanings(text: str) -> dict[str, Span]:
    """The terms that a statement defines, each with where the words on it begin and end."""
    found = list(meanings_in(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    return {each["term"]: (each.start(), end) for each, end in zip(found, ends, strict=False)}


def _parts(clause: str, change: str) -> tuple[Span, Span]:
    """What of the clause becomes what of the change: words that it exchanges, the clause as it is to read."""
    if words := exchanged(change, clause):
        new, old = words
        return old, new
    for found in _NEW_CLAUSE.finditer(change):
        if found["number"] == number_of_clause(clause):
            return (0, len(clause)), (found.start("number"), found.end())
    return (0, 0), (0, 0)
