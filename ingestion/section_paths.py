"""Under which headings each part of a document stands."""

from bisect import bisect_right

from datasources.models import Document


class SectionPaths:
    """The sections of a document, to look up many places."""

    def __init__(self, document: Document) -> None:
        rows = list(document.sections.order_by("start", "number").values_list("start", "path"))
        self._starts = [start for start, _ in rows]
        self._paths = [path for _, path in rows]

    def at(self, offset: int) -> str:
        """The headings over the character at `offset`, the outermost first; empty before the first one."""
        place = bisect_right(self._starts, offset)
        return self._paths[place - 1] if place else ""
