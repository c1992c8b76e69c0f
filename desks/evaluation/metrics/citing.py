"""How good the citations of an answer are. About the quote and about the claim, never mixed."""

from collections.abc import Sequence
from dataclasses import dataclass

from desks.evaluation.metrics.evidence import Gold, Span, holds, pieces
from desks.evaluation.metrics.trace_scores import share


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A citation, as far as it is measured.

    carries_claim None: there was no claim to judge. pages: (document, page). span None: not found.
    """

    on_page: bool
    carries_claim: bool | None = None
    span: Span | None = None
    pages: frozenset[tuple[int, int]] = frozenset()


def citation_scores(
    cited: Sequence[Cited], gold: Sequence[Gold], gold_pages: Sequence[tuple[int, tuple[int, int]]]
) -> dict[str, float]:
    """Shares of citations whose quote was found, and whose quote carries the claim; of the pieces needed, the
    share with a citation of their page. gold_pages: piece, (document, page). What is undefined is left out.
    """
    scores: dict[str, float] = {}
    if cited:
        scores["quote_found"] = share(each.on_page for each in cited)
    if judged := [each.carries_claim for each in cited if each.carries_claim is not None]:
        scores["carries_claim"] = share(judged)
    if gold_pages:
        pages = {page for each in cited for page in each.pages}
        needed = {piece for piece, _ in gold_pages}
        scores["gold_page_cited"] = len({piece for piece, page in gold_pages if page in pages}) / len(needed)
    return scores


def pieces_quoted(cited: Sequence[Cited], gold: Sequence[Gold]) -> set[int]:
    """The pieces of the gold set that a citation quotes."""
    return pieces(
        each for each in gold if any(one.span is not None and holds(one.span, each.span) for one in cited)
    )
