"""What one answer is worth, by code: scores from what was needed, retrieved, quoted and said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from answering.values.outcome import Outcome
from citations.checked import CheckedQuote
from citations.marks import without_marks
from citations.unsourced import sentences_without_source
from desks.evaluation.metrics import citing, ranking, trace_scores
from desks.evaluation.metrics.citing import Cited
from desks.evaluation.metrics.evidence import Gold, Span, holds, is_gold, pieces
from desks.evaluation.models import GoldQuote, Kind, Question
from desks.evaluation.questions.gold import gold_chunks, gold_of, gold_pages
from desks.evaluation.runs.answering import Answered, is_supported
from desks.evaluation.runs.tools import Reader, query_of, searched
from desks.evaluation.runs.variants import Variant
from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.query import Leg, Scope
from text.search.search_terms import terms

SAID = 0.7  # of the words of a gold quote: an answer with so many, and all its figures, says it
SEARCHED = 10  # passages of each leg alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What the answer of a question needs; read once for all that is measured."""

    kind: Kind
    gold: Sequence[Gold]
    chunks: frozenset[int]
    pages: Sequence[tuple[int, tuple[int, int]]]
    words: Mapping[int, Sequence[str]]  # by piece: texts that say it

    @classmethod
    def of(cls, question: Question) -> "Needed":
        gold = gold_of(question)
        return cls(
            kind=Kind(question.kind),
            gold=gold,
            chunks=frozenset(gold_chunks(gold)),
            pages=gold_pages(question),
            words=_words(question, list(question.gold.all())),
        )


def _words(question: Question, quotes: Sequence[GoldQuote]) -> dict[int, list[str]]:
    """Where gold has no quote, the expected answer has to do for all its pieces."""
    said: dict[int, list[str]] = {}
    for gold in quotes:
        if text := gold.quote or question.reference:
            said.setdefault(gold.piece, []).append(text)
    return said


def span_of(passage: Evidence) -> Span:
    return Span(document=passage.document_id, start=passage.start, end=passage.end)


# --- the search by itself --------------------------------------------------------------------------------
def search_scores(
    question: Question,
    needed: Needed,
    scope: Scope,
    variant: Variant,
    embedder: Embedder,
    reader: Reader,
    *,
    graph: bool,
) -> dict[str, dict[str, float]]:
    """Measures of the fused search, and of each of its legs alone; empty where nothing is gold.

    graph: whether the datasource has one. Raises ProviderError.
    """
    if not needed.gold:
        return {}
    fused = query_of(variant, question.text, SEARCHED)
    legs: list[Leg] = [leg for leg in (Leg.DENSE, Leg.BM25) if leg in variant.searched_legs]
    legs += [Leg.GRAPH] if graph and variant.graph else []
    alone = {str(leg): _alone(variant, question.text, leg) for leg in legs}
    return {
        name: _measured(searched(query, scope, embedder, reader), needed)
        for name, query in {"fused": fused, **alone}.items()
    }


def _alone(variant: Variant, text: str, leg: Leg) -> Any:
    return replace(query_of(variant, text, SEARCHED), legs=frozenset({leg}), near=0.0)


def _measured(found: Sequence[Evidence], needed: Needed) -> dict[str, float]:
    ranked = [(each.chunk_id, span_of(each)) for each in found]
    measures = ranking.ranking_measures(ranked, needed.chunks, needed.gold)
    first = found[: ranking.FIRST]
    spans = [span_of(each) for each in first]
    measures["relevance_at_5"] = trace_scores.context_relevance(spans, needed.gold) or 0.0
    on: dict[int, set[int]] = {}
    for each in first:
        on.setdefault(each.document_id, set()).update(range(each.first_page, each.last_page + 1))
    pages: dict[int, set[int]] = {}
    for _, (document, page) in needed.pages:
        pages.setdefault(document, set()).add(page)
    hits = ranking.page_hits(on, pages)
    return measures | ({} if hits is None else {"pages": hits})


# --- the answer ------------------------------------------------------------------------------------------
def answer_scores(answered: Answered, needed: Needed) -> dict[str, float]:
    """The four of TRACe, refusal and citations; what is not defined is left out."""
    is_refusal = answered.outcome == Outcome.NOT_FOUND
    cited = [] if is_refusal else [_cited(each) for each in answered.citations]
    used = [each.span for each in cited if each.span is not None]
    retrieved = [span_of(each) for each in answered.passages]
    told = set() if is_refusal else pieces_answered(answered, cited, needed)
    scores: dict[str, float | None] = {
        "relevance": trace_scores.context_relevance(retrieved, needed.gold),
        "utilisation": trace_scores.context_utilisation(retrieved, used)
        if needed.kind != Kind.NONE
        else None,
        "completeness": trace_scores.completeness(needed.gold, told),
        "adherence": trace_scores.adherence([] if is_refusal else statements(answered)),
        "refused": float(is_refusal),
    }
    scores |= citing.citation_scores(cited, needed.gold, needed.pages)
    return {name: value for name, value in scores.items() if value is not None}


def pieces_answered(answered: Answered, cited: Sequence[Cited], needed: Needed) -> set[int]:
    """The pieces of the gold set that the answer has: it quotes them, or says their words and figures."""
    quoted = citing.pieces_quoted(cited, [gold for gold in needed.gold if _is_quote(gold, needed)])
    quotes = [each.quote for each in answered.citations if each.is_on_page]
    words = set(terms(" ".join([without_marks(answered.answer), *quotes])))
    said = {piece for piece, texts in needed.words.items() if any(_says(words, text) for text in texts)}
    return quoted | (said & pieces(needed.gold))


def _is_quote(gold: Gold, needed: Needed) -> bool:
    """A whole page or document as gold is proof of where, not of what."""
    longest = max((len(text) for text in needed.words.get(gold.piece, ())), default=0)
    return gold.span.length <= 2 * longest


def _says(words: set[str], text: str) -> bool:
    needed = set(terms(text))
    figures = {term for term in needed if any(map(str.isdigit, term))}
    return bool(needed) and figures <= words and len(needed & words) >= SAID * len(needed)


def statements(answered: Answered) -> list[bool]:
    """What the answer says, and whether the context says so. A quotation says what it quotes."""
    if answered.quotes_only:
        return [citation.is_on_page for citation in answered.citations]
    by_claim: dict[str | int, list[CheckedQuote]] = {}
    for citation in answered.citations:
        by_claim.setdefault(citation.claim or citation.n, []).append(citation)
    cited = [any(map(_is_founded, some)) for some in by_claim.values()]
    return cited + [False] * len(sentences_without_source(answered.answer))


def _is_founded(citation: CheckedQuote) -> bool:
    return bool(is_supported(citation)) if citation.claim else citation.is_on_page


def _cited(citation: CheckedQuote) -> Cited:
    document, start, end = citation.document_id, citation.start, citation.end
    found = citation.is_on_page and document is not None and start is not None and end is not None
    return Cited(
        on_page=citation.is_on_page,
        carries_claim=is_supported(citation),
        span=Span(document=document, start=start, end=end) if found else None,  # type: ignore[arg-type]
        pages=frozenset((document, page) for page in citation.pages) if document is not None else frozenset(),
    )


def passages_json(answered: Answered, needed: Needed) -> list[dict[str, Any]]:
    """What a result keeps of the passages: where they stand, and whether they were needed and used."""
    used = [span for each in answered.citations if (span := _cited(each).span) is not None]
    return [
        {
            "chunk": passage.chunk_id,
            "document": passage.document_id,
            "title": passage.document_title,
            "pages": list(range(passage.first_page, passage.last_page + 1)),
            "start": passage.start,
            "end": passage.end,
            "gold": is_gold(span, needed.gold),
            "used": any(holds(span, quote) for quote in used),
        }
        for passage in answered.passages
        for span in [span_of(passage)]
    ]
