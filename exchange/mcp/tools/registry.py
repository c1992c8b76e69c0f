"""The tools, in this order: a new one is a file beside this one and a line here."""

from exchange.mcp.tools.ask import ASK
from exchange.mcp.tools.list_datasources import LIST_DATASOURCES
from exchange.mcp.tools.query_graph import QUERY_GRAPH
from exchange.mcp.tools.read_page import READ_PAGE
from exchange.mcp.tools.retrieve import RETRIEVE

TOOLS = {tool.name: tool for tool in (LIST_DATASOURCES, RETRIEVE, ASK, READ_PAGE, QUERY_GRAPH)}
