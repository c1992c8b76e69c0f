"""Which mentions are of which name, after the mentions of some keys changed; whose name it is follows.

Every look-up is by key or by block, so the work grows with the change and not with the graph.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from graph.models import Decision
from graph.resolution.assignment import assign, ids_of, refs_of
from graph.resolution.blocking import neighbours, write_blocks
from graph.resolution.changes import Changes
from graph.resolution.disambiguation import MentionGroup, mention_groups, set_senses
from graph.resolution.resolve import Name, Ref, blocks, family
from graph.sql import query
from sql import rows


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


def relink(datasource_id: int, keys: Iterable[str], again: Iterable[int] = ()) -> Changes:
    """Bring names and the assignment of names to entities up to date for these keys.

    All names of the entities `again` are clustered again as well.
    """
    changed = sorted(set(keys))
    changes = Changes()
    groups = mention_groups(datasource_id, changed)
    resensed = set_senses(datasource_id, changed, groups)
    if resensed:
        groups = mention_groups(datasource_id, changed)
    fresh, ids = _fold_names(datasource_id, changed, _folded(datasource_id, changed, groups), changes)
    if resensed:
        _report_resensed(datasource_id, changed, changes)
    if resensed or any(group.nameless for group in groups):
        _point_mentions(datasource_id, ids)
    fresh |= _names_of(again)
    decided = Decision.objects.about(datasource_id, changed)
    fresh |= set(ids_of(datasource_id, {ref for d in decided for ref in refs_of(d)}))
    assign(datasource_id, fresh, changes)
    return changes


def _folded(datasource_id: int, keys: Sequence[str], groups: Iterable[MentionGroup]) -> dict[Ref, FoldedName]:
    """Every name of these keys as a fold over its mentions: commonest spelling, all types, count."""
    spellings: dict[Ref, Counter[str]] = defaultdict(Counter)
    types: dict[Ref, Counter[str]] = defaultdict(Counter)
    for group in groups:
        spellings[group.key, group.sense][group.name] += group.times
        types[group.key, group.sense].update(dict.fromkeys(group.types, group.times))
    return {
        (key, sense): FoldedName(
            name=_commonest_first(spellings[key, sense])[0],
            mentions=count,
            types=_commonest_first(types[key, sense]),
        )
        for key, sense, count in query("mention_counts_of_keys", datasource=datasource_id, keys=keys)
    }


def _commonest_first(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda text: (-counts[text], text))


def _fold_names(
    datasource_id: int, keys: Sequence[str], folded: Mapping[Ref, FoldedName], changes: Changes
) -> tuple[set[int], dict[Ref, int]]:
    """Write the names of these keys; returns the ids to compare with others again, and all ids."""
    before = {
        (key, sense): StoredName(pk, *stored)
        for pk, key, sense, *stored in query("names_of_keys", datasource=datasource_id, keys=keys)
    }
    fresh = _tied([name.pk for name in before.values() if name.by_context])
    gone = [name for ref, name in before.items() if ref not in folded]
    if gone:
        fresh |= _delete_names(gone, changes)
    ids = _write_names(datasource_id, folded)
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
    tied = query(
        "names_of_same_entities_or_candidates", names=ids, entities=[pk for (pk,) in entities if pk]
    )  # fmt: skip
    return {pk for (pk,) in tied}


def _compared(name: Name) -> tuple[object, ...]:
    """All of a name that its comparison with others depends on."""
    return family(name.types), blocks(name)


def _write_names(datasource_id: int, folded: Mapping[Ref, FoldedName]) -> dict[Ref, int]:
    values = [
        {"key": key, "sense": sense, "name": name.name, "count": name.mentions, "types": name.types}
        for (key, sense), name in folded.items()
    ]
    query("write_names", datasource=datasource_id, folded=json.dumps(values))
    written = query("names_of_keys", datasource=datasource_id, keys=[key for key, _ in folded])
    return {(key, sense): pk for pk, key, sense, *_ in written}


def _report_resensed(datasource_id: int, keys: Sequence[str], changes: Changes) -> None:
    """Report the documents and entities of the mentions that have another sense than their name."""
    for document, entity in query("mentions_of_another_sense", datasource=datasource_id, keys=keys):
        changes.documents.add(document)
        changes.moved |= {entity} if entity else set()


def _point_mentions(datasource_id: int, ids: Mapping[Ref, int]) -> None:
    """Tie each mention of these names to its name."""
    query(
        "point_mentions", datasource=datasource_id, ids=list(ids.values()), keys=[key for key, _ in ids],
        senses=[sense for _, sense in ids],
    )  # fmt: skip
