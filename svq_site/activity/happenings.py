"""What has happened in a datasource and who did it, as far as this person may know."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from chat.models import Turn
from datasources.models import Datasource, Deletion
from exchange.bundles.models import BundleImport, ImportStatus
from graph.curation.decisions import in_words
from graph.models import Decision

MOST = 60  # on a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of the page. `who` is None for an account that is gone, and for what SVQ does by itself."""

    when: datetime
    icon: str
    text: str
    about: str
    address: str
    who: User | None


def happenings(person: User, datasource: Datasource, before: datetime | None = None) -> list[Happening]:
    """The newest first, at most MOST."""
    found = [each for source in SOURCES for each in source(person, datasource, before)]
    return sorted(found, key=lambda each: each.when, reverse=True)[:MOST]


def _newest(rows: QuerySet[Any], field: str, before: datetime | None, *related: str) -> Iterable[Any]:
    rows = rows.select_related(*related) if related else rows
    rows = rows.filter(**{f"{field}__lt": before}) if before else rows
    return rows.order_by(f"-{field}", "-pk")[:MOST]


def _documents(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = datasource.documents.current().defer("metadata")
    for row in _newest(rows, "created", before, "uploaded_by"):
        yield Happening(
            when=row.created,
            icon="file-up",
            about=row.title,
            who=row.uploaded_by,
            text=_("Replaced with a new version") if row.version > 1 else pgettext("activity", "Added"),
            address=reverse("reader", args=[datasource.pk, row.pk]),
        )


def _imports(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = BundleImport.objects.filter(datasource=datasource, status=ImportStatus.DONE)
    for row in _newest(rows, "changed", before, "owner"):
        yield Happening(
            when=row.changed,
            icon="download",
            about=row.filename,
            who=row.owner,
            text=_("Imported with all that is in it"),
            address=reverse("documents", args=[datasource.pk]),
        )


def _deletions(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = Deletion.objects.visible_to(person).filter(datasource=datasource.pk, document__isnull=False)
    for row in _newest(rows, "requested", before, "deleted_by"):
        yield Happening(
            when=row.requested,
            icon="trash-2",
            text=pgettext("activity", "Deleted"),
            about=row.name,
            who=row.deleted_by,
            address=reverse("receipt", args=[row.pk]),
        )


def _questions(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    """One's own: nobody sees what others ask."""
    rows = Turn.objects.filter(conversation__in=person.conversations.filter(datasource=datasource))
    for row in _newest(rows.only("question", "created", "conversation"), "created", before):
        yield Happening(
            when=row.created,
            icon="message-square-text",
            text=_("Asked"),
            about=row.question,
            who=person,
            address=reverse("conversation", args=[datasource.pk, row.conversation_id]),
        )


def _checks(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = apps.get_model("compliance.Check").objects.filter(assessment__datasource=datasource)
    for row in _newest(rows, "created", before, "asked_by", "assessment__framework", "assessment__subject"):
        seen = row.assessment
        query = {"framework": seen.framework_id, "vendor": seen.subject_id}
        yield Happening(
            when=row.created,
            icon="list-checks",
            text=_("Checked"),
            about=_("{vendor} against {framework}").format(vendor=seen.subject, framework=seen.framework),
            who=row.asked_by,
            address=reverse("gaps", args=[datasource.pk], query=query),
        )


def _tables(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    for row in _newest(datasource.review_tables.all(), "created", before, "made_by"):
        yield Happening(
            when=row.created,
            icon="columns-2",
            text=_("Made a table"),
            about=row.name,
            who=row.made_by,
            address=reverse("table", args=[datasource.pk, row.pk]),
        )


def _runs(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = apps.get_model("evaluation.Run").objects.filter(datasource=datasource)
    for row in _newest(rows, "created", before, "asked_by", "question_set"):
        yield Happening(
            when=row.created,
            icon="graduation-cap",
            text=_("Evaluated"),
            about=f"{row}, {row.question_set}",
            address=reverse("evaluation", args=[datasource.pk], query={"run": row.number}),
            who=None if row.is_scheduled else row.asked_by,
        )


def _decisions(person: User, datasource: Datasource, before: datetime | None) -> Iterator[Happening]:
    rows = Decision.objects.filter(datasource=datasource)
    for told in in_words(_newest(rows, "decided", before, "decided_by", "document")):
        yield Happening(
            when=told.decision.decided,
            icon="waypoints",
            text=_("Decided for the graph"),
            about=told.text,
            address=reverse("graph_decisions", args=[datasource.pk]),
            who=told.decision.decided_by,
        )


Source = Callable[[User, Datasource, datetime | None], Iterator[Happening]]
SOURCES_OF_DESKS: dict[str, Source] = {"compliance": _checks, "tables": _tables, "evaluation": _runs}
SOURCES: tuple[Source, ...] = (
    _documents,
    _imports,
    _deletions,
    _questions,
    _decisions,
    *(source for desk, source in SOURCES_OF_DESKS.items() if apps.is_installed(f"desks.{desk}")),
)
