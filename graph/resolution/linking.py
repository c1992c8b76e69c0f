"""Which mentions are of which name and which names of which entity, after the mentions of some keys changed.

Every look-up is by key or by block, so the work grows with the change and not with the graph.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection

from graph.models import Decision, DecisionKind, MergeCandidate
from graph.resolution.disambiguation import Alike, alike, set_senses
from graph.resolution.resolve import MAYBE, SURE, Name, Ref, blocks, cluster, family, score
from graph.resolution.scoring import contest, is_open, weigh
from sql import rows as rows

WIDE_BLOCK = 50  # names that share a wide signature; more of them and it says nothing


@dataclass(slots=True)
class Changes:
    """What a fold has to look at again, by id."""

    entities: set[int] = field(default_factory=set)  # their mentions or names changed
    moved: set[int] = field(default_factory=set)  # a name came or went: all their relations too
    documents: set[int] = field(default_factory=set)  # their mentions are of another name now


class Folded(NamedTuple):
    """A name as its mentions make it."""

    name: str
    places: int
    types: list[str]


def relink(datasource_id: int, keys: Iterable[str], again: Iterable[int] = ()) -> Changes:
    """Bring names and the assignment of names to entities up to date for these keys.

    All names of the entities `again` are clustered anew as well.
    """
    wanted = sorted(set(keys))
    changes = Changes()
    mentions = alike(datasource_id, wanted)
    resensed = set_senses(datasource_id, wanted, mentions)
    if resensed:
        mentions = alike(datasource_id, wanted)
    fresh, ids = _fold_names(datasource_id, wanted, _folded(datasource_id, wanted, mentions), changes)
    if resensed:
        _leave_names(datasource_id, wanted, changes)
    if resensed or any(one.nameless for one in mentions):
        _point_mentions(datasource_id, ids)
    fresh |= {pk for (pk,) in rows("SELECT id FROM graph_entityname WHERE entity_id = ANY(%s)", list(again))}
    decided = Decision.objects.about(datasource_id, wanted)
    fresh |= set(_ids_of(datasource_id, {ref for d in decided for ref in _refs(d)}))
    _assign(datasource_id, fresh, changes)
    return changes


# --- names -----------------------------------------------------------------------------------------------
def _folded(datasource_id: int, keys: Sequence[str], mentions: Iterable[Alike]) -> dict[Ref, Folded]:
    """Every name of these keys as a fold over its mentions: commonest spelling, all types, count."""
    spellings: dict[Ref, Counter[str]] = defaultdict(Counter)
    kinds: dict[Ref, Counter[str]] = defaultdict(Counter)
    for one in mentions:
        spellings[one.key, one.sense][one.name] += one.times
        kinds[one.key, one.sense].update(dict.fromkeys(one.types, one.times))
    places = rows(
        "SELECT key, sense, count(*) FROM (SELECT DISTINCT key, sense, document_id, position"
        " FROM graph_entitymention WHERE datasource_id = %s AND live AND key = ANY(%s)) AS places"
        " GROUP BY key, sense",
        datasource_id, keys,
    )  # fmt: skip
    return {
        (key, sense): Folded(
            name=min(names, key=lambda name: (-names[name], name)),
            places=count,
            types=sorted(told, key=lambda kind: (-told[kind], kind)),
        )
        for key, sense, count in places
        for names, told in [(spellings[key, sense], kinds[key, sense])]
    }


def _fold_names(
    datasource_id: int, keys: Sequence[str], folded: Mapping[Ref, Folded], changes: Changes
) -> tuple[set[int], dict[Ref, int]]:
    """Write the names of these keys; returns the ids to compare with others anew, and all ids."""
    before = {
        (key, sense): (pk, types, entity, weighed)
        for pk, key, sense, types, entity, weighed in rows(
            "SELECT id, key, sense, types, entity_id, weighed FROM graph_entityname"
            " WHERE datasource_id = %s AND key = ANY(%s)",
            datasource_id,
            keys,
        )
    }
    fresh = _tied([pk for pk, _, _, weighed in before.values() if weighed])
    gone = [before[ref][0] for ref in before if ref not in folded]
    if gone:
        fresh |= _neighbours(gone)
        lost = {before[ref][2] for ref in before if ref not in folded and before[ref][2]}
        changes.moved |= lost
        rows("DELETE FROM graph_mergecandidate WHERE a_id = ANY(%s) OR b_id = ANY(%s)", gone, gone)
        rows("DELETE FROM graph_nameblock WHERE name_id = ANY(%s)", gone)
        changes.documents |= {
            pk for (pk,) in rows(
                "UPDATE graph_entitymention SET named_id = NULL WHERE named_id = ANY(%s) RETURNING"
                " document_id",
                gone,
            )
        }  # fmt: skip
        rows("UPDATE graph_relationmention SET source_id = NULL WHERE source_id = ANY(%s)", gone)
        rows("UPDATE graph_relationmention SET target_id = NULL WHERE target_id = ANY(%s)", gone)
        rows("DELETE FROM graph_entityname WHERE id = ANY(%s)", gone)
        fresh |= {
            pk for (pk,) in rows("SELECT id FROM graph_entityname WHERE entity_id = ANY(%s)", list(lost))
        }
    ids = _write_names(datasource_id, folded)
    compared_anew = []
    for ref, name in folded.items():
        old = before.get(ref)
        if old is None or _compared(ref, old[1]) != _compared(ref, name.types):
            compared_anew.append((ids[ref], ref, name.types))
        elif old[2]:
            changes.entities.add(old[2])
    fresh |= _tied([pk for pk, ref, _ in compared_anew if ref in before])
    _write_blocks(datasource_id, compared_anew)
    return (fresh - set(gone)) | {pk for pk, _, _ in compared_anew}, ids


def _tied(ids: Sequence[int]) -> set[int]:
    """These names, all of their entities, and those that they might be one with."""
    entities = rows(
        "SELECT DISTINCT entity_id FROM graph_entityname WHERE id = ANY(%s) AND entity_id IS NOT NULL",
        list(ids),
    )
    found = rows(
        "SELECT id FROM graph_entityname WHERE id = ANY(%s) OR entity_id = ANY(%s) UNION"
        " SELECT a_id FROM graph_mergecandidate WHERE b_id = ANY(%s) UNION"
        " SELECT b_id FROM graph_mergecandidate WHERE a_id = ANY(%s)",
        list(ids), [entity for (entity,) in entities], list(ids), list(ids),
    )  # fmt: skip
    return {pk for (pk,) in found}


def _compared(ref: Ref, types: Iterable[str]) -> tuple[object, ...]:
    """All of a name that its comparison with others depends on."""
    name = Name(key=ref[0], sense=ref[1], types=tuple(types))
    return family(name.types), blocks(name)


def _write_names(datasource_id: int, folded: Mapping[Ref, Folded]) -> dict[Ref, int]:
    values = [
        {"key": key, "sense": sense, "name": n.name, "count": n.places, "types": n.types}
        for (key, sense), n in folded.items()
    ]
    rows(
        "INSERT INTO graph_entityname AS n (datasource_id, key, sense, name, count, types)"
        " SELECT %s, t.key, t.sense, t.name, t.count, t.types"
        " FROM json_to_recordset(%s) AS t(key text, sense text, name text, count int, types text[])"
        " ON CONFLICT (datasource_id, key, sense) DO UPDATE"
        " SET name = excluded.name, count = excluded.count, types = excluded.types"
        " WHERE (n.name, n.count, n.types) IS DISTINCT FROM (excluded.name, excluded.count, excluded.types)",
        datasource_id, json.dumps(values),
    )  # fmt: skip
    return {
        (key, sense): pk
        for pk, key, sense in rows(
            "SELECT id, key, sense FROM graph_entityname WHERE datasource_id = %s AND key = ANY(%s)",
            datasource_id, [key for key, _ in folded],
        )
    }  # fmt: skip


def block_hash(datasource_id: int, block: str) -> int:
    digest = hashlib.blake2b(f"{datasource_id}:{block}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _write_blocks(datasource_id: int, names: Sequence[tuple[int, Ref, Sequence[str]]]) -> None:
    rows("DELETE FROM graph_nameblock WHERE name_id = ANY(%s)", [pk for pk, _, _ in names])
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY graph_nameblock (block, name_id, sure) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types(["int8", "int8", "bool"])
        for pk, (key, sense), types in names:
            sure, wide = blocks(Name(key=key, sense=sense, types=tuple(types)))
            for block in sure | wide:
                copy.write_row([block_hash(datasource_id, block), pk, block in sure])


def _leave_names(datasource_id: int, keys: Sequence[str], changes: Changes) -> None:
    """Report the documents and entities of the mentions that have another sense than their name."""
    for document, entity in rows(
        "SELECT DISTINCT m.document_id, o.entity_id FROM graph_entitymention m"
        " JOIN graph_entityname o ON o.id = m.named_id"
        " WHERE m.datasource_id = %s AND m.live AND m.key = ANY(%s) AND o.sense <> m.sense",
        datasource_id, keys,
    ):  # fmt: skip
        changes.documents.add(document)
        changes.moved |= {entity} if entity else set()


def _point_mentions(datasource_id: int, ids: Mapping[Ref, int]) -> None:
    """Tie each mention of these names to its name."""
    rows(
        "UPDATE graph_entitymention m SET named_id = t.id"
        " FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS t(id, key, sense)"
        " WHERE m.datasource_id = %s AND m.key = t.key AND m.sense = t.sense AND m.live"
        " AND m.named_id IS DISTINCT FROM t.id",
        list(ids.values()), [key for key, _ in ids], [sense for _, sense in ids], datasource_id,
    )  # fmt: skip


# --- entities --------------------------------------------------------------------------------------------
def _refs(decision: Decision) -> list[Ref]:
    refs = [(decision.key, decision.sense)]
    if decision.kind in {DecisionKind.MERGE, DecisionKind.APART}:
        refs.append((decision.other_key, decision.other_sense))
    return refs


def _ids_of(datasource_id: int, refs: Iterable[Ref]) -> list[int]:
    wanted = set(refs)
    found = rows(
        "SELECT id, key, sense FROM graph_entityname WHERE datasource_id = %s AND key = ANY(%s)",
        datasource_id, sorted({key for key, _ in wanted}),
    )  # fmt: skip
    return [pk for pk, key, sense in found if (key, sense) in wanted]


def _blocks_of(ids: Iterable[int], sure: bool = False) -> list[int]:
    """The signatures of these names, or the sure ones alone.

    Asked for by themselves: a planner that believes the table empty would join it with itself by rows.
    """
    found = rows(
        "SELECT DISTINCT block FROM graph_nameblock WHERE name_id = ANY(%s) AND (sure OR NOT %s)",
        list(ids), sure,
    )  # fmt: skip
    return [block for (block,) in found]


def _neighbours(ids: Sequence[int]) -> set[int]:
    """Names that share a sure signature with these."""
    return {
        pk
        for (pk,) in rows(
            "SELECT DISTINCT name_id FROM graph_nameblock WHERE block = ANY(%s)",
            _blocks_of(ids, sure=True),
        )
    }


def _assign(datasource_id: int, fresh: set[int], changes: Changes) -> None:
    """Cluster the fresh names with all that they are connected to, and write whose name each is."""
    names: dict[int, Name] = {}
    pairs: dict[tuple[Ref, Ref], float] = {}
    decisions: set[Decision] = set()
    open_: set[Ref] = set()
    seen: set[int] = set()
    frontier = set(fresh)
    while frontier:
        seen |= frontier
        alike = _look_alikes(frontier, names)
        open_ |= {ref for pair, value in alike.items() if is_open(value) for ref in pair}
        near = weigh(datasource_id, names, alike)
        pairs |= near
        sure = {ref for pair, value in near.items() if value >= SURE for ref in pair}
        linked = _decided(datasource_id, {names[pk].ref for pk in frontier if pk in names})
        decisions |= linked
        sure |= {ref for d in linked if d.kind == DecisionKind.MERGE for ref in _refs(d)}
        frontier = set(_ids_of(datasource_id, sure)) - seen
    known = {pk: names[pk] for pk in seen if pk in names}
    pairs = contest(names.values(), pairs)
    merged, apart = _of_kind(decisions, DecisionKind.MERGE), _of_kind(decisions, DecisionKind.APART)
    groups = cluster([name.ref for name in known.values()], pairs, merged, apart)
    _write_assignment(datasource_id, known, groups, changes)
    _write_weighed(seen, {pk for pk, name in names.items() if name.ref in open_})
    _write_candidates(datasource_id, seen, names, pairs, set(map(frozenset, apart)))


def _of_kind(decisions: Iterable[Decision], kind: str) -> list[tuple[Ref, Ref]]:
    return [(refs[0], refs[1]) for d in decisions if d.kind == kind for refs in [_refs(d)]]


def _look_alikes(frontier: set[int], names: dict[int, Name]) -> dict[tuple[Ref, Ref], float]:
    """The scores of likely pairs of a frontier name and any other; the names met are added to `names`."""
    grouped = rows(
        "SELECT array_agg(name_id), array_agg(name_id) FILTER (WHERE sure) FROM graph_nameblock"
        " WHERE block = ANY(%s) GROUP BY block HAVING count(*) > 1",
        _blocks_of(frontier),
    )
    likely: set[tuple[int, int]] = set()
    for block, sure in grouped:
        ids = set(block)
        heads = ids if len(ids) <= WIDE_BLOCK else set(sure or ())
        for one in ids & frontier:
            others = ids if one in heads else heads
            likely |= {(min(one, two), max(one, two)) for two in others if two != one}
    _load(frontier.union(*likely) - set(names), names)
    found: dict[tuple[Ref, Ref], float] = {}
    for one, two in likely:
        value = score(names[one], names[two])
        if value >= MAYBE:
            a, b = sorted((names[one].ref, names[two].ref))
            found[a, b] = value
    return found


def _load(ids: set[int], names: dict[int, Name]) -> None:
    for pk, key, sense, types in rows(
        "SELECT id, key, sense, types FROM graph_entityname WHERE id = ANY(%s)", list(ids)
    ):
        names[pk] = Name(key=key, sense=sense, types=tuple(types))


def _decided(datasource_id: int, refs: set[Ref]) -> set[Decision]:
    """Merges and separations that these names take part in, through names not seen yet as well."""
    found: set[Decision] = set()
    asked: set[str] = set()
    keys = {key for key, _ in refs}
    while keys - asked:
        fresh, asked = sorted(keys - asked), asked | keys
        found |= {
            decision
            for decision in Decision.objects.about(datasource_id, fresh)
            if decision.kind in (DecisionKind.MERGE, DecisionKind.APART)
        }
        keys = {key for d in found for key, _ in _refs(d)}
    return found


def _write_assignment(
    datasource_id: int, names: dict[int, Name], groups: Sequence[frozenset[Ref]], changes: Changes
) -> None:
    """One entity a group, known by its first name; names that changed hands are reported with both hands."""
    ids = {name.ref: pk for pk, name in names.items()}
    heads = {ref: min(group) for group in groups for ref in group}
    first = sorted(set(heads.values()))
    rows(
        "INSERT INTO graph_entity (datasource_id, key, sense, name, types, description, mention_count,"
        " document_count, hidden, vector_due)"
        " SELECT %s, t.key, t.sense, '', '{}', '', 0, 0, false, true"
        " FROM unnest(%s::text[], %s::text[]) AS t(key, sense) ON CONFLICT DO NOTHING",
        datasource_id, [key for key, _ in first], [sense for _, sense in first],
    )  # fmt: skip
    entity = {
        (key, sense): pk
        for pk, key, sense in rows(
            "SELECT id, key, sense FROM graph_entity WHERE datasource_id = %s AND key = ANY(%s)",
            datasource_id,
            [key for key, _ in first],
        )
    }
    held = dict(rows("SELECT id, entity_id FROM graph_entityname WHERE id = ANY(%s)", list(names)))
    moves = {ids[ref]: entity[head] for ref, head in heads.items() if held[ids[ref]] != entity[head]}
    rows(
        "UPDATE graph_entityname n SET entity_id = t.entity FROM unnest(%s::bigint[], %s::bigint[])"
        " AS t(id, entity) WHERE n.id = t.id",
        list(moves), list(moves.values()),
    )  # fmt: skip
    changes.entities |= set(moves.values()) | {entity[head] for head in first}
    left = {held[pk] for pk in moves if held[pk]}
    changes.moved |= left
    changes.moved |= {moves[pk] for pk in moves if held[pk]}


def _write_weighed(seen: set[int], weighed: set[int]) -> None:
    """Mark the names whose mentions bear on what they are one with."""
    rows(
        "UPDATE graph_entityname SET weighed = (id = ANY(%s)) WHERE id = ANY(%s)"
        " AND weighed <> (id = ANY(%s))",
        list(weighed), list(seen | weighed), list(weighed),
    )  # fmt: skip


def _write_candidates(
    datasource_id: int,
    fresh: set[int],
    names: dict[int, Name],
    pairs: dict[tuple[Ref, Ref], float],
    apart: set[frozenset[Ref]],
) -> None:
    """Possible pairs of the fresh names, for a person to decide."""
    rows("DELETE FROM graph_mergecandidate WHERE a_id = ANY(%s) OR b_id = ANY(%s)", *[list(fresh)] * 2)
    ids = {name.ref: pk for pk, name in names.items()}
    open_pairs = [
        (ids[a], ids[b], value)
        for (a, b), value in pairs.items()
        if MAYBE <= value < SURE and frozenset((a, b)) not in apart and (ids[a] in fresh or ids[b] in fresh)
    ]
    MergeCandidate.objects.bulk_create(
        [
            MergeCandidate(datasource_id=datasource_id, a_id=a, b_id=b, score=value)
            for a, b, value in open_pairs
        ],
        batch_size=1000,
    )
