"""The tools of the agent as a variant has them: another search, or none of the graph's."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.runs.variants import GRAPH_TOOLS, Variant
from providers.protocols import Embedder
from retrieval.engine import Query, retrieve
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.table_heads import with_table_heads
from retrieval.tools.registry import TOOLS
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from retrieval.tools.tool import Tool


def tools_of(variant: Variant) -> Sequence[Tool]:
    """Those of the product where the variant changes nothing about the search."""
    own = _own_search(variant)
    kept = [tool for tool in TOOLS if variant.graph or tool.name not in GRAPH_TOOLS]
    return [own if tool is SEARCH_CHUNKS else tool for tool in kept]


def query_of(variant: Variant, text: str, k: int) -> Query:
    return Query(
        text=text,
        k=k,
        legs=variant.searched_legs,
        fusion=variant.fusion,
        alpha=variant.alpha,
        rerank=variant.rerank,
    )


def _own_search(variant: Variant) -> Tool:
    def run(scope: Scope, embedder: Embedder, arguments: Any) -> list[Evidence]:
        result = retrieve(query_of(variant, arguments.query, arguments.limit), scope, embedder)
        return with_table_heads(result.evidence)

    return replace(SEARCH_CHUNKS, run=run)
