"""Reading the map: its nodes, who is near whom by text or by shared things, and what two documents share."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from django.db.models import Count
from numpy.typing import NDArray

from datasources.models import Datasource, Document
from graph.document_map import similarity
from graph.document_map.build import ABOVE, NEIGHBOURS, entities_of, vectors_of
from graph.models import DocumentNode, Entity
from graph.models.listing import entities_per_document

By = Literal["text", "entities"]
SHOWN_NEIGHBOURS, SHARED, ONLY_HERE = 5, 3, 6
COMPARED = 4096  # entities that documents are compared by, those that most of them share


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the map is looked at. `k` neighbours of each, with a cosine of `above` or more."""

    k: int = NEIGHBOURS
    above: float = ABOVE
    by: By = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A document near another; `shared` are the rarest things that both name."""

    document: Document
    score: float
    shared: Sequence[Entity]


def nodes_of(datasource: Datasource) -> list[DocumentNode]:
    """The drawn documents that can be searched now, by title."""
    nodes = DocumentNode.objects.filter(datasource=datasource, x__isnull=False)
    return list(
        nodes.filter(document__in=datasource.documents.ready())
        .select_related("document")
        .order_by("document__title", "document")
    )


def node_link(datasource: Datasource, view: View) -> dict[str, Any]:
    """{"nodes": [...], "edges": [...], "groups": [...]}; an edge's ends are ids of documents."""
    nodes = nodes_of(datasource)
    ids = [node.document_id for node in nodes]
    found = similarity.edges(compared(nodes, view.by), view.k, view.above)
    return {
        "nodes": [
            {
                "id": node.document_id,
                "title": node.document.title,
                "pages": node.document.page_count,
                "group": node.group,
                "x": node.x,
                "y": node.y,
            }
            for node in nodes
        ],
        "edges": [{"source": ids[a], "target": ids[b], "score": score} for a, b, score in found],
        "groups": [{"name": name, "documents": count} for name, count in groups_of(nodes)],
    }


def groups_of(nodes: Sequence[DocumentNode]) -> list[tuple[str, int]]:
    """(name, documents) of the groups, the largest first; loners are in none."""
    counted = Counter(node.group for node in nodes if node.group)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def compared(nodes: list[DocumentNode], by: By) -> NDArray[np.float32]:
    """What the documents are compared by: shape (n, any). Cosines of the rows say how alike they are."""
    if by == "text" or not nodes:
        return vectors_of(nodes)
    ids = [node.document_id for node in nodes]
    named = entities_of(ids)
    spread = Counter(pk for things in named.values() for pk in things)
    used = sorted((pk for pk in spread if spread[pk] > 1), key=lambda pk: (-spread[pk], pk))[:COMPARED]
    column = {pk: i for i, pk in enumerate(used)}
    # A thing that few documents name says more; one that only a single document names still sets it apart.
    rarity = {pk: math.log(1 + len(ids) / spread[pk]) for pk in spread}
    table = np.zeros((len(ids), len(used) + len(ids)), dtype=np.float32)
    for row, pk in enumerate(ids):
        for thing in named[pk] & column.keys():
            table[row, column[thing]] = rarity[thing]
        alone = sum(rarity[thing] ** 2 for thing in named[pk] - column.keys())
        table[row, len(used) + row] = math.sqrt(alone)
    return table


def neighbours(document: Document, view: View) -> list[Neighbour]:
    """The documents most like this one, whatever their score, and what they share with it."""
    nodes = nodes_of(document.datasource)
    at = next((i for i, node in enumerate(nodes) if node.document_id == document.pk), None)
    if at is None:
        return []
    vectors = compared(nodes, view.by)
    lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
    cosines = vectors @ vectors[at] / (lengths * lengths[at])
    order = [i for i in np.argsort(-cosines, kind="stable").tolist() if i != at][:SHOWN_NEIGHBOURS]
    named = entities_of([document.pk, *(nodes[i].document_id for i in order)])
    return [
        Neighbour(
            document=nodes[i].document,
            score=float(cosines[i]),
            shared=_rarest(named[document.pk] & named[nodes[i].document_id]),
        )
        for i in order
    ]


def only_here(document: Document) -> list[Entity]:
    """What sets the document apart: the things that it alone names, the most mentioned first."""
    mine = entities_of([document.pk])[document.pk]
    alone = Entity.objects.filter(pk__in=mine, document_count=1).exclude(name__iexact=document.title)
    return list(alone.order_by("-mention_count", "key")[:ONLY_HERE])


def counts(document: Document) -> dict[str, int]:
    """Pages, chunks and entities of a document."""
    named = Document.objects.filter(pk=document.pk).aggregate(chunks=Count("chunks"))
    return {
        "pages": document.page_count or 0,
        "chunks": named["chunks"],
        "entities": entities_per_document([document.pk]).get(document.pk, 0),
    }


def _rarest(ids: set[int]) -> list[Entity]:
    found = Entity.objects.filter(pk__in=ids).order_by("document_count", "-mention_count", "key")
    return list(found[:SHARED])
