"""Finding words in a text, and what a list of results shows of it."""
