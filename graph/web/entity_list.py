"""The list view of the graph page: the same entities and filters as the drawing, as a table."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from datasources.models import Datasource
from graph.models import Entity, Relation
from graph.models.listing import entities_of
from graph.sql import query
from graph.values.type_styles import look, look_of
from graph.web.query import STEP, Wanted

PER_PAGE = 50
SLIDER = 20  # mentions at its end
COLUMNS = (("name", "Name"), ("mentions", "Mentions"), ("documents", "Documents"), ("relations", "Relations"))


def legend(datasource: Datasource, wanted: Wanted) -> list[dict[str, Any]]:
    """The types there are, each with how many entities have it and whether it is chosen."""
    counted = query("count_types", datasource=datasource.pk, document=wanted.document)
    return [
        {"look": look(key), "count": count, "on": not wanted.types or key in wanted.types}
        for key, count in counted
    ]


def list_context(datasource: Datasource, wanted: Wanted) -> dict[str, Any]:
    """A page of the list, each entity with the number of its relations and its type's look."""
    found = entities_of(
        datasource,
        words=wanted.words,
        types=wanted.types,
        documents=[wanted.document] if wanted.document else [],
        min_mentions=wanted.least,
        order=wanted.sort if wanted.sort != "relations" else "mentions",
    )
    largest = datasource.entities.aggregate(most=Max("mention_count"))["most"]
    chosen = with_relations(found)
    if wanted.sort == "relations":
        chosen = chosen.order_by("-relations", "-mention_count", "name", "pk")
    listed = Paginator(chosen, PER_PAGE).get_page(wanted.page)
    return {
        "listed": listed,
        "rows": [(entity, [look(key) for key in entity.types] or [look_of([])]) for entity in listed],
        "columns": [(key, label, wanted.query(as_list=True, sort=key, page=1)) for key, label in COLUMNS],
        "before": wanted.query(as_list=True, page=wanted.page - 1),
        "after": wanted.query(as_list=True, page=wanted.page + 1),
        "as_graph": wanted.query(as_list=False, page=1),
        "as_list": wanted.query(as_list=True),
        "closed": wanted.query(entity=0, relation=0, mentions=0),
        "all_types": wanted.query(types=(), least=1),
        "more": wanted.query(shown=wanted.shown + STEP),
        "here": opening(wanted),
        "most_mentions": min(SLIDER, largest or 1),
    }


def opening(wanted: Wanted) -> str:
    """The address of the same page, up to where the entity to open is named."""
    query = wanted.query(entity=0, relation=0, mentions=0)
    return query if query == "?" else f"{query}&"


def with_relations(entities: QuerySet[Entity]) -> QuerySet[Any]:
    """Add `relations`, how many an entity takes part in."""
    counts = []
    for side, other in (("source", "target"), ("target", "source")):
        own = Relation.objects.filter(**{side: OuterRef("pk"), f"{other}__hidden": False}).order_by()
        counts.append(Subquery(own.values(side).annotate(n=Count("pk")).values("n")))
    return entities.annotate(relations=Coalesce(counts[0], 0) + Coalesce(counts[1], 0))
