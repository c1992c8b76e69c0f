"""How well passages were ranked, without any answer; the measures are those of ir-measures.

Recall is counted by pieces, not by passages: a sentence that stands in three chunks is needed once.
"""

from collections.abc import Iterable, Mapping, Sequence

import ir_measures
from ir_measures import RR, P, Qrel, ScoredDoc, Success, nDCG

from desks.evaluation.metrics.evidence import Gold, Span, pieces, pieces_in

FIRST = 5  # passages: about as many as a person looks at
MORE = 10
_MEASURES = {
    f"precision_at_{FIRST}": P @ FIRST,
    f"hit_at_{FIRST}": Success @ FIRST,
    "mrr": RR @ MORE,
    f"ndcg_at_{MORE}": nDCG @ MORE,
}
NAMES = (*_MEASURES, f"recall_at_{FIRST}", f"recall_at_{MORE}", "pages")


def ranking_measures(
    ranked: Sequence[tuple[int, Span]], gold_passages: Iterable[int], gold: Sequence[Gold]
) -> dict[str, float]:
    """Of one question; empty when nothing is gold.

    ranked: passages by their number, the best first. gold_passages: all passages that are in the gold set,
    retrieved or not.
    """
    qrels = [Qrel("q", str(pk), 1) for pk in dict.fromkeys(gold_passages)]
    if not qrels or not gold:
        return {}
    run = [ScoredDoc("q", str(pk), -float(rank)) for rank, (pk, _) in enumerate(_once(ranked))]
    told = ir_measures.calc_aggregate(_MEASURES.values(), qrels, run) if run else {}
    scores = {name: float(told.get(measure, 0.0)) for name, measure in _MEASURES.items()}
    spans = [span for _, span in ranked]
    return scores | {f"recall_at_{k}": recall(spans[:k], gold) for k in (FIRST, MORE)}


def recall(retrieved: Iterable[Span], gold: Sequence[Gold]) -> float:
    """Of the pieces that are needed, the share that the passages have."""
    found: set[int] = set()
    for passage in retrieved:
        found |= pieces_in(passage, gold)
    needed = pieces(gold)
    return len(found) / len(needed) if needed else 0.0


def page_hits(retrieved: Mapping[int, set[int]], gold: Mapping[int, set[int]]) -> float | None:
    """Of the pages that have the answer, the share that the passages are on; both by document."""
    needed = {(document, page) for document, pages in gold.items() for page in pages}
    on = {(document, page) for document, pages in retrieved.items() for page in pages}
    return len(needed & on) / len(needed) if needed else None


def _once(ranked: Sequence[tuple[int, Span]]) -> list[tuple[int, Span]]:
    """Each passage where it came first."""
    return list({pk: (pk, span) for pk, span in reversed(ranked)}.values())[::-1]
