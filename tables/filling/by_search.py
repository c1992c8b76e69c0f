"""A cell filled without a language model: the sentence of the document that stands out for the question."""

from chat.answering.extractive.choice import FOUND
from chat.citations.match import locate
from chat.suggestions.trial import Trial
from tables.filling.proof import Found
from tables.models import Cell


def found_by_search(cell: Cell) -> Found | None:
    """None where no sentence stands out. Raises ProviderError."""
    trial = Trial(cell.row.table.datasource, among=[cell.row.document_id])
    choice, passages = trial.ask(cell.column.question)
    for quote in choice.quotes:
        if quote.sure < FOUND:
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
