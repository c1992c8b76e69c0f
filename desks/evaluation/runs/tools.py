"""The tools of the agent as a variant has them: another search, or none of the graph's."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from desks.evaluation.runs.variants import GRAPH_TOOLS, Variant
from providers.protocols import Embedder, ProviderError, StructuredModel
from retrieval.engine import Query, Rerank, retrieve
from retrieval.engine.reranking import LOOKED_AT, near_the_best, reranked
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.tables import with_tables
from retrieval.tools import registry
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from retrieval.tools.tool import Tool

# Makes the model that ranks passages, for each search another; None where there is none.
Reader = Callable[[], StructuredModel | None]


def tools_of(variant: Variant, reader: Reader, datasource_id: int) -> Sequence[Tool]:
    """Those that the product offers there, where the variant changes nothing about the search. Outside
    programs are not asked: nobody has said that they may be, a hundred times over.
    """
    own = _own_search(variant, reader)
    kept = [
        tool
        for tool in registry.tools_of(datasource_id)
        if not tool.outside and (variant.graph or tool.name not in GRAPH_TOOLS)
    ]
    return [own if tool is SEARCH_CHUNKS else tool for tool in kept]


def query_of(variant: Variant, text: str, k: int) -> Query:
    return Query(
        text=text,
        k=k,
        legs=variant.searched_legs,
        fusion=variant.fusion,
        alpha=variant.alpha,
        near=variant.near,
        rerank=variant.rerank,
    )


def searched(query: Query, scope: Scope, embedder: Embedder, reader: Reader) -> list[Evidence]:
    """As the engine finds them; a model that ranks is the run's own, which charges and keeps its replies.

    Raises ProviderError.
    """
    if query.rerank != Rerank.LLM:
        return list(retrieve(query, scope, embedder).evidence)
    plain = replace(query, rerank=Rerank.NONE, k=max(query.k, LOOKED_AT), near=0.0)
    found = retrieve(plain, scope, embedder).evidence
    ranked, failed = reranked(query.text, found, query.rerank, [scope], reader())
    if failed:  # a figure of a ranking that did not take place would be none
        raise ProviderError(failed)
    return near_the_best(ranked, query)[: query.k]


def _own_search(variant: Variant, reader: Reader) -> Tool:
    def run(scope: Scope, embedder: Embedder, arguments: Any) -> list[Evidence]:
        query = query_of(variant, arguments.query, arguments.limit)
        return with_tables(searched(query, scope, embedder, reader))

    return replace(SEARCH_CHUNKS, run=run, with_note=None)
