"""The tools that the agent is offered, in this order: a new one is a file beside this one and a line here."""

from retrieval.tools.list_mentions import LIST_MENTIONS
from retrieval.tools.query_entities import QUERY_ENTITIES
from retrieval.tools.query_knowledge_graph import QUERY_KNOWLEDGE_GRAPH
from retrieval.tools.query_relations import QUERY_RELATIONS
from retrieval.tools.read_page import READ_PAGE
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from retrieval.tools.search_literal import SEARCH_LITERAL

TOOLS = (
    SEARCH_CHUNKS,
    SEARCH_LITERAL,
    QUERY_ENTITIES,
    QUERY_RELATIONS,
    QUERY_KNOWLEDGE_GRAPH,
    LIST_MENTIONS,
    READ_PAGE,
)
