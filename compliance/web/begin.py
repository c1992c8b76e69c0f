"""What the page of checks offers to begin with: lists, and the documents to hold against them."""

from typing import Any

from django.db.models import Sum

from accounts.models import User
from compliance.frameworks import shipped
from compliance.frameworks.importing import SUFFIXES
from compliance.models import Framework
from compliance.web.subject_views import to_choose_from
from datasources.models import Datasource
from providers.language_models import playing
from providers.roles import ModelRole


def begin_context(person: User, datasource: Datasource) -> dict[str, Any]:
    """For compliance/_begin.html: what one may hold documents against, and which documents there are."""
    ready = datasource.documents.ready()
    points = shipped.points()
    attachable = Framework.objects.attachable_by(person)
    return {
        "name": shipped.NAME, "parts": shipped.parts(), "points": points, "count": len(points),
        "first": [point for point in points if point.ref in shipped.SHOWN_FIRST],
        "server": playing(datasource, ModelRole.AGENT), "ready": ready.count(),
        "pages": ready.aggregate(pages=Sum("page_count"))["pages"] or 0,
        "attachable": attachable.exclude(pk__in=shipped.copies_of(person).values("pk")),
        "accept": ",".join(SUFFIXES),
    } | to_choose_from(datasource, set())  # fmt: skip
