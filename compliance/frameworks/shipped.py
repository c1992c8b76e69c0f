"""The list that comes with SVQ, to begin with: each person who uses it gets a copy that they can change."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from django.conf import settings

from accounts.models import User
from compliance.frameworks.importing import with_domains
from compliance.frameworks.reading.draft import Draft, Node
from compliance.frameworks.reading.tables import read_csv
from compliance.frameworks.services import store
from compliance.models import Framework, FrameworkQuerySet

FILE = Path(settings.BASE_DIR) / "samples" / "frameworks" / "hosted-services.csv"
NAME = "What a contract for a hosted service should say"
SOURCE = "SVQ"
SHOWN_FIRST = ("1.2", "2.1", "2.3", "2.4", "2.5")  # the points that most people look for


@cache
def shipped() -> Draft:
    draft = read_csv(FILE.read_text(encoding="utf-8"))
    return with_domains(replace(draft, name=NAME, source=SOURCE))


def parts() -> list[Node]:
    return [node for node in shipped().nodes if node.depth == 0]


def points() -> list[Node]:
    return [node for node in shipped().nodes if node.is_assessable]


def copies_of(person: User) -> FrameworkQuerySet:
    return Framework.objects.filter(owner=person, source=SOURCE)


def copy_for(person: User) -> Framework:
    """Their own copy, made if they have none. Raises ValidationError."""
    return copies_of(person).order_by("pk").first() or store(person, shipped())
