"""The documents that a question may search, to be read whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobs.threads import SEARCHES
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.whole_documents import Readable, characters_of, passages_of, readable


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Each method waits for the database in one of the threads that search."""

    scope: Scope

    async def documents(self) -> Sequence[Readable]:
        """All; none where there are too many to be told apart by their titles."""
        return await SEARCHES.run(readable, self.scope)

    async def characters(self, documents: Sequence[int]) -> int:
        """How long the documents are together."""
        return await SEARCHES.run(characters_of, self.scope, documents)

    async def passages(self, documents: Sequence[int]) -> Sequence[Evidence]:
        """All of them, in reading order."""
        return await SEARCHES.run(passages_of, self.scope, documents)
