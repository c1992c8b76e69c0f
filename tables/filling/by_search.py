"""A cell filled without a language model: the sentence of the document that stands out for the question."""

from chat.answering.extractive.choice import FOUND
from chat.answering.extractive.usual_words import asked_matters
from chat.citations.match import locate
from chat.suggestions.trial import Trial
from tables.filling.proof import Found
from tables.models import Cell


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
        if located := locate(quote.quote, passage.text):
            return Found(
                value="",
                quote=located.quote,
                start=passage.start + located.start,
                method=located.method,
            )
    return None
