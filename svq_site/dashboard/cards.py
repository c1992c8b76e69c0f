"""What the home page tells of each datasource, and what its reader may want to go on with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from accounts.models import User
from datasources.counts import DocumentCounts, document_counts
from datasources.models import Datasource, Role
from svq_site.dashboard.document_spines import Spine, spines

RECENT = 5  # conversations
QUESTIONS = 4  # worth asking, of each datasource that offers some
ASKED_ENOUGH = 3  # conversations after which none are offered any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One datasource on the home page."""

    datasource: Datasource
    role: Role
    counts: DocumentCounts
    chunks: int
    entities: int
    relations: int
    activity: str
    active: datetime | None
    spines: list[Spine]

    def has(self, words: str) -> bool:
        """Whether each word stands in the name or the description."""
        one = self.datasource
        told = f"{one.name} {one.description} {one.made_description}".casefold()
        return all(word in told for word in words.casefold().split())


def cards(user: User, datasources: Iterable[Datasource]) -> list[Card]:
    return [card(user, datasource) for datasource in datasources]


def card(user: User, datasource: Datasource) -> Card:
    sums = datasource.documents.current().aggregate(
        chunks=Sum("chunk_count", default=0), added=Max("created")
    )
    added: datetime | None = sums["added"]
    asked = user.conversations.filter(datasource=datasource).aggregate(last=Max("updated"))["last"]
    if asked and (added is None or asked > added):
        activity, active = "You asked a question", asked
    else:
        activity, active = ("Last file added", added) if added else ("Nothing added yet", None)
    return Card(
        datasource=datasource,
        role=datasource.role_of(user) or Role.VIEWER,
        activity=activity,
        active=active,
        spines=spines(datasource),
        entities=datasource.entities.filter(hidden=False).count(),
        relations=datasource.relations.filter(source__hidden=False, target__hidden=False).count(),
        counts=document_counts(datasource.documents.all()),
        chunks=sums["chunks"],
    )


def recent_conversations(user: User) -> QuerySet[Any]:
    """The person's newest, each with how many `claims` its answers make, and how many are `supported`."""
    mine = user.conversations.filter(datasource__in=Datasource.objects.visible_to(user))
    made = Q(turns__quotes_only=False) & ~Q(turns__status="not_found")
    claims = Count("turns__citations", filter=made)
    supported = Count("turns__citations", filter=made & Q(turns__citations__support="supported"))
    rows = mine.select_related("datasource").annotate(claims=claims, supported=supported)
    return rows.order_by("-updated")[:RECENT]


def worth_asking(user: User, datasources: Iterable[Datasource]) -> list[tuple[Datasource, list[str]]]:
    """Questions offered by datasources in which the person has hardly asked any yet."""
    return [
        (datasource, datasource.questions[:QUESTIONS])
        for datasource in datasources
        if datasource.questions and user.conversations.filter(datasource=datasource).count() < ASKED_ENOUGH
    ]
