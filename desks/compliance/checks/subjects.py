"""Subjects: whose documents are checked, and which documents these are at the moment."""

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from datasources.models import Datasource, Document, DocumentQuerySet, DocumentStatus
from desks.compliance.frameworks.text import FRAMEWORK_KEY
from desks.compliance.models import Assessment, Check, Subject
from formats.base.characters import visible_name

MOST_SUBJECTS = 1_000  # of a datasource


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The documents of a subject that can be searched, and how many others cannot, or not to their end."""

    documents: tuple[Document, ...]
    unread: int

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(document.pk for document in self.documents)


def of_subject(subject: Subject) -> DocumentQuerySet:
    """Its documents as they are now, without those that are gone, and never a framework's own text."""
    chosen = subject.datasource.documents.all() if subject.has_all else subject.documents.all()
    documents: DocumentQuerySet = chosen.current()
    return documents.exclude(metadata__has_key=FRAMEWORK_KEY)


def selection_of(subject: Subject) -> Selection:
    rows = list(of_subject(subject).defer("metadata").order_by("pk"))
    ready = [row for row in rows if row.status == DocumentStatus.READY]
    in_part = sum(bool(row.pages_without_text or row.pages_unreadable) for row in ready)
    return Selection(documents=tuple(ready), unread=len(rows) - len(ready) + in_part)


def searchable_counts(datasource: Datasource) -> dict[int, int]:
    """How many documents of each subject can be searched, by its number."""
    searchable = datasource.documents.ready().exclude(metadata__has_key=FRAMEWORK_KEY)
    everything = searchable.count()
    chosen = Count("documents", filter=Q(documents__in=searchable))
    rows = datasource.subjects.annotate(chosen=chosen).values_list("pk", "has_all", "chosen")
    return {pk: everything if has_all else count for pk, has_all, count in rows}


@transaction.atomic
def create_subject(
    datasource: Datasource, name: str, documents: Collection[int] = (), *, has_all: bool = False
) -> Subject:
    """Raises ValidationError, also for a document of another datasource."""
    if datasource.subjects.count() >= MOST_SUBJECTS:
        raise ValidationError(
            _("More than {most_subjects} selections are not allowed.").format(
                most_subjects=f"{MOST_SUBJECTS:,}"
            ),
            code="too_many",
        )
    subject = Subject.objects.create(
        datasource=datasource, name=_checked_name(datasource, name), has_all=has_all
    )
    subject.documents.set(_checked_documents(datasource, documents, has_all=has_all))
    return subject


@transaction.atomic
def change_subject(
    subject: Subject,
    *,
    name: str | None = None,
    documents: Collection[int] | None = None,
    has_all: bool | None = None,
) -> None:
    """What is None stays as it is. Raises ValidationError."""
    if name is not None:
        subject.name = _checked_name(subject.datasource, name, subject.pk)
    if has_all is not None:
        subject.has_all = has_all
    if documents is not None or has_all:
        chosen = _checked_documents(subject.datasource, documents or (), has_all=subject.has_all)
        subject.documents.set(chosen)
    subject.save(update_fields=["name", "has_all"])


@transaction.atomic
def delete_subject(subject: Subject) -> None:
    """With its assessments. Raises ValidationError while one of them is being checked."""
    if Check.objects.filter(assessment__subject=subject, status__in=Check.unfinished).exists():
        raise ValidationError(
            _("“{subject}” is being checked. Stop that first.").format(subject=subject), code="under_way"
        )
    Assessment.objects.filter(subject=subject).delete()
    subject.delete()


def _checked_name(datasource: Datasource, name: str, besides: int = 0) -> str:
    name = visible_name(name)
    if not name or len(name) > 120:
        raise ValidationError(_("A selection needs a name of at most 120 characters."), code="name")
    # Two who come at the same moment would both find the name free.
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    if datasource.subjects.filter(name__iexact=name).exclude(pk=besides).exists():
        raise ValidationError(
            _("There is a selection called “{name}” already. Choose another name.").format(name=name),
            code="name_taken",
        )
    return name


def _checked_documents(
    datasource: Datasource, documents: Collection[int], *, has_all: bool
) -> list[Document]:
    if has_all:
        return []
    ids = set(documents)
    rows = list(datasource.documents.current().filter(pk__in=ids).exclude(metadata__has_key=FRAMEWORK_KEY))
    if not rows or len(rows) < len(ids):
        raise ValidationError(
            _("Choose at least one document of this datasource, or all of them."), code="documents"
        )
    return rows
