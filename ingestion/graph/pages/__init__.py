"""The graph in the browser."""
