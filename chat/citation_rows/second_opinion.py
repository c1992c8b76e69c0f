"""What a second reader is asked about citations, and what its opinion changes in them."""

from collections.abc import Iterable

from chat.models import Citation
from citations.opinion import Opinion
from citations.settled import Settled, settled
from citations.statements import Statement


def statements_of(citations: Iterable[Citation]) -> list[Statement]:
    return [statement_of(citation) for citation in citations]


def statement_of(citation: Citation) -> Statement:
    return Statement(
        n=citation.n,
        claim=citation.claim,
        quote=citation.quote,
        sentence=" ".join(filter(None, (citation.before, citation.quote, citation.after))),
        heading=citation.heading,
    )


def take_opinion(citation: Citation, opinion: Opinion | None) -> None:
    """Set what a reader says of the citation, and the verdict that follows. None: it could not be asked."""
    if opinion is None:
        return
    before = Settled(support=citation.support, confirmed_by=citation.confirmed_by, reason=citation.reason)
    after = settled(before, citation.objections, opinion)
    citation.support, citation.confirmed_by = after.support, after.confirmed_by
    citation.reason, citation.reader, citation.judge = after.reason, opinion.model[:200], opinion.as_json()
    if opinion.doubt:  # another reader can't overrule it
        citation.objections = (*citation.objections, opinion.doubt)
