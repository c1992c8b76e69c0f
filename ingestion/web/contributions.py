"""What apps above add to the documents page: a column, a notice, a sentence (settings.DOCUMENTS_PAGE)."""

from collections.abc import Sequence
from typing import Any

from datasources.models import Datasource
from datasources.registry import registered


class Contribution:
    """One app's part of the page."""

    column: str  # its heading, in lower case the name in the addresses of its cells
    notice: str  # the template of what stands above the list, swapped when the list is

    def numbers(self, document_ids: Sequence[int]) -> dict[int, int]:
        """The column's numbers for ready documents, by document; a missing one is 0."""
        raise NotImplementedError

    def notice_context(self, datasource: Datasource) -> dict[str, Any]:
        raise NotImplementedError

    def rechunking(self, datasource: Datasource) -> str:
        """What re-chunking brings besides new chunks and vectors; a clause without a full stop, or empty."""
        raise NotImplementedError


def contributions() -> tuple[Contribution, ...]:
    return registered("DOCUMENTS_PAGE", Contribution)
