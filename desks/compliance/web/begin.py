"""What the page of checks offers to begin with: lists, and the documents to hold against them."""

from typing import Any

from django.db.models import Sum

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.frameworks import shipped
from desks.compliance.frameworks.importing import SUFFIXES
from desks.compliance.frameworks.text import FRAMEWORK_KEY
from desks.compliance.models import Framework
from desks.compliance.web.subject_views import to_choose_from
from localization.lists import joined
from providers.language_models import playing
from providers.roles import ModelRole


def begin_context(person: User, datasource: Datasource) -> dict[str, Any]:
    """For compliance/begin.html: what one may hold documents against, and which documents there are."""
    ready = datasource.documents.ready().exclude(metadata__has_key=FRAMEWORK_KEY)
    attachable = Framework.objects.attachable_by(person)
    return (
        _ready_to_use(person)
        | {
            "server": playing(datasource, ModelRole.AGENT),
            "ready": ready.count(),
            "pages": ready.aggregate(pages=Sum("page_count"))["pages"] or 0,
            "attachable": attachable.exclude(pk__in=shipped.copies_of(person).values("pk")),
            "accept": ",".join(SUFFIXES),
        }
        | to_choose_from(datasource, set())
    )


def _ready_to_use(person: User) -> dict[str, Any]:
    """The list that one click checks: the person's copy as it is now, else the one that ships."""
    copy = shipped.copy_of(person)
    nodes = list(copy.requirements.order_by("position")) if copy else shipped.shipped().nodes
    points = [node for node in nodes if node.is_assessable]
    parts = [node for node in nodes if node.depth == 0]
    first = [point for point in points if point.ref in shipped.SHOWN_FIRST]
    return {
        "name": copy.name if copy else shipped.NAME,
        "parts": parts,
        "part_names": joined([part.title.lower() for part in parts]),
        "points": points,
        "count": len(points),
        "first": first or points[: len(shipped.SHOWN_FIRST)],
    }
