"""Which mentions are of which name, after the mentions of some keys changed; whose name it is follows.

Every look-up is by key or by block, so the work grows with the change and not with the graph.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graph.models import Decision
from graph.resolution.assignment import assign, ids_of, refs_of
from graph.resolution.blocking import neighbours, write_blocks
from graph.resolution.changes import Changes
from graph.resolution.disambiguation import set_senses
from graph.resolution.frequent_names import ChangedDocuments, Tally
from graph.resolution.resolve import Name, Ref, blocks, family
from graph.sql import query
from sql import rows

DOCUMENTS_AT_ONCE = 100  # whose mentions are held in memory together


class FoldedName(NamedTuple):
    """A name as its mentions make it."""

    name: str
    mentions: int
    types: list[str]


class StoredName(NamedTuple):
    """A name as it was stored."""

    pk: int
    types: list[str]
    entity: int | None
    by_context: bool
    places: int
    spellings: str | None  # JSON, see Tally.to_keep


def relink(
    datasource_id: int,
    keys: Iterable[str],
    again: Iterable[int] = (),
    documents: ChangedDocuments | None = None,
) -> Changes:
    """Bring names and the assignment of names to entities up to date for these keys.

    All names of the entities `again` are clustered again as well. documents: those whose mentions changed.
    """
    changed = sorted(set(keys))
    documents = documents or ChangedDocuments()
    changes = Changes()
    stored = _stored(datasource_id, changed)
    tally = _counted(datasource_id, changed, stored, documents)
    resensed = sorted(set_senses(datasource_id, changed, tally))
    if resensed:
        tally.forget(resensed)
        tally.add(Tally.of_keys(datasource_id, resensed))
    fresh, ids = _fold_names(datasource_id, stored, tally, changes)
    if resensed:
        _report_resensed(datasource_id, resensed, changes)
        _point_mentions_of_keys(datasource_id, resensed, ids)
    _point_mentions(documents.ids, ids)
    fresh |= _names_of(again)
    decided = Decision.objects.about(datasource_id, changed)
    fresh |= set(ids_of(datasource_id, {ref for d in decided for ref in refs_of(d)}))
    assign(datasource_id, fresh, changes)
    changes.recounted |= {pk for (pk,) in query("entities_of_keys", datasource=datasource_id, keys=resensed)}
    return changes


def _stored(datasource_id: int, keys: Sequence[str]) -> dict[Ref, StoredName]:
    return {
        (key, sense): StoredName(pk, *stored)
        for pk, key, sense, *stored in query("names_of_keys", datasource=datasource_id, keys=list(keys))
    }


def _counted(
    datasource_id: int,
    keys: Sequence[str],
    stored: Mapping[Ref, StoredName],
    documents: ChangedDocuments,
) -> Tally:
    """All live mentions of the keys: those of frequent ones as kept with their names, and changed since."""
    kept = {key for (key, _), name in stored.items() if name.spellings is not None}
    tally = Tally.of_keys(datasource_id, [key for key in keys if key not in kept])
    for ref, name in stored.items():
        if name.spellings is not None:
            tally.add_kept(ref, name.places, json.loads(name.spellings))
    if kept and documents.ids:
        tally.add(Tally.in_documents(documents.ids, kept))
        tally.take_away(documents.tally, kept)
    return tally


def _folded(tally: Tally) -> dict[Ref, FoldedName]:
    """Every name as a fold over its mentions: commonest spelling, all types, count."""
    spellings: dict[Ref, Counter[str]] = defaultdict(Counter)
    types: dict[Ref, Counter[str]] = defaultdict(Counter)
    for each, times in tally.times.items():
        spellings[each.key, each.sense][each.name] += times
        types[each.key, each.sense].update(dict.fromkeys(each.types, times))
    return {
        ref: FoldedName(
            name=_commonest_first(spellings[ref])[0],
            mentions=count,
            types=_commonest_first(types[ref]),
        )
        for ref, count in tally.places.items()
    }


def _commonest_first(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda text: (-counts[text], text))


def _fold_names(
    datasource_id: int, before: Mapping[Ref, StoredName], tally: Tally, changes: Changes
) -> tuple[set[int], dict[Ref, int]]:
    """Write the names that were counted; returns the ids to compare with others again, and all ids."""
    folded = _folded(tally)
    fresh = _tied([name.pk for name in before.values() if name.by_context])
    gone = [name for ref, name in before.items() if ref not in folded]
    if gone:
        fresh |= _delete_names(gone, changes)
    ids = _write_names(datasource_id, folded, tally.to_keep())
    compared_again: list[tuple[int, Name]] = []
    for ref, folded_name in folded.items():
        name, old = Name.of(ref, folded_name.types), before.get(ref)
        if old is None or _compared(Name.of(ref, old.types)) != _compared(name):
            compared_again.append((ids[ref], name))
        elif old.entity:
            changes.entities.add(old.entity)
    fresh |= _tied([pk for pk, name in compared_again if name.ref in before])
    write_blocks(datasource_id, compared_again)
    return (fresh - {name.pk for name in gone}) | {pk for pk, _ in compared_again}, ids


def _delete_names(gone: Sequence[StoredName], changes: Changes) -> set[int]:
    """Delete names that no mention bears any more; gives those that may have been one thing through them."""
    ids = [name.pk for name in gone]
    lost = {name.entity for name in gone if name.entity}
    tied = neighbours(ids)
    changes.moved |= lost
    rows("DELETE FROM graph_mergecandidate WHERE a_id = ANY(%s) OR b_id = ANY(%s)", ids, ids)
    rows("DELETE FROM graph_nameblock WHERE name_id = ANY(%s)", ids)
    changes.documents |= {document for (document,) in query("mentions_lose_names", names=ids)}
    rows("UPDATE graph_relationmention SET source_id = NULL WHERE source_id = ANY(%s)", ids)
    rows("UPDATE graph_relationmention SET target_id = NULL WHERE target_id = ANY(%s)", ids)
    rows("DELETE FROM graph_entityname WHERE id = ANY(%s)", ids)
    return tied | _names_of(lost)


def _names_of(entities: Iterable[int]) -> set[int]:
    return {pk for (pk,) in rows("SELECT id FROM graph_entityname WHERE entity_id = ANY(%s)", list(entities))}


def _tied(ids: Sequence[int]) -> set[int]:
    """These names, all of their entities, and those that they might be one with."""
    entities = rows("SELECT DISTINCT entity_id FROM graph_entityname WHERE id = ANY(%s)", ids)
    tied = query("names_of_same_entities_or_candidates", names=ids, entities=[pk for (pk,) in entities if pk])
    return {pk for (pk,) in tied}


def _compared(name: Name) -> tuple[object, ...]:
    """All of a name that its comparison with others depends on."""
    return family(name.types), blocks(name)


def _write_names(
    datasource_id: int, folded: Mapping[Ref, FoldedName], kept: Mapping[Ref, Sequence[Any]]
) -> dict[Ref, int]:
    values = [
        {
            "key": ref[0],
            "sense": ref[1],
            "name": name.name,
            "count": name.mentions,
            "types": name.types,
            "spellings": kept.get(ref),
        }
        for ref, name in folded.items()
    ]
    query("write_names", datasource=datasource_id, folded=json.dumps(values))
    return {ref: name.pk for ref, name in _stored(datasource_id, [key for key, _ in folded]).items()}


def _report_resensed(datasource_id: int, keys: Sequence[str], changes: Changes) -> None:
    """Report the documents and entities of the mentions that have another sense than their name."""
    for document, entity in query("mentions_of_another_sense", datasource=datasource_id, keys=keys):
        changes.documents.add(document)
        changes.moved |= {entity} if entity else set()


def _point_mentions_of_keys(datasource_id: int, keys: Collection[str], ids: Mapping[Ref, int]) -> None:
    """Tie each mention of these keys to its name."""
    names = {ref: pk for ref, pk in ids.items() if ref[0] in keys}
    query(
        "point_mentions_of_keys",
        datasource=datasource_id,
        ids=list(names.values()),
        keys=[key for key, _ in names],
        senses=[sense for _, sense in names],
    )


def _point_mentions(document_ids: Sequence[int], ids: Mapping[Ref, int]) -> None:
    """Tie the mentions of these documents to their names.

    Joined here, as a planner that knows little of the new rows would compare each with each.
    """
    for first in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
        mentions = query("names_of_mentions", documents=list(document_ids[first : first + DOCUMENTS_AT_ONCE]))
        tied = [
            (pk, ids[key, sense])
            for pk, key, sense, named in mentions
            if ids.get((key, sense), named) != named
        ]
        query("point_mentions", ids=[pk for pk, _ in tied], names=[name for _, name in tied])
