"""The extractor that needs no model: it knows capital letters, punctuation and word lists.

English fares best, names in any script with capitals are found, and what it says about two things is the
sentence that names both.
"""

from collections.abc import Sequence

from graph.extraction.rules.document import read_document
from graph.extraction.rules.mentions import find
from graph.extraction.rules.short_forms import full_names
from graph.extraction.rules.statements import statements
from graph.values.extraction import Extraction


class Rules:
    """Reads some thousand passages a second."""

    name = "rules-4"

    def extract(self, title: str, chunks: Sequence[str]) -> list[Extraction]:
        """One Extraction per chunk, in order."""
        document = read_document(chunks)
        found = [find(text, document) for text in chunks]
        full = full_names(title, chunks, found)
        return [statements(title, text, mentions, full) for text, mentions in zip(chunks, found, strict=True)]
