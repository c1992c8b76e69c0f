"""What the home page shows about each datasource, and what its reader may want to continue."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Aggregate, Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from chat.models import Turn
from datasources.access import seen_by
from datasources.counts import NO_DOCUMENTS, DocumentCounts, counts_by_datasource
from datasources.models import Datasource, Document, Role
from graph.models import Entity, Relation
from svq_site.dashboard.document_spines import Spine, spines_of
from svq_site.models import Welcome

RECENT = 5  # conversations
QUESTIONS = 4  # worth asking, of each datasource that offers some
OFFERING = 3  # datasources whose questions are shown
ASKED_ENOUGH = 3  # conversations; after that no questions are offered


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


def cards(user: User, datasources: Sequence[Datasource]) -> list[Card]:
    """In that order. Everything is counted for all of them at once."""
    documents = Document.objects.filter(datasource__in=datasources)
    counts = counts_by_datasource(documents)
    chunks = _of_each(documents.current(), Sum("chunk_count", default=0))
    added = _of_each(documents.current(), Max("created"))
    conversations = user.conversations.filter(datasource__in=datasources)
    ours = Welcome.objects.filter(person=user, turn__isnull=False).values("turn")
    answered = _of_each(conversations.filter(turns__in=ours), Max("turns__created"))
    own = Turn.objects.exclude(pk__in=ours).filter(conversation=OuterRef("pk"))
    asked = _of_each(conversations.filter(Exists(own)), Max("updated"))
    entities = _of_each(Entity.objects.filter(datasource__in=datasources, hidden=False), Count("pk"))
    shown = Relation.objects.filter(source__hidden=False, target__hidden=False)
    relations = _of_each(shown.filter(datasource__in=datasources), Count("pk"))
    shelves = spines_of(datasources)
    drawn = []
    for each in seen_by(user, datasources):
        activity, active = _last(added.get(each.pk), asked.get(each.pk), answered.get(each.pk))
        card = Card(
            datasource=each,
            role=each.seen_as or Role.VIEWER,
            counts=counts.get(each.pk, NO_DOCUMENTS),
            chunks=chunks.get(each.pk, 0),
            entities=entities.get(each.pk, 0),
            relations=relations.get(each.pk, 0),
            activity=activity,
            active=active,
            spines=shelves.get(each.pk, []),
        )
        drawn.append(card)
    return drawn


def _of_each(rows: QuerySet[Any], aggregate: Aggregate) -> dict[int, Any]:
    """By the datasource's number."""
    return dict(rows.order_by().values_list("datasource").annotate(aggregate))


def _last(
    added: datetime | None, asked: datetime | None, answered: datetime | None
) -> tuple[str, datetime | None]:
    """What happened last, and when. `answered`: when SVQ asked the first page's question by itself."""
    happened = [
        (added, _("Last file added")),
        (answered, _("A question was asked for you")),
        (asked, _("You asked a question")),
    ]
    when, what = max(
        ((when, what) for when, what in happened if when), default=(None, _("Nothing added yet"))
    )
    return what, when


def recent_conversations(user: User) -> QuerySet[Any]:
    """The person's newest, each with how many `claims` its answers make, and how many are `supported`."""
    mine = user.conversations.filter(datasource__in=Datasource.objects.listed_for(user, Role.ASKER))
    made = Q(turns__quotes_only=False) & ~Q(turns__status="not_found")
    claims = Count("turns__citations", filter=made)
    supported = Count("turns__citations", filter=made & Q(turns__citations__support="supported"))
    rows = mine.select_related("datasource").annotate(claims=claims, supported=supported)
    return rows.order_by("-updated")[:RECENT]


def worth_asking(user: User) -> list[tuple[Datasource, list[str]]]:
    """Questions offered by the newest datasources in which the person has hardly asked any yet, each once:
    datasources of the same documents offer the same ones.
    """
    asked = user.conversations.order_by().values("datasource").annotate(count=Count("pk"))
    tried = Q(introduction__isnull=False) & ~Q(introduction__questions=[])
    given = Q(introduction=None) & ~Q(suggested_questions=[])
    offering = (
        Datasource.objects.listed_for(user, Role.ASKER)
        .exclude(pk__in=asked.filter(count__gte=ASKED_ENOUGH).values("datasource"))
        .filter(tried | given)
        .select_related("introduction")
        .order_by("-created", "-pk")
    )
    seen: set[str] = set()
    shown = []
    for each in offering[:OFFERING]:
        if questions := [question for question in each.questions[:QUESTIONS] if question not in seen]:
            shown.append((each, questions))
            seen.update(questions)
    return shown
