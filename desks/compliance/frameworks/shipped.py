"""The list that comes with SVQ, to begin with: each person who uses it gets a copy that they can change."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from django.conf import settings

from accounts.models import User
from desks.compliance.frameworks.importing import with_domains
from desks.compliance.frameworks.reading.draft import Draft
from desks.compliance.frameworks.reading.tables import read_csv
from desks.compliance.frameworks.services import store
from desks.compliance.models import Framework, FrameworkQuerySet
from text.free_names import free_name

FILE = Path(settings.BASE_DIR) / "samples" / "frameworks" / "hosted-services.csv"
NAME = "What a contract for a hosted service should say"
SOURCE = "SVQ"
SHOWN_FIRST = ("1.2", "2.1", "2.3", "2.4", "2.5")  # the points that most people look for


@cache
def shipped() -> Draft:
    draft = read_csv(FILE.read_text(encoding="utf-8"))
    return with_domains(replace(draft, name=NAME, source=SOURCE))


def copies_of(person: User) -> FrameworkQuerySet:
    return Framework.objects.filter(owner=person, source=SOURCE)


def copy_of(person: User) -> Framework | None:
    """Their oldest copy, as they have changed it since."""
    return copies_of(person).order_by("pk").first()


def copy_for(person: User) -> Framework:
    """The same, made if they have none; another list of theirs may have its name already."""
    known = copy_of(person)
    if known:
        return known
    name = free_name(NAME, person.frameworks.values_list("name", flat=True))
    return store(person, replace(shipped(), name=name))
