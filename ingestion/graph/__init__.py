"""The knowledge graph: what chunks say about which things, and how the same thing is known again."""
