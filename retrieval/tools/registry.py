"""The agent's tools, in the order they are offered. A new one is a file in this folder and a line here.

Apps above add theirs for the datasources that have what these search (settings.AGENT_TOOLS).
"""

from collections.abc import Sequence

from datasources.registry import registered
from retrieval.tools.list_mentions import LIST_MENTIONS
from retrieval.tools.query_entities import QUERY_ENTITIES
from retrieval.tools.query_knowledge_graph import QUERY_KNOWLEDGE_GRAPH
from retrieval.tools.query_relations import QUERY_RELATIONS
from retrieval.tools.read_page import READ_PAGE
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from retrieval.tools.search_literal import SEARCH_LITERAL
from retrieval.tools.tool import Tool

TOOLS = (
    SEARCH_CHUNKS,
    SEARCH_LITERAL,
    QUERY_ENTITIES,
    QUERY_RELATIONS,
    QUERY_KNOWLEDGE_GRAPH,
    LIST_MENTIONS,
    READ_PAGE,
)


class ToolSource:
    """An app's tools for a datasource; none if it has nothing to search with them."""

    def tools(self, datasource_id: int) -> Sequence[Tool]:
        raise NotImplementedError


def tools_of(datasource_id: int) -> tuple[Tool, ...]:
    """All that the agent is offered in the datasource."""
    added = (tool for source in registered("AGENT_TOOLS", ToolSource) for tool in source.tools(datasource_id))
    return (*TOOLS, *added)
