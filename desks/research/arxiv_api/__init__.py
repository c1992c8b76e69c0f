"""How SVQ talks to arXiv: its numbers, its queries, its feeds, and one queue for all requests."""
