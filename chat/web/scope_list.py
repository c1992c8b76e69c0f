"""The documents that a question may be narrowed to, as the composer lists them."""

from collections.abc import Collection
from dataclasses import dataclass

from datasources.models import Datasource, Document

LISTED = 50  # besides those chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeList:
    """`chosen` of `total` documents are searched; none chosen means all of them."""

    documents: list[Document]
    chosen: frozenset[int]
    total: int
    more: int  # matching documents that are not listed

    @property
    def label(self) -> str:
        """How many of how many."""
        if not self.chosen:
            return f"All {self.total:,}" if self.total != 1 else "1"
        return f"{len(self.chosen):,} of {self.total:,}"


def scope_list(datasource: Datasource, chosen: Collection[int] = (), words: str = "") -> ScopeList:
    """The chosen documents first, then others whose title holds the words."""
    current = datasource.documents.current().only("title", "filename", "status", "page_count", "datasource")
    kept = list(current.filter(pk__in=chosen).order_by("title"))
    others = current.filter(title__icontains=words).exclude(pk__in=chosen).order_by("title", "pk")
    listed = list(others[:LISTED])
    more = others.count() - len(listed) if len(listed) == LISTED else 0
    return ScopeList(
        documents=kept + listed,
        chosen=frozenset(document.pk for document in kept),
        total=current.count() if words else len(kept) + len(listed) + more,
        more=more,
    )
