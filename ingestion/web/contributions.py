"""What apps above add to the documents page: columns, lines, notices, sentences (settings.DOCUMENTS_PAGE)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasources.models import Datasource
from datasources.registry import registered


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """Another way to add documents than files, in the menu for that."""

    label: str
    icon: str
    address: str


class Contribution:
    """One app's part of the page."""

    column: str = ""  # its heading, in lower case the name in the addresses of its cells; empty: none
    notice: str = ""  # the template of what stands above the list, swapped when the list is; empty: none

    def numbers(self, document_ids: Sequence[int]) -> dict[int, int]:
        """The column's numbers for ready documents, by document; a missing one is 0."""
        return {}

    def about(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        """A line under the titles of ready documents, by document."""
        return {}

    def came_from(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        """How documents came that nobody has added by hand, by document: “from a connected source”."""
        return {}

    def notice_context(self, datasource: Datasource) -> dict[str, Any]:
        return {}

    def ways_in(self, datasource: Datasource) -> Sequence[WayIn]:
        """For who may edit there."""
        return ()

    def rechunking(self, datasource: Datasource) -> str:
        """What re-chunking brings besides new chunks and vectors; a clause without a full stop, or empty."""
        return ""


def contributions() -> tuple[Contribution, ...]:
    return registered("DOCUMENTS_PAGE", Contribution)
