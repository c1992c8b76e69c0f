"""Under which headings each part of a document stands."""

from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import Self

from datasources.models import Document
from ingestion.models import Section


class SectionPaths:
    """The sections of a document, to look up many places."""

    def __init__(self, sections: Iterable[tuple[int, str]]) -> None:
        """sections: where each begins, and its path; in their order."""
        rows = list(sections)
        self._starts = [start for start, _ in rows]
        self._paths = [path for _, path in rows]

    @classmethod
    def of(cls, document: Document) -> Self:
        return cls(document.sections.order_by("start", "number").values_list("start", "path"))

    @classmethod
    def of_all(cls, documents: Collection[int]) -> dict[int, Self]:
        """By the ids of those documents that have sections, read at once."""
        rows: dict[int, list[tuple[int, str]]] = {}
        found = Section.objects.filter(document__in=documents).order_by("document", "start", "number")
        for document, start, path in found.values_list("document_id", "start", "path"):
            rows.setdefault(document, []).append((start, path))
        return {document: cls(sections) for document, sections in rows.items()}

    def at(self, offset: int) -> str:
        """The headings over the character at `offset`, the outermost first; empty before the first one."""
        place = bisect_right(self._starts, offset)
        return self._paths[place - 1] if place else ""
