"""The documents that a question may be narrowed to, as the composer lists them."""

from collections.abc import Collection
from dataclasses import dataclass

from chat.scope import newest_versions
from datasources.models import Datasource, Document

LISTED = 50  # besides those chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeList:
    """`chosen` of `total` documents are searched; None means all of them."""

    documents: list[Document]
    chosen: frozenset[int] | None
    total: int
    more: int  # matching documents that are not listed
    deleted: int  # of those that were chosen

    @property
    def label(self) -> str:
        """How many of how many."""
        if self.chosen is None:
            return f"All {self.total:,}" if self.total != 1 else "1"
        return f"{len(self.chosen):,} of {self.total:,}"


def scope_list(datasource: Datasource, chosen: Collection[int] | None = None, words: str = "") -> ScopeList:
    """The chosen documents first, in their newest versions, then others whose title holds the words."""
    newest = newest_versions(datasource.pk, chosen or ())
    current = datasource.documents.current().only("title", "filename", "status", "page_count", "datasource")
    kept = list(current.filter(pk__in=newest).order_by("title"))
    others = current.filter(title__icontains=words).exclude(pk__in=newest).order_by("title", "pk")
    listed = list(others[:LISTED])
    more = others.count() - len(listed) if len(listed) == LISTED else 0
    return ScopeList(
        documents=kept + listed,
        chosen=None if chosen is None else frozenset(newest),
        total=current.count() if words else len(kept) + len(listed) + more,
        more=more,
        deleted=0 if chosen is None else len(set(chosen)) - len(newest),
    )
