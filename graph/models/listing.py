"""Which entities, relations and mentions a list shows, and how many there are."""

from collections.abc import Sequence
from typing import TypeVar

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from datasources.models import Datasource
from graph.models import Entity, EntityMention, EntityName, Relation, RelationMention
from graph.sql import query
from graph.values.ontology import OTHER
from ingestion.models import Page

M = TypeVar("M", EntityMention, RelationMention)

ENTITY_ORDERS = {
    "mentions": ("-mention_count", "name", "pk"),
    "documents": ("-document_count", "-mention_count", "pk"),
    "name": ("name", "pk"),
}
RELATION_ORDERS = {
    "strength": ("-strength", "pk"),
    "mentions": ("-mention_count", "-strength", "pk"),
    "name": ("source__name", "target__name", "pk"),
}


def entities_of(
    datasource: Datasource,
    *,
    words: str = "",
    types: Sequence[str] = (),
    documents: Sequence[int] = (),
    min_mentions: int = 0,
    hidden: bool = False,
    order: str = "mentions",
) -> QuerySet[Entity]:
    """Entities with all words in one of their names, any of the types, named by any of the documents."""
    found = Entity.objects.filter(datasource=datasource, hidden=hidden)
    if words.split():
        named = EntityName.objects.filter(datasource=datasource)
        shown = Q()
        for word in words.split():
            named = named.filter(name__icontains=word)
            shown &= Q(name__icontains=word)
        found = found.filter(shown | Q(pk__in=named.values("entity")))
    if types:
        untyped = Q(types=[]) if OTHER in types else Q()
        found = found.filter(Q(types__overlap=list(types)) | untyped)
    if documents:
        told = EntityMention.objects.filter(datasource=datasource, live=True, document__in=documents)
        found = found.filter(pk__in=told.values("named__entity"))
    if min_mentions:
        found = found.filter(mention_count__gte=min_mentions)
    return found.order_by(*ENTITY_ORDERS[order])


def relations_of(
    datasource: Datasource,
    *,
    entity: int | None = None,
    words: str = "",
    documents: Sequence[int] = (),
    min_mentions: int = 0,
    order: str = "strength",
) -> QuerySet[Relation]:
    """Relations of an entity, with the words in their description or ends, told by any of the documents."""
    found = Relation.objects.filter(datasource=datasource, source__hidden=False, target__hidden=False)
    if entity is not None:
        found = found.filter(Q(source=entity) | Q(target=entity))
    for word in words.split():
        found = found.filter(
            Q(description__icontains=word) | Q(source__name__icontains=word) | Q(target__name__icontains=word)
        )
    if documents:
        said = RelationMention.objects.filter(
            live=True,
            document__in=documents,
            source__entity=OuterRef("source"),
            target__entity=OuterRef("target"),
        )
        found = found.filter(Exists(said))
    if min_mentions:
        found = found.filter(mention_count__gte=min_mentions)
    return found.select_related("source", "target").order_by(*RELATION_ORDERS[order])


def mentions_of(entity: Entity) -> QuerySet[EntityMention]:
    """Where the documents name the entity, each with its `page`, in reading order."""
    told = EntityMention.objects.filter(datasource=entity.datasource_id, named__entity=entity, live=True)
    return with_pages(told)


def is_undirected(relation: Relation) -> bool:
    """Whether its sentences merely name the two, so that which comes first says nothing."""
    return not relation.keywords


def evidence_of(*relations: Relation) -> QuerySet[RelationMention]:
    """Where the documents speak of both ends of any of these, each with its `page`, in reading order."""
    said = Q(pk__in=[])
    for one in relations:
        said |= Q(source__entity=one.source_id, target__entity=one.target_id)
    return with_pages(RelationMention.objects.filter(said, live=True))


def with_mirror(relation: Relation) -> list[Relation]:
    """The relation, and the one from its target to its source where both are undirected."""
    if not is_undirected(relation):
        return [relation]
    mirror = Relation.objects.filter(source=relation.target_id, target=relation.source_id, keywords=[])
    return [relation, *mirror]


def with_pages(mentions: QuerySet[M]) -> QuerySet[M]:
    """Add the number of the page on which each stands."""
    page = Page.objects.filter(document=OuterRef("document"), start__lte=OuterRef("position"))
    number = page.order_by("-start", "-number").values("number")[:1]
    return (
        mentions.annotate(page=Coalesce(Subquery(number), F("chunk__first_page")))
        .select_related("document", "chunk")
        .order_by("document__title", "document", "position", "pk")
    )


def entities_per_document(ids: Sequence[int]) -> dict[int, int]:
    """How many things each of these documents names; what is hidden does not count."""
    return dict(query("entities_per_document", documents=list(ids))) if ids else {}
