"""A cell filled without a language model: the sentence of the document that stands out for the question."""

from collections.abc import Iterable, Sequence

from chat.answering.extractive.candidates import Candidate
from chat.answering.extractive.choice import FOUND
from chat.answering.extractive.usual_words import asked_matters, may_be_several
from chat.citations.match import locate
from chat.suggestions.trial import Trial
from tables.filling.proof import Found
from tables.models import Cell

LONGEST = 900  # characters from the first to the last of several clauses


def found_by_search(cell: Cell) -> Found | None:
    """None where no sentence stands out. Raises ProviderError."""
    trial = Trial(cell.row.table.datasource, among=[cell.row.document_id])
    choice, passages = trial.ask(cell.column.question)
    matters = asked_matters(cell.column.question)
    for quote in choice.quotes:
        # In a cell it would look like an answer, so a sentence of other words than such answers have is none.
        if quote.sure < FOUND or (matters and not any(matter.is_said(quote.text) for matter in matters)):
            continue
        passage = passages[quote.passage.key]
        words = _with_its_kind(quote, choice.quotes) if may_be_several(cell.column.question) else quote.quote
        if located := locate(words, passage.text):
            return Found(
                value="",
                quote=located.quote,
                start=passage.start + located.start,
                method=located.method,
            )
    return None


def _with_its_kind(quote: Candidate, others: Sequence[Candidate]) -> str:
    """The words from the first to the last of the clauses of this passage that answer alike: a cell has one
    place on a page. The others are left out where they stand far away.
    """
    start, end = quote.start, quote.end
    for other in _alike(quote, others):
        first, last = min(start, other.start), max(end, other.end)
        if last - first <= LONGEST:
            start, end = first, last
    return quote.passage.text[start:end]


def _alike(quote: Candidate, others: Sequence[Candidate]) -> Iterable[Candidate]:
    if not quote.said:
        return ()
    return (other for other in others if other.said and other.passage.key == quote.passage.key)
