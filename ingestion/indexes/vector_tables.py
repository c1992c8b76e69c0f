"""The registry of the tables of vectors (settings.VECTOR_TABLES): how each is filled for another model."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar

from datasources.registry import registered
from ingestion.models import VectorSpace
from providers.protocols import Embedder
from sql import rows

# Opens the transaction to write in, in which no other run fills the space. Raises jobs.runs.Stopped.
Writing = Callable[[], AbstractContextManager[object]]


class VectorTable:
    """One table of (what a vector is of, space_id, vector), the first two of which are its key."""

    table: ClassVar[str]
    column: ClassVar[str]  # refers to what a vector is of
    at_once: ClassVar[int]  # made and stored together

    def fill(self, space: VectorSpace, embedder: Embedder, ids: Sequence[int], writing: Writing) -> None:
        """Make the vectors of at most `at_once` that have none in the space. Some may be gone by now.

        Whatever takes long is done before `writing`. Raises ProviderError, Stopped.
        """
        raise NotImplementedError

    def switch(self, old: VectorSpace, new: VectorSpace) -> None:
        """The new space is searched from now on, in the caller's transaction; nobody adds to either."""

    def missing(self, old: VectorSpace, new: VectorSpace, *, after: int = 0, limit: int) -> list[int]:
        """What has a vector in the old space and none in the new, in order."""
        statement = (
            f"SELECT {self.column} FROM {self.table} o WHERE o.space_id = %s AND o.{self.column} > %s "
            f"AND NOT EXISTS (SELECT 1 FROM {self.table} n WHERE n.{self.column} = o.{self.column} "
            f"AND n.space_id = %s) ORDER BY o.{self.column} LIMIT %s"
        )
        return [pk for (pk,) in rows(statement, old.pk, after, new.pk, limit)]

    def count(self, space: VectorSpace) -> int:
        """How many vectors there are."""
        return int(rows(f"SELECT count(*) FROM {self.table} WHERE space_id = %s", space.pk)[0][0])


def vector_tables() -> tuple[VectorTable, ...]:
    return registered("VECTOR_TABLES", VectorTable)
