"""A cell filled without a language model: the sentence of the document that stands out for the question."""

import re
from collections.abc import Iterable, Mapping, Sequence

from answering.extractive.answer_kinds import Kind
from answering.extractive.candidates import Candidate
from answering.extractive.choice import FOUND, SOME
from answering.extractive.usual_words import Matter, asked_matters, may_be_several, places_asked
from answering.suggestions.trial import Trial
from citations.match import locate
from desks.tables.filling.proof import Found
from desks.tables.models import Cell
from english.contracts.amendments import named_by_day
from retrieval.evidence import Evidence
from retrieval.running_lines import with_running_lines

WIDE = 3  # cells of a row; a shorter one is a name and what is said of it
LONGEST = 900  # characters from the first to the last of several clauses
_OWN = re.compile(r"\b[Tt](?:his|HIS) (?:[A-Z]\w+ ){0,3}?[A-Z]\w+")
_DATE_TERM = re.compile(r"\bthe (?:[A-Z]\w+ ){1,3}Date\b")


def found_by_search(cell: Cell) -> Found | None:
    """None where no sentence stands out. Raises ProviderError."""
    trial = Trial(cell.row.table.datasource, among=[cell.row.document_id])
    question = cell.column.question
    choice, passages = trial.ask(question)
    quotes = [each for each in choice.quotes if not _is_title(each.text, cell.row.document.title)]
    for quote in _fit(question, quotes):
        if told := _date_of_term(trial, question, quote):
            quote, passages = told
        passage = passages[quote.passage.key]
        words = quote.quote
        if may_be_several(question):
            (passage,) = with_running_lines([passage])
            words = _with_its_kind(quote, choice.quotes, passage)
        if located := locate(words, passage.text):
            return Found(
                value="",
                quote=located.quote,
                start=passage.start + located.start,
                method=located.method,
            )
    return None


def _fit(question: str, quotes: Sequence[Candidate]) -> list[Candidate]:
    """In a cell a sentence looks like an answer, so one of other words than such answers have is none. First
    come those with the date, sum or law that is asked for, and what speaks of this document.
    """
    matters, kind = asked_matters(question), Kind(question)
    fit = [quote for quote in quotes if quote.sure >= (SOME if quote.said else FOUND)]
    fit = [quote for quote in fit if not matters or (quote.said and _is_said_in_a_cell(quote, matters))]
    is_own = any(matter.own for matter in matters)
    if is_own and kind.is_date:
        fit = [quote for quote in fit if not _is_day_of_another(kind, quote.text)]

    def lacks(quote: Candidate) -> tuple[bool, bool]:
        has_it = not kind.is_exact or any(places_asked(kind, matters, quote.text))
        return not has_it, is_own and not _OWN.search(quote.text)

    return sorted(fit, key=lacks)


def _is_said_in_a_cell(quote: Candidate, matters: Sequence[Matter]) -> bool:
    """Whether it states what is asked; words of several cells of a wide row say nothing together."""
    cells = quote.row_cells if quote.kind == "row" else ()
    return len(cells) < WIDE or any(matter.is_said(cell) for matter in matters for cell in cells)


def _is_title(text: str, title: str) -> bool:
    """Whether it is the document's title and at most its number: "Supplier Questionnaire Q-31"."""
    return text.startswith(title) and len(text.removeprefix(title).split()) <= 1


def _is_day_of_another(kind: Kind, text: str) -> bool:
    """Whether all its dates are those by which it names other contracts."""
    places, others = list(kind.places(text)), named_by_day(text)
    return bool(places) and all(
        any(first <= start and end <= last for first, last in others) for start, end in places
    )


def _date_of_term(
    trial: Trial, question: str, quote: Candidate
) -> tuple[Candidate, Mapping[str, Evidence]] | None:
    """Where a date is asked for and the quote has but a word for it ("the Commencement Date"): the sentence
    that says which day that is, with the passages. Raises ProviderError.
    """
    kind = Kind(question)
    if not kind.is_date or any(places_asked(kind, asked_matters(question), quote.text)):
        return None
    if named := _DATE_TERM.search(quote.text):
        choice, passages = trial.ask(f"What is {named[0]}?")
        for told in choice.quotes:
            if told.said and any(kind.places(told.text)):
                return told, passages
    return None


def _with_its_kind(quote: Candidate, others: Sequence[Candidate], passage: Evidence) -> str:
    """The words from the first to the last of the clauses of this passage that answer alike: a cell has one
    place on a page. The others are left out where they stand far away or on another page.
    """
    start, end = quote.start, quote.end
    for other in _alike(quote, others):
        first, last = min(start, other.start), max(end, other.end)
        if last - first <= LONGEST and not passage.runs_over_an_edge(first, last):
            start, end = first, last
    return quote.passage.text[start:end]


def _alike(quote: Candidate, others: Sequence[Candidate]) -> Iterable[Candidate]:
    if not quote.said:
        return ()
    return (other for other in others if other.said and other.passage.key == quote.passage.key)
