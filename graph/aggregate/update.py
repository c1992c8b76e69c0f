"""How the graph grows and shrinks: documents come and go, people decide, and the folds follow.

Each function is one transaction's work under the datasource's lock, so that two uploads cannot cross.
"""

from collections.abc import Iterable, Sequence

from django.db import transaction

from graph.aggregate import mentions
from graph.aggregate.entities import fold_entities
from graph.aggregate.relations import Pair, fold_relations, pairs_of_documents, pairs_of_entities
from graph.extraction.llm import cache
from graph.resolution.changes import Changes
from graph.resolution.frequent_names import ChangedDocuments
from graph.resolution.linking import relink
from graph.resolution.resolve import Ref
from graph.sql import query
from sql import rows
from sql.locks import hold

LOCK = 0x6772  # the class of advisory locks that the graph takes, one a datasource
DOCUMENTS_AT_ONCE = 100  # whose relations are held in memory together


@transaction.atomic
def change(
    datasource_id: int,
    *,
    added: Sequence[int] = (),
    removed: Sequence[int] = (),
    withdrawn: Sequence[int] = (),
) -> None:
    """Let the mentions of the added documents count and take those of the removed ones away, in one step.

    Those of `withdrawn` documents stay but do not count, until the documents are added again.
    """
    lock(datasource_id)
    leaving = [*removed, *withdrawn]
    documents = ChangedDocuments.before([*added, *leaving])
    pairs_before = pairs_of_documents(leaving)
    query("publish_mentions", documents=list(added))
    keys = {key for (key,) in query("keys_of_documents", documents=[*added, *leaving])}
    if withdrawn:
        mentions.withdraw(withdrawn)
    mentions.remove(removed)
    cache.release(removed)
    query("forget_verdicts", datasource=datasource_id, documents=list(removed))
    changes = relink(datasource_id, keys, documents=documents)
    renamed = sorted({*added, *changes.documents} - set(leaving))
    _point_relations(renamed, added)
    _refold(datasource_id, changes, pairs_before | pairs_of_documents(renamed), documents)


@transaction.atomic
def reconsider(datasource_id: int, keys: Iterable[str]) -> None:
    """Fold again what bears these keys, after a decision about them was made or undone."""
    lock(datasource_id)
    decided = sorted(set(keys))
    before = _entities_of(datasource_id, decided)
    pairs_before = pairs_of_entities(before)
    changes = relink(datasource_id, decided, again=before)
    _point_relations(sorted(changes.documents))
    changes.entities |= before
    changes.moved |= before | _entities_of(datasource_id, decided)
    _refold(datasource_id, changes, pairs_before, ChangedDocuments())


@transaction.atomic
def reconsider_relations(datasource_id: int, refs: Iterable[tuple[Ref, Ref]]) -> None:
    """Fold the relations between these names again, in both directions: a decision about them was made or
    undone.
    """
    lock(datasource_id)
    pairs = list(refs)
    keys = sorted({key for pair in pairs for key, _ in pair})
    named = query("entities_of_refs", datasource=datasource_id, keys=keys)
    entity = {(key, sense): pk for key, sense, pk in named}
    ends = [(entity.get(one), entity.get(two)) for one, two in pairs]
    found = {(a, b) for a, b in ends if a and b}
    fold_relations(datasource_id, found | {(b, a) for a, b in found})


def lock(datasource_id: int) -> None:
    """Wait for other changes of this graph; held to the end of the transaction."""
    hold(LOCK, datasource_id)


def drop(datasource_id: int) -> None:
    """Delete a datasource's whole graph but for people's decisions."""
    cache.drop(datasource_id)
    query("drop_name_blocks", datasource=datasource_id)
    for table in ("relationembedding", "entityembedding", "nameembedding"):
        spaces = "SELECT id FROM ingestion_vectorspace WHERE datasource_id = %s"
        rows(f"DELETE FROM graph_{table} WHERE space_id IN ({spaces})", datasource_id)
    for table in (
        "relation",
        "relationmention",
        "entitymention",
        "mergecandidate",
        "pairverdict",
        "entityname",
        "entity",
    ):
        rows(f"DELETE FROM graph_{table} WHERE datasource_id = %s", datasource_id)


def _point_relations(document_ids: Sequence[int], added: Sequence[int] = ()) -> None:
    """Tie the relations of these documents to the names that their chunks mean by those keys.

    Those of added documents count from now on: one write for all this, for each goes into every index. Joined
    here, as a planner that knows little of the new rows would compare each with each.
    """
    for first in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
        documents = list(document_ids[first : first + DOCUMENTS_AT_ONCE])
        named = {(chunk, key): name for chunk, key, name in query("names_in_chunks", documents=documents)}
        told = query("relation_mentions_of_documents", documents=documents, added=list(added))
        tied = [
            (pk, named[chunk, source], named[chunk, target])
            for pk, chunk, source, target in told
            if (chunk, source) in named and (chunk, target) in named
        ]
        ids, sources, targets = ([row[i] for row in tied] for i in range(3))
        query("point_relation_mentions", ids=ids, sources=sources, targets=targets)


def _entities_of(datasource_id: int, keys: Sequence[str]) -> set[int]:
    return {pk for (pk,) in query("entities_of_keys", datasource=datasource_id, keys=list(keys))}


def _refold(datasource_id: int, changes: Changes, pairs: set[Pair], documents: ChangedDocuments) -> None:
    affected = pairs | pairs_of_entities(changes.moved)
    whole = changes.moved | changes.recounted
    fold_entities(changes.entities - whole, documents)
    fold_entities(whole)
    ends = sorted({pk for pair in affected for pk in pair})
    alive = {pk for (pk,) in rows("SELECT id FROM graph_entity WHERE id = ANY(%s)", ends)}
    fold_relations(datasource_id, {(a, b) for a, b in affected if a in alive and b in alive})
