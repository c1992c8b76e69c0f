"""Web pages saved as files."""
