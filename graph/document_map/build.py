"""Drawing the map: vectors of documents, their groups, the groups' names and a place for each; stored."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import count

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from datasources.models import Document
from graph.aggregate import update
from graph.aggregate.vectors import UNEMBEDDED
from graph.document_map import similarity
from graph.layout.beside import Places
from graph.layout.drawing import lay_out
from graph.models import DocumentNode
from graph.sql import query
from ingestion.models import SpaceStatus, VectorSpace
from sql import rows

NEIGHBOURS, ABOVE = 3, 0.3  # how the map is drawn unless a person asks otherwise
MOST_NEIGHBOURS = 10
MOST_OF_GROUP = 0.75  # share of a group's documents that name what the group is called after
MOST_OF_NAMED = 0.6  # share that those are of all documents that name it
DRAWN = 1000  # documents, those with the most text; all pairs are compared


def rebuild(datasource_id: int) -> int:
    """Bring the map up to date with the documents that can be searched now; gives their number.

    Nothing is locked while places and groups are found. If a document went meanwhile nothing is stored, for
    a group's name may be its words; its deletion has queued another layout.
    """
    nodes = bring_nodes(datasource_id)
    edges = similarity.edges(vectors_of(nodes), NEIGHBOURS, ABOVE)
    labels = similarity.groups(len(nodes), edges)
    names = _names(nodes, labels)
    for node, label, (x, y) in zip(nodes, labels, _places(nodes, edges), strict=True):
        node.group, node.x, node.y = names.get(label, ""), round(float(x), 2), round(float(y), 2)
    with transaction.atomic():
        update.lock(datasource_id)
        if DocumentNode.objects.filter(document__in=[node.pk for node in nodes]).count() < len(nodes):
            return 0
        DocumentNode.objects.bulk_update(nodes, ["group", "x", "y"], batch_size=500)
    return len(nodes)


@transaction.atomic
def bring_nodes(datasource_id: int) -> list[DocumentNode]:
    """A node for each document that is drawn.

    Its vector is made once: chunks never change after it is ready.
    """
    ready = Document.objects.filter(datasource=datasource_id).ready().order_by("-chunk_count", "pk")
    ids = list(ready.values_list("pk", flat=True)[:DRAWN])
    # Held, so that no switch to another model's vectors leaves documents of both on the map.
    current = VectorSpace.objects.filter(datasource=datasource_id, status=SpaceStatus.CURRENT)
    current.select_for_update(no_key=True).first()
    DocumentNode.objects.filter(datasource=datasource_id).exclude(document__in=ids).delete()
    known = DocumentNode.objects.filter(datasource=datasource_id).values_list("document", flat=True)
    query("average_chunk_vectors", documents=sorted(set(ids) - set(known)), datasource=datasource_id)
    drawn = DocumentNode.objects.filter(datasource=datasource_id)
    return list(drawn.select_related("document").order_by("document"))


def forget_groups(datasource_id: int, document_ids: Sequence[int]) -> None:
    """Take away the names of these documents' groups, which are their words; a rebuild gives new ones."""
    update.lock(datasource_id)  # no rebuild names a group between this and the end of the documents
    nodes = DocumentNode.objects.filter(datasource=datasource_id)
    named = set(nodes.filter(document__in=document_ids).values_list("group", flat=True))
    nodes.filter(group__in=named).update(group="")


def vectors_of(nodes: list[DocumentNode]) -> NDArray[np.float32]:
    """Shape (len(nodes), dimensions)."""
    return np.array([node.vector for node in nodes], dtype=np.float32)


def entities_of(ids: list[int]) -> dict[int, set[int]]:
    """The things that each of these documents names, but for dates, amounts, codes and references."""
    found: dict[int, set[int]] = {pk: set() for pk in ids}
    for document_id, entity_id in query("entities_of_documents", documents=ids, values=UNEMBEDDED):
        found[document_id].add(entity_id)
    return found


def _places(nodes: list[DocumentNode], edges: list[similarity.Edge]) -> Places:
    """A place for each document: near those that it is tied to."""
    start = np.array([(node.x, node.y) for node in nodes], dtype=np.float64).reshape(-1, 2)
    ties = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    return lay_out(start, ties, np.array([edge[2] for edge in edges], dtype=np.float64))


def _names(nodes: list[DocumentNode], labels: list[int]) -> dict[int, str]:
    """A name for each group of two or more: what most of its documents name and hardly any other does.

    A group without such a name gets a number: a name that fits half of it would mislead.
    """
    ids = [node.document_id for node in nodes]
    sizes = Counter(labels)
    spread = Counter[int]()
    within: dict[int, Counter[int]] = defaultdict(Counter)
    for pk, things in entities_of(ids).items():
        spread.update(things)
        within[labels[ids.index(pk)]].update(things)
    several = [pk for pk in spread if spread[pk] > 1]
    shown = dict(rows("SELECT id, name FROM graph_entity WHERE id = ANY(%s)", several))
    taken: dict[int, str] = {}
    unnamed = count(1)
    for label in sorted(sizes):
        scores = {
            pk: times / sizes[label] * math.log(1 + len(ids) / spread[pk])
            for pk, times in within[label].items()
            if times > 1
            and times >= MOST_OF_GROUP * sizes[label]
            and times >= MOST_OF_NAMED * spread[pk]
            and shown.get(pk, "") not in {"", *taken.values()}
        }
        if sizes[label] > 1:
            best = max(scores, key=lambda pk: (scores[pk], -pk), default=None)
            taken[label] = shown[best][:80] if best is not None else f"Group {next(unnamed)}"
    return taken
