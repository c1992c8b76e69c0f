"""The graph as files: out to other programs, and in from other extractors."""
