"""The list of documents: which are shown, in which order, and how many there are of each state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.core.paginator import Page, Paginator
from django.db.models import BigIntegerField, Case, Count, F, Func, OuterRef, Q, Subquery, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Lower
from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import (
    GONE,
    IN_PROGRESS,
    NEXT_VERSION,
    UNFINISHED,
    Datasource,
    Document,
    DocumentQuerySet,
    DocumentStatus,
)
from datasources.models.tags import TAGS
from datasources.numbers import limited, numbers_in
from ingestion.web.rows import PartCount, Row, rows_of
from localization.promises import StrOrPromise

PAGE_SIZE = 50
SHOWN_WITH = ("uploaded_by", "datasource", "part_of")
# Key, label, and the statuses; "cancelled" is shown only while there are such documents.
STATES: dict[str, tuple[StrOrPromise, Q]] = {
    "all": (pgettext_lazy("documents", "All"), Q()),
    "work": (_("In progress"), Q(status__in=UNFINISHED)),
    "failed": (_("Failed"), Q(status=DocumentStatus.FAILED)),
    "cancelled": (_("Cancelled"), Q(status=DocumentStatus.CANCELLED)),
    "ready": (_("Ready"), Q(status=DocumentStatus.READY)),
}
# What is said where none is found: in that state, and in that state with the words in its name.
NONE_FOUND = {
    "all": ("", gettext_noop("No document has “{words}” in its name.")),
    "work": (
        gettext_noop("No document is in progress."),
        gettext_noop("No document is in progress and has “{words}” in its name."),
    ),
    "failed": (
        gettext_noop("No document is failed."),
        gettext_noop("No document is failed and has “{words}” in its name."),
    ),
    "cancelled": (
        gettext_noop("No document is cancelled."),
        gettext_noop("No document is cancelled and has “{words}” in its name."),
    ),
    "ready": (
        gettext_noop("No document is ready."),
        gettext_noop("No document is ready and has “{words}” in its name."),
    ),
}
# In work first, those under way before those that wait; then what needs somebody; then what is done.
BY_STATE = Case(
    When(status__in=IN_PROGRESS, then=Value(0)),
    When(status=DocumentStatus.QUEUED, then=Value(1)),
    When(status=DocumentStatus.FAILED, then=Value(2)),
    When(status=DocumentStatus.CANCELLED, then=Value(3)),
    default=Value(4),
)
# Those that wait stand in the order in which they are read.
WAITING = Q(status=DocumentStatus.QUEUED)
JOB = ProcrastinateJob.objects.filter(pk=OuterRef("job_id")).annotate(
    due=Func("args", function="job_due", output_field=BigIntegerField())
)
BY_TURN = [
    Case(When(WAITING, then=Subquery(JOB.values("priority")))).desc(nulls_last=True),
    Case(When(WAITING, then=Subquery(JOB.values("due")))).asc(nulls_last=True),
    Case(When(WAITING, then=F("job_id"))).asc(nulls_last=True),
]
SORTS: dict[str, tuple[StrOrPromise, list[Any]]] = {
    "work": (_("In progress first"), [BY_STATE, *BY_TURN, "-created", "-pk"]),
    "newest": (_("Newest"), ["-created", "-pk"]),
    "name": (_("Name"), [Lower("title"), "pk"]),
    "pages": (_("Most pages"), [F("page_count").desc(nulls_last=True), "pk"]),
    "size": (_("Largest"), ["-size", "pk"]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsQuery:
    """What the address of the page asks for."""

    state: str = "all"
    sort: str = "work"
    words: str = ""
    page: int = 1
    unfolded: tuple[int, ...] = ()  # documents under which their attachments are shown

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        state, sort = query.get("state", ""), query.get("sort", "")
        return cls(
            state=state if state in STATES else "all",
            sort=sort if sort in SORTS else "work",
            words=query.get("find", "").strip(),
            page=limited(query.get("page"), 1, 10**6),
            unfolded=tuple(numbers_in(query.get("unfolded", "").split(",")[:PAGE_SIZE])),
        )

    def toggled(self, pk: int) -> tuple[int, ...]:
        """What is unfolded after a click on the attachments of that document."""
        return (
            tuple(each for each in self.unfolded if each != pk)
            if pk in self.unfolded
            else (*self.unfolded, pk)
        )

    @property
    def is_narrowed(self) -> bool:
        return self.state != "all" or bool(self.words)

    @property
    def nothing_found(self) -> str:
        """What is said where the list is narrowed so far that nothing is in it."""
        alone, named = NONE_FOUND[self.state]
        return gettext(named if self.words else alone).format(words=self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCount:
    key: str
    label: StrOrPromise
    count: int


def state_counts(datasource: Datasource, words: str = "") -> list[StateCount]:
    """How many documents each filter would show; among all, a new version in work is no other document."""
    found = _named(datasource.documents.current(), words)
    counts = found.aggregate(
        **{key: Count("pk", filter=condition) for key, (_label, condition) in STATES.items()}
    )
    counts["all"] -= found.filter(NEXT_VERSION).count()
    return [StateCount(key=key, label=label, count=counts[key]) for key, (label, _found) in STATES.items()]


def page_of(datasource: Datasource, asked: DocumentsQuery) -> tuple[Page[Document], list[Row]]:
    """The page and its rows. Attachments stand under their mail; a narrowed list shows each by itself."""
    found = _named(datasource.documents.current(), asked.words).filter(STATES[asked.state][1])
    if not asked.is_narrowed:
        found = found.filter(Q(part_of=None) | Q(part_of__status__in=GONE))
    ordered = found.select_related(*SHOWN_WITH).order_by(*SORTS[asked.sort][1])
    page = Paginator(ordered, PAGE_SIZE).get_page(asked.page)
    documents = list(page)
    tree = _tree(datasource, documents, asked) if not asked.is_narrowed else [(each, 0) for each in documents]
    rows = rows_of([document for document, _depth in tree], paused=datasource.paused)
    counts = part_counts([document.pk for document, _depth in tree])
    return page, [
        replace(
            row,
            depth=depth,
            parts=counts.get(row.document.pk),
            is_unfolded=row.document.pk in asked.unfolded,
            toggled=asked.toggled(row.document.pk),
        )
        for row, (_document, depth) in zip(rows, tree, strict=True)
    ]


def _tree(
    datasource: Datasource, documents: Sequence[Document], asked: DocumentsQuery, depth: int = 0
) -> list[tuple[Document, int]]:
    """The documents, and under those that are unfolded their attachments, each with how deep it stands."""
    unfolded = [each.pk for each in documents if each.pk in asked.unfolded]
    parts: dict[int, list[Document]] = {}
    if unfolded:
        chosen = datasource.documents.current().filter(part_of__in=unfolded)
        for part in chosen.select_related(*SHOWN_WITH).order_by("pk"):
            parts.setdefault(part.part_of_id or 0, []).append(part)
    tree: list[tuple[Document, int]] = []
    for each in documents:
        tree.append((each, depth))
        tree += _tree(datasource, parts.get(each.pk, []), asked, depth + 1)
    return tree


def part_counts(documents: Sequence[int]) -> dict[int, PartCount]:
    """How many attachments these documents have, by their numbers."""
    rows = Document.objects.current().filter(part_of__in=documents).order_by().values("part_of")
    counted = rows.annotate(
        count=Count("pk"),
        in_work=Count("pk", filter=STATES["work"][1]),
        failed=Count("pk", filter=STATES["failed"][1]),
    )
    return {
        each["part_of"] or 0: PartCount(count=each["count"], in_work=each["in_work"], failed=each["failed"])
        for each in counted
    }


def _named(documents: DocumentQuerySet, words: str) -> DocumentQuerySet:
    """Each word somewhere in the title, the file's name, the description or a tag."""
    for word in words.split():
        documents = documents.annotate(tagged=KeyTextTransform(TAGS, "metadata")).filter(
            Q(title__icontains=word)
            | Q(filename__icontains=word)
            | Q(description__icontains=word)
            | Q(tagged__icontains=word)
        )
    return documents
