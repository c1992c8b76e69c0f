"""The list view of the graph page: the same entities and filters as the drawing, as a table."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource
from graph.models import Entity, Relation
from graph.models.listing import entities_of
from graph.sql import query
from graph.values.type_styles import first_style, type_style
from graph.web.first_view import ALL, NONE, chosen_types, first_types
from graph.web.query import MOST, TIMES, GraphQuery

PER_PAGE = 50
SLIDER = 20  # mentions at its end
COLUMNS = (
    ("name", _("Name")),
    ("mentions", _("Mentions")),
    ("documents", _("Documents")),
    ("relations", _("Relations")),
)


def count_types(datasource: Datasource, document: int) -> list[tuple[str, int]]:
    """The types there are in all documents, or in one, each with how many entities have it."""
    return [(key, count) for key, count in query("count_types", datasource=datasource.pk, document=document)]


def legend(counts: list[tuple[str, int]], asked: GraphQuery) -> list[dict[str, Any]]:
    """These types, each with how many entities have it, and whether it is shown now and at first."""
    chosen, first = chosen_types(asked.types, counts), first_types(counts)
    return [
        {"style": type_style(key), "count": count, "on": key in chosen, "first": key in first}
        for key, count in counts
    ]


def list_context(datasource: Datasource, asked: GraphQuery) -> dict[str, Any]:
    """The legend; a page of the list, each entity with the number of its relations and its type's look."""
    counts = count_types(datasource, asked.document)
    found = entities_of(
        datasource,
        words=asked.words,
        types=sorted(chosen_types(asked.types, counts)) or [NONE],
        documents=[asked.document] if asked.document else [],
        min_mentions=asked.least,
        order=asked.sort if asked.sort != "relations" else "mentions",
    )
    largest = datasource.entities.aggregate(most=Max("mention_count"))["most"]
    chosen = with_relations(found)
    if asked.sort == "relations":
        chosen = chosen.order_by("-relations", "-mention_count", "name", "pk")
    listed = Paginator(chosen, PER_PAGE).get_page(asked.page)
    return {
        "legend": legend(counts, asked),
        "listed": listed,
        "rows": [
            (entity, [type_style(key) for key in entity.types] or [first_style([])]) for entity in listed
        ],
        "columns": [(key, label, asked.address(as_list=True, sort=key, page=1)) for key, label in COLUMNS],
        "before": asked.address(as_list=True, page=asked.page - 1),
        "after": asked.address(as_list=True, page=asked.page + 1),
        "as_graph": asked.address(as_list=False, page=1),
        "as_list": asked.address(as_list=True),
        "closed": asked.address(entity=0, relation=0, mentions=0),
        "all_types": asked.address(types=(ALL,), least=1),
        "more": asked.address(shown=min(TIMES * asked.shown, MOST)),
        "here": opening(asked),
        "most_mentions": min(SLIDER, largest or 1),
    }


def opening(asked: GraphQuery) -> str:
    """The address of the same page, up to where the entity to open is named."""
    query = asked.address(entity=0, relation=0, mentions=0)
    return query if query == "?" else f"{query}&"


def with_relations(entities: QuerySet[Entity]) -> QuerySet[Any]:
    """Add `relations`, how many an entity takes part in."""
    counts = []
    for side, other in (("source", "target"), ("target", "source")):
        own = Relation.objects.filter(**{side: OuterRef("pk"), f"{other}__hidden": False}).order_by()
        counts.append(Subquery(own.values(side).annotate(n=Count("pk")).values("n")))
    return entities.annotate(relations=Coalesce(counts[0], 0) + Coalesce(counts[1], 0))
