"""How SVQ speaks with arXiv: its numbers, its queries, its feeds, and one queue for all requests."""
