"""The documents that a question may be narrowed to, as the composer lists them."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Case, When
from django.utils.translation import gettext as _

from datasources.models import Datasource, Document, DocumentStatus
from localization.numbers import numeral

LISTED = 50  # besides those chosen
READY_FIRST = Case(When(status=DocumentStatus.READY, then=0), default=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeList:
    """`chosen` of `total` searchable documents are searched; None means all of them."""

    documents: list[Document]
    chosen: frozenset[int] | None
    total: int
    more: int  # matching documents that are not listed
    deleted: int  # of those that were chosen

    @property
    def ticked(self) -> frozenset[int]:
        return self.chosen or frozenset()

    @property
    def label(self) -> str:
        """How many of how many."""
        if self.chosen is None:
            all_of = {1: "1", 2: _("Both")}
            return all_of.get(self.total) or _("All {n}").format(n=numeral(self.total))
        return _("{n} of {all}").format(n=numeral(len(self.chosen)), all=numeral(self.total))


def scope_list(datasource: Datasource, chosen: Collection[int] | None = None, words: str = "") -> ScopeList:
    """The chosen documents first, in their newest versions, then others whose title holds the words."""
    newest = datasource.documents.newest_versions(chosen or ())
    current = datasource.documents.current().only("title", "filename", "status", "page_count", "datasource")
    kept = list(current.filter(pk__in=newest).order_by("title"))
    others = current.filter(title__icontains=words).exclude(pk__in=newest)
    listed = list(others.order_by(READY_FIRST, "title", "pk")[:LISTED])
    return ScopeList(
        documents=kept + listed,
        chosen=None if chosen is None else frozenset(newest),
        total=current.ready().count(),
        more=others.count() - len(listed) if len(listed) == LISTED else 0,
        deleted=0 if chosen is None else len(set(chosen)) - len(newest),
    )
