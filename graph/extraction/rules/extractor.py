"""The extractor that needs no model: it knows capital letters, punctuation and word lists.

English fares best, names in any script with capitals are found, and what it says about two things is the
sentence that names both.
"""

from collections.abc import Sequence

from graph.extraction.rules import research
from graph.extraction.rules.document import read_document
from graph.extraction.rules.mentions import find
from graph.extraction.rules.rows import Row
from graph.extraction.rules.short_forms import full_names
from graph.extraction.rules.statements import statements
from graph.values.extraction import Extraction
from graph.values.ontology import Types


class Rules:
    """Reads some thousand passages a second. `types`: the datasource's; those of research count."""

    name = "rules-7"

    def __init__(self, types: Types | None = None) -> None:
        self._is_research = types is not None and set(research.TYPES) <= types.entities.keys()

    def extract(
        self, title: str, chunks: Sequence[str], rows: Sequence[Sequence[Row]] = ()
    ) -> list[Extraction]:
        """One Extraction per chunk, in order. rows: of the tables of each chunk, where they are known."""
        document = read_document(chunks)
        found = [find(text, document) for text in chunks]
        if self._is_research:
            found = [research.with_terms(text, some) for text, some in zip(chunks, found, strict=True)]
        full = full_names(title, chunks, found)
        tables = rows or [()] * len(chunks)
        said = [
            statements(title, text, mentions, full, kept)
            for text, mentions, kept in zip(chunks, found, tables, strict=True)
        ]
        return research.typed(chunks, said) if self._is_research else said
