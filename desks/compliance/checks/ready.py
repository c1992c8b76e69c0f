"""A check in one step: a list, the documents to hold against it, and the check itself."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from datasources.models import Datasource
from datasources.templatetags.amounts import counted
from desks.compliance.checks.services import start_check
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.services import attach
from desks.compliance.frameworks.shipped import copy_for
from desks.compliance.models import Check, Framework, Subject
from text.free_names import free_name


@transaction.atomic
def check_shipped_list(person: User, datasource: Datasource, documents: Collection[int] | None) -> Check:
    """Hold documents against the list that comes with SVQ; None: all of the datasource.

    The caller has checked that the person may edit there. Raises ValidationError, and then nothing is kept.
    """
    framework = copy_for(person)
    attach(framework, datasource, person)
    subject = subject_of_all(datasource) if documents is None else _subject_of(datasource, documents)
    return start_check(person, framework, subject)


@transaction.atomic
def use_list(framework: Framework, datasource: Datasource, person: User) -> None:
    """Attach it, with all documents to hold against it where nobody has chosen any yet."""
    attach(framework, datasource, person)
    if not datasource.subjects.exists():
        subject_of_all(datasource)


def subject_of_all(datasource: Datasource) -> Subject:
    """The first that has all documents, made if there is none, with a name in the language of the page."""
    known: Subject | None = datasource.subjects.filter(has_all=True).order_by("pk").first()
    return known or create_subject(datasource, _unused(datasource, _("All documents")), has_all=True)


def _subject_of(datasource: Datasource, documents: Collection[int]) -> Subject:
    """Named after the one document, or after how many there are."""
    titles = datasource.documents.current().filter(pk__in=set(documents)).values_list("title", flat=True)
    count = len(titles)
    name = titles[0][:100] if count == 1 else counted(count, "document")
    return create_subject(datasource, _unused(datasource, name), documents)


def _unused(datasource: Datasource, name: str) -> str:
    return free_name(name, datasource.subjects.values_list("name", flat=True))
