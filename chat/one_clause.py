"""One clause in two versions: as a document has it, and as the one that changes it does."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from chat.models import Citation
from chat.two_sides import Side, TwoSides
from english.contracts.clauses import changes, number_of_clause, prevails_itself
from english.contracts.instrument_days import Days, day_made
from reader.beginnings import beginning_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OneClause:
    """number: of the clause. amendment: the title of what changes it, whose quote has the number changed_by.

    made: the day that the first page gives, of the clause. days: those of its change.
    """

    number: str
    amendment: str
    changed_by: int
    made: date | None
    days: Days

    @property
    def is_ahead(self) -> bool:
        return self.days.effect is not None and self.days.effect > timezone.localdate()


def one_clause(one: Citation, other: Citation) -> OneClause | None:
    """None unless one of the two says that it changes the clause that the other is."""
    for clause, change in ((one, other), (other, one)):
        if clause.document_id != change.document_id and changes(change.quote, clause.quote):
            return OneClause(
                number=number_of_clause(clause.quote),
                amendment=change.name,
                changed_by=change.n,
                made=day_of(clause),
                days=Days.of(_beginning(change)),
            )
    return None


def in_order(found: TwoSides, clause: OneClause | None) -> tuple[Side, Side]:
    """Of a clause the earlier version first, as time runs; else the document that says that it prevails."""
    second = found.other.citation
    is_turned = clause.changed_by != second.n if clause else _prevails(second, found.ranked_by)
    return (found.other, found.one) if is_turned else found.sides


def _prevails(citation: Citation, ranked_by: Citation | None) -> bool:
    """Whether the sentence that ranks the two is one of its document, and says so of it."""
    if ranked_by is None or ranked_by.document_id != citation.document_id:
        return False
    return ranked_by.n == citation.n or prevails_itself(ranked_by.quote)


def day_of(citation: Citation) -> date | None:
    """The day on which its document was made, as the first page of that says."""
    return day_made(_beginning(citation))


def _beginning(citation: Citation) -> str:
    return beginning_of(citation.document_id) if citation.document_id else ""
