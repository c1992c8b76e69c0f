"""How many documents and pages a datasource has, and how many of them can be searched: counted here alone."""

from dataclasses import dataclass

from django.db.models import Aggregate, Count, F, Q, Sum
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from datasources.models import NEXT_VERSION, UNFINISHED, DocumentQuerySet, DocumentStatus
from datasources.templatetags.amounts import counted
from localization.numbers import numeral


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """`documents` are all but deleted and replaced ones: the sum of the four that follow, but that a new
    version in work is the document that it will replace.

    `pages` are those of searchable documents and of documents in work, without pages that have no text; a
    passage is one page. The pages of `uncounted` documents in work are missing there: nobody has opened them.
    """

    documents: int
    searchable: int
    in_work: int
    failed: int
    cancelled: int
    pages: int
    pages_searchable: int
    uncounted: int

    def __str__(self) -> str:
        """“10 documents”, or “8 searchable of 10 documents” while they are not the same."""
        documents = counted(self.documents, "document")
        is_all = self.searchable == self.documents
        if is_all:
            return documents
        return _("{n} searchable of {documents}").format(n=numeral(self.searchable), documents=documents)


NO_DOCUMENTS = DocumentCounts(
    documents=0, searchable=0, in_work=0, failed=0, cancelled=0, pages=0, pages_searchable=0, uncounted=0
)


def document_counts(documents: DocumentQuerySet) -> DocumentCounts:
    """Of these documents; deleted and replaced ones do not count."""
    return DocumentCounts(**documents.current().aggregate(**_aggregates()))


def counts_by_datasource(documents: DocumentQuerySet) -> dict[int, DocumentCounts]:
    """The same in one statement for several datasources; one without documents is left out."""
    return counts_by("datasource", documents)


def counts_by(owner: str, documents: DocumentQuerySet) -> dict[int, DocumentCounts]:
    """The same by the number of what that path leads to."""
    fields = _aggregates()
    rows = documents.current().order_by().values(owner).annotate(**fields)
    return {
        number: DocumentCounts(**dict(zip(fields, counts, strict=True)))
        for number, *counts in rows.values_list(owner, *fields)
    }


def _aggregates() -> dict[str, Aggregate]:
    """The fields of DocumentCounts."""
    ready, in_work = Q(status=DocumentStatus.READY), Q(status__in=UNFINISHED)
    pages = Greatest(F("page_count") - F("pages_without_text") - F("pages_unreadable"), 0)
    return {
        "documents": Count("pk", filter=~NEXT_VERSION),
        "searchable": Count("pk", filter=ready),
        "in_work": Count("pk", filter=in_work),
        "failed": Count("pk", filter=Q(status=DocumentStatus.FAILED)),
        "cancelled": Count("pk", filter=Q(status=DocumentStatus.CANCELLED)),
        "pages": Sum(pages, filter=ready | in_work, default=0),
        "pages_searchable": Sum(pages, filter=ready, default=0),
        "uncounted": Count("pk", filter=in_work & Q(page_count=None)),
    }
