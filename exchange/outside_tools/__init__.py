"""Tools of outside programs (MCP servers) that the agent may call where owners have attached them."""
