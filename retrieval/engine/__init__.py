"""The one engine behind the agent's tools, the search page, REST, MCP and the command line."""

from retrieval.engine.result import Result
from retrieval.engine.retrieve import retrieve
from retrieval.evidence import Evidence, Fact, LegScore
from retrieval.query import HYBRID, Filters, Fusion, Leg, Query, Rerank, Scope

__all__ = [
    "HYBRID",
    "Evidence",
    "Fact",
    "Filters",
    "Fusion",
    "Leg",
    "LegScore",
    "Query",
    "Rerank",
    "Result",
    "Scope",
    "retrieve",
]
