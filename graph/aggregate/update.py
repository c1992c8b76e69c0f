"""How the graph grows and shrinks: documents come and go, people decide, and the folds follow.

Each function is one transaction's work under the datasource's lock, so that two uploads cannot cross.
"""

from collections.abc import Iterable, Sequence

from django.db import transaction

from graph.aggregate import mentions
from graph.aggregate.entities import fold_entities
from graph.aggregate.relations import Pair, fold_relations, pairs_of_documents, pairs_of_entities
from graph.extraction.llm import cache
from graph.resolution.linking import Changes, relink
from sql import rows

LOCK = 0x6772  # the class of advisory locks that the graph takes, one a datasource
DOCUMENTS_AT_ONCE = 100  # whose relations are held in memory together


@transaction.atomic
def change(
    datasource_id: int,
    *,
    added: Sequence[int] = (),
    removed: Sequence[int] = (),
    resting: Sequence[int] = (),
) -> None:
    """Let the mentions of the added documents count and take those of the removed ones away, in one step.

    Those of `resting` documents stay but do not count, until the documents are added again.
    """
    lock(datasource_id)
    gone = pairs_of_documents([*removed, *resting])
    rows("UPDATE graph_entitymention SET live = true WHERE document_id = ANY(%s) AND NOT live", list(added))
    keys = _keys_of([*added, *removed, *resting])
    if resting:
        mentions.rest(resting)
    mentions.remove(removed)
    cache.release(removed)
    forget_verdicts(datasource_id, removed)
    changes = relink(datasource_id, keys)
    told = sorted({*added, *changes.documents} - {*removed, *resting})
    _point_relations(told, added)
    _refold(datasource_id, changes, gone | pairs_of_documents(told))


@transaction.atomic
def reconsider(datasource_id: int, keys: Iterable[str]) -> None:
    """Fold anew what bears these keys, after a decision about them was made or undone."""
    lock(datasource_id)
    wanted = sorted(set(keys))
    before = _entities_of(datasource_id, wanted)
    paired = pairs_of_entities(before)
    changes = relink(datasource_id, wanted, again=before)
    _point_relations(sorted(changes.documents))
    changes.entities |= before
    changes.moved |= before | _entities_of(datasource_id, wanted)
    _refold(datasource_id, changes, paired)


def lock(datasource_id: int) -> None:
    """Wait for other changes of this graph; held to the end of the transaction."""
    rows("SELECT pg_advisory_xact_lock(%s, %s)", LOCK, datasource_id % 2**31)


def _point_relations(document_ids: Sequence[int], added: Sequence[int] = ()) -> None:
    """Tie the relations of these documents to the names that their chunks mean by those keys.

    Those of added documents count from now on: one write for all this, for each goes into every index.
    """
    for first in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
        documents = list(document_ids[first : first + DOCUMENTS_AT_ONCE])
        # Joined here: a planner that knows little of the new rows would compare each with each.
        named = {
            (chunk, key): name for chunk, key, name in rows(
                "SELECT DISTINCT ON (chunk_id, key) chunk_id, key, named_id FROM graph_entitymention"
                " WHERE document_id = ANY(%s) AND live ORDER BY chunk_id, key, start, named_id",
                documents,
            )
        }  # fmt: skip
        ends = [
            (pk, named[chunk, source], named[chunk, target])
            for pk, chunk, source, target in rows(
                "SELECT id, chunk_id, source_key, target_key FROM graph_relationmention"
                " WHERE document_id = ANY(%s) AND (live OR document_id = ANY(%s))",
                documents, list(added),
            )
            if (chunk, source) in named and (chunk, target) in named
        ]  # fmt: skip
        rows(
            "UPDATE graph_relationmention r SET live = true, source_id = t.source, target_id = t.target"
            " FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS t(id, source, target)"
            " WHERE r.id = t.id"
            "  AND (NOT r.live OR (r.source_id, r.target_id) IS DISTINCT FROM (t.source, t.target))",
            *([end[i] for end in ends] for i in range(3)),
        )  # fmt: skip


def forget_verdicts(datasource_id: int, document_ids: Sequence[int]) -> None:
    """Forget what a model made of names when it saw these documents' words."""
    rows(
        "DELETE FROM graph_pairverdict WHERE datasource_id = %s AND documents && %s::bigint[]",
        datasource_id, list(document_ids),
    )  # fmt: skip


def drop(datasource_id: int) -> None:
    """Delete a datasource's whole graph but for people's decisions."""
    cache.drop(datasource_id)
    rows(
        "DELETE FROM graph_nameblock b USING graph_entityname n WHERE b.name_id = n.id AND"
        " n.datasource_id = %s",
        datasource_id,
    )
    for table in (
        "relationembedding", "entityembedding", "nameembedding", "relation", "relationmention",
        "entitymention", "mergecandidate", "pairverdict", "entityname", "entity",
    ):  # fmt: skip
        rows(f"DELETE FROM graph_{table} WHERE datasource_id = %s", datasource_id)


def _keys_of(document_ids: Sequence[int]) -> set[str]:
    """The keys that count there: a document that rests already leaves nothing behind to fold."""
    return {
        key
        for (key,) in rows(
            "SELECT DISTINCT key FROM graph_entitymention WHERE document_id = ANY(%s) AND live",
            list(document_ids),
        )
    }


def _entities_of(datasource_id: int, keys: Sequence[str]) -> set[int]:
    return {
        pk
        for (pk,) in rows(
            "SELECT DISTINCT entity_id FROM graph_entityname WHERE datasource_id = %s AND key = ANY(%s)"
            " AND entity_id IS NOT NULL", datasource_id, list(keys),
        )
    }  # fmt: skip


def _refold(datasource_id: int, changes: Changes, pairs: set[Pair]) -> None:
    affected = pairs | pairs_of_entities(changes.moved)
    fold_entities(changes.entities | changes.moved)
    alive = {
        pk for (pk,) in rows(
            "SELECT id FROM graph_entity WHERE id = ANY(%s)",
            sorted({pk for pair in affected for pk in pair}),
        )
    }  # fmt: skip
    fold_relations(datasource_id, {(a, b) for a, b in affected if a in alive and b in alive})
