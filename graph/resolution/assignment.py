"""Which names are of which entity: names that changed are clustered with all that they are connected to."""

from collections.abc import Iterable, Mapping, Sequence

from graph.models import Decision, DecisionKind, MergeCandidate
from graph.resolution.blocking import blocks_of
from graph.resolution.changes import Changes
from graph.resolution.resolve import MAYBE, SURE, Name, Ref, cluster, score
from graph.resolution.scoring import Pair, contest, is_open, score_in_context
from graph.sql import query
from sql import rows

WIDE_BLOCK = 50  # names that share a wide block; more of them and it says nothing


def refs_of(decision: Decision) -> list[Ref]:
    """The one or two names that a decision is about."""
    refs = [(decision.key, decision.sense)]
    if decision.kind in {DecisionKind.MERGE, DecisionKind.APART}:
        refs.append((decision.other_key, decision.other_sense))
    return refs


def ids_of(datasource_id: int, refs: Iterable[Ref]) -> list[int]:
    """The ids of those of these names that are stored."""
    asked = set(refs)
    named = query("names_of_keys", datasource=datasource_id, keys=sorted({key for key, _ in asked}))
    return [pk for pk, key, sense, *_ in named if (key, sense) in asked]


def assign(datasource_id: int, fresh: set[int], changes: Changes) -> None:
    """Cluster the fresh names with all that they are connected to, and write whose name each is."""
    names: dict[int, Name] = {}
    pairs: dict[Pair, float] = {}
    decisions: set[Decision] = set()
    open_refs: set[Ref] = set()
    seen: set[int] = set()
    frontier = set(fresh)
    while frontier:
        seen |= frontier
        alike = _pairs_alike(frontier, names)
        open_refs |= {ref for pair, value in alike.items() if is_open(value) for ref in pair}
        scored = score_in_context(datasource_id, names, alike)
        pairs |= scored
        sure = {ref for pair, value in scored.items() if value >= SURE for ref in pair}
        linked = _decided(datasource_id, {names[pk].ref for pk in frontier if pk in names})
        decisions |= linked
        sure |= {ref for d in linked if d.kind == DecisionKind.MERGE for ref in refs_of(d)}
        frontier = set(ids_of(datasource_id, sure)) - seen
    known = {pk: names[pk] for pk in seen if pk in names}
    pairs = contest(names.values(), pairs)
    merged, apart = _of_kind(decisions, DecisionKind.MERGE), _of_kind(decisions, DecisionKind.APART)
    clusters = cluster([name.ref for name in known.values()], pairs, merged, apart)
    _write_assignment(datasource_id, known, clusters, changes)
    by_context = [pk for pk, name in names.items() if name.ref in open_refs]
    query("mark_names_by_context", by_context=by_context, names=list(seen.union(by_context)))
    _write_candidates(datasource_id, seen, names, pairs, set(map(frozenset, apart)))


def _of_kind(decisions: Iterable[Decision], kind: str) -> list[Pair]:
    return [(refs[0], refs[1]) for d in decisions if d.kind == kind for refs in [refs_of(d)]]


def _pairs_alike(frontier: set[int], names: dict[int, Name]) -> dict[Pair, float]:
    """The scores of likely pairs of a frontier name and any other; the names met are added to `names`."""
    likely: set[tuple[int, int]] = set()
    for block, sure in query("names_that_share_blocks", blocks=blocks_of(frontier)):
        ids = set(block)
        heads = ids if len(ids) <= WIDE_BLOCK else set(sure or ())
        for a in ids & frontier:
            others = ids if a in heads else heads
            likely |= {(min(a, b), max(a, b)) for b in others if a != b}
    for pk, key, sense, types in rows(
        "SELECT id, key, sense, types FROM graph_entityname WHERE id = ANY(%s)",
        list(frontier.union(*likely) - set(names)),
    ):
        names[pk] = Name.of((key, sense), types)
    alike: dict[Pair, float] = {}
    for a, b in likely:
        value = score(names[a], names[b])
        if value >= MAYBE:
            first, second = sorted((names[a].ref, names[b].ref))
            alike[first, second] = value
    return alike


def _decided(datasource_id: int, refs: set[Ref]) -> set[Decision]:
    """Merges and separations that these names take part in, through names not seen yet as well."""
    decisions: set[Decision] = set()
    asked: set[str] = set()
    keys = {key for key, _ in refs}
    while keys - asked:
        fresh, asked = sorted(keys - asked), asked | keys
        decisions |= {
            decision
            for decision in Decision.objects.about(datasource_id, fresh)
            if decision.kind in (DecisionKind.MERGE, DecisionKind.APART)
        }
        keys = {key for d in decisions for key, _ in refs_of(d)}
    return decisions


def _write_assignment(
    datasource_id: int, names: Mapping[int, Name], clusters: Sequence[frozenset[Ref]], changes: Changes
) -> None:
    """One entity a cluster, known by its first name; both entities of a name that moved are reported."""
    ids = {name.ref: pk for pk, name in names.items()}
    heads = {ref: min(group) for group in clusters for ref in group}
    first = sorted(set(heads.values()))
    keys = [key for key, _ in first]
    query("create_entities", datasource=datasource_id, keys=keys, senses=[sense for _, sense in first])
    entity = {
        (key, sense): pk for pk, key, sense in query("entities_by_key", datasource=datasource_id, keys=keys)
    }
    held = dict(rows("SELECT id, entity_id FROM graph_entityname WHERE id = ANY(%s)", list(names)))
    moves = {ids[ref]: entity[head] for ref, head in heads.items() if held[ids[ref]] != entity[head]}
    query("assign_names", names=list(moves), entities=list(moves.values()))
    changes.entities |= set(moves.values()) | {entity[head] for head in first}
    for name, new in moves.items():
        if held[name]:
            changes.moved |= {held[name], new}


def _write_candidates(
    datasource_id: int,
    fresh: set[int],
    names: Mapping[int, Name],
    pairs: Mapping[Pair, float],
    apart: set[frozenset[Ref]],
) -> None:
    """Possible pairs of the fresh names, for a person to decide."""
    rows("DELETE FROM graph_mergecandidate WHERE a_id = ANY(%s) OR b_id = ANY(%s)", *[list(fresh)] * 2)
    ids = {name.ref: pk for pk, name in names.items()}
    MergeCandidate.objects.bulk_create(
        [
            MergeCandidate(datasource_id=datasource_id, a_id=ids[a], b_id=ids[b], score=value)
            for (a, b), value in pairs.items()
            if is_open(value) and frozenset((a, b)) not in apart and not fresh.isdisjoint((ids[a], ids[b]))
        ],
        batch_size=1000,
    )
