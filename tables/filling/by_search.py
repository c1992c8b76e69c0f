"""A cell filled without a language model: the sentence of the document that stands out for the question."""

from chat.answering.extractive.answer_kinds import Kind
from chat.citations.match import locate
from chat.suggestions.trial import Trial
from tables.filling.proof import Found
from tables.models import Cell


def found_by_search(cell: Cell) -> Found | None:
    """None where no sentence stands out. Raises ProviderError."""
    trial = Trial(cell.row.table.datasource, among=[cell.row.document_id])
    choice, passages = trial.ask(cell.column.question)
    kind = Kind(cell.column.question)
    # Of sentences that are nearly as good, one that has a date where one is asked for, or a sum, or a law.
    for quote in sorted(choice.quotes, key=lambda quote: kind.place(quote.text) is None):
        passage = passages[quote.passage.key]
        if located := locate(quote.quote, passage.text):
            return Found(
                value="",
                quote=located.quote,
                start=passage.start + located.start,
                method=located.method,
            )
    return None
