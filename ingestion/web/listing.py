"""The list of documents: which are shown, in which order, and how many there are of each state."""

from dataclasses import dataclass
from typing import Any, Self

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, Q, Value, When
from django.db.models.functions import Lower
from django.http import QueryDict

from datasources.models import (
    IN_PROGRESS,
    NEXT_VERSION,
    UNFINISHED,
    Datasource,
    Document,
    DocumentQuerySet,
    DocumentStatus,
)
from datasources.numbers import limited
from ingestion.web.rows import Row, rows_of

PAGE_SIZE = 50
# Key, label, and the statuses; "cancelled" is shown only while there are such documents.
STATES: dict[str, tuple[str, Q]] = {
    "all": ("All", Q()),
    "work": ("In work", Q(status__in=UNFINISHED)),
    "failed": ("Failed", Q(status=DocumentStatus.FAILED)),
    "cancelled": ("Cancelled", Q(status=DocumentStatus.CANCELLED)),
    "ready": ("Ready", Q(status=DocumentStatus.READY)),
}
# In work first, those under way before those that wait; then what needs somebody; then what is done.
BY_STATE = Case(
    When(status__in=IN_PROGRESS, then=Value(0)),
    When(status=DocumentStatus.QUEUED, then=Value(1)),
    When(status=DocumentStatus.FAILED, then=Value(2)),
    When(status=DocumentStatus.CANCELLED, then=Value(3)),
    default=Value(4),
)
SORTS: dict[str, tuple[str, list[Any]]] = {
    "work": ("In work first", [BY_STATE, "-created", "-pk"]),
    "newest": ("Newest", ["-created", "-pk"]),
    "name": ("Name", [Lower("title"), "pk"]),
    "pages": ("Most pages", [F("page_count").desc(nulls_last=True), "pk"]),
    "size": ("Largest", ["-size", "pk"]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsQuery:
    """What the address of the page asks for."""

    state: str = "all"
    sort: str = "work"
    words: str = ""
    page: int = 1

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        state, sort = query.get("state", ""), query.get("sort", "")
        return cls(
            state=state if state in STATES else "all",
            sort=sort if sort in SORTS else "work",
            words=query.get("find", "").strip(),
            page=limited(query.get("page"), 1, 10**6),
        )

    @property
    def is_narrowed(self) -> bool:
        return self.state != "all" or bool(self.words)

    @property
    def narrowed_to(self) -> str:
        """What the list is narrowed to, for the end of “No document ...”."""
        words = f"has “{self.words}” in its name" if self.words else ""
        state = f"is {STATES[self.state][0].lower()}" if self.state != "all" else ""
        return " and ".join(filter(None, [state, words]))


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCount:
    key: str
    label: str
    count: int


def state_counts(datasource: Datasource, words: str = "") -> list[StateCount]:
    """How many documents each filter would show; among all, a new version in work is no other document."""
    found = _named(datasource.documents.current(), words)
    counts = found.aggregate(**{key: Count("pk", filter=condition) for key, (_, condition) in STATES.items()})
    counts["all"] -= found.filter(NEXT_VERSION).count()
    return [StateCount(key=key, label=label, count=counts[key]) for key, (label, _) in STATES.items()]


def page_of(datasource: Datasource, asked: DocumentsQuery) -> tuple[Page[Document], list[Row]]:
    """The page and its rows."""
    found = _named(datasource.documents.current(), asked.words).filter(STATES[asked.state][1])
    ordered = found.select_related("uploaded_by", "datasource").order_by(*SORTS[asked.sort][1])
    page = Paginator(ordered, PAGE_SIZE).get_page(asked.page)
    return page, rows_of(list(page), paused=datasource.paused)


def _named(documents: DocumentQuerySet, words: str) -> DocumentQuerySet:
    """Each word somewhere in the title or in the file's name."""
    for word in words.split():
        documents = documents.filter(Q(title__icontains=word) | Q(filename__icontains=word))
    return documents
