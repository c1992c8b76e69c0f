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

    def tools(self, datasource_id: int, person_id: int | None) -> Sequence[Tool]:
        """person_id: who asks; None: nobody in particular."""
        raise NotImplementedError

    def lacking(self, datasource_id: int, person_id: int) -> Sequence[str]:
        """The programs whose tools the person is not offered, as they have entered no token there."""
        return ()


def tools_of(datasource_id: int, person_id: int | None = None) -> tuple[Tool, ...]:
    """All that the agent is offered in the datasource. person_id: who asks; None: nobody in particular."""
    sources = registered("AGENT_TOOLS", ToolSource)
    return (*TOOLS, *(tool for source in sources for tool in source.tools(datasource_id, person_id)))


def lacking(datasource_id: int, person_id: int) -> list[str]:
    """The outside programs whose tools are not offered to who asks, for want of a token of their own."""
    sources = registered("AGENT_TOOLS", ToolSource)
    return [program for source in sources for program in source.lacking(datasource_id, person_id)]
