"""Relations as folds over their mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graph.aggregate.statements import Statement, best_passages, chosen, descriptions
from graph.models import DecisionKind
from graph.sql import query
from sql import rows

KEYWORDS = 8

Pair = tuple[int, int]  # two entities, source and target


def strongest_by_position(statements: Iterable[Statement]) -> dict[tuple[int, int], float]:
    """The positions that say it, each with its greatest strength: overlapping chunks count once."""
    strengths: dict[tuple[int, int], float] = {}
    for s in statements:
        position = s.document, s.position
        strengths[position] = max(strengths.get(position, 0.0), s.strength)
    return strengths


def top_keywords(statements: Iterable[Statement]) -> list[str]:
    counts = Counter(word for s in statements for word in s.keywords)
    return sorted(counts, key=lambda word: (-counts[word], word))[:KEYWORDS]


# --- which pairs a change bears on -----------------------------------------------------------------------
def pairs_of_documents(document_ids: Iterable[int]) -> set[Pair]:
    """The pairs of entities about which these documents say something."""
    return _pairs_where("document_id = ANY(%s)", list(document_ids))


def pairs_of_entities(ids: Iterable[int]) -> set[Pair]:
    """The pairs that these entities are part of, as mentions tell them and as they are stored."""
    entities = list(ids)
    if not entities:
        return set()
    names = [pk for (pk,) in rows("SELECT id FROM graph_entityname WHERE entity_id = ANY(%s)", entities)]
    stored = rows(
        "SELECT source_id, target_id FROM graph_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)",
        entities,
        entities,
    )
    return {
        *_pairs_where("source_id = ANY(%s)", names),
        *_pairs_where("target_id = ANY(%s)", names),
        *((a, b) for a, b in stored),
    }


def _pairs_where(condition: str, *values: object) -> set[Pair]:
    """The pairs of entities of which such relation mentions tell.

    In two steps: a planner that believes the tables empty would join them row by row.
    """
    named = rows(
        f"SELECT DISTINCT source_id, target_id FROM graph_relationmention WHERE live AND {condition}",
        *values,
    )
    names = sorted({pk for pair in named for pk in pair if pk})
    entity = dict(rows("SELECT id, entity_id FROM graph_entityname WHERE id = ANY(%s)", names))
    pairs = {(entity.get(a), entity.get(b)) for a, b in named}
    return {(a, b) for a, b in pairs if a and b}


# --- the fold --------------------------------------------------------------------------------------------
def fold_relations(datasource_id: int, pairs: Iterable[Pair]) -> None:
    """Rewrite the relations of these pairs of entities; those that nothing speaks of any more go."""
    folded = sorted({(a, b) for a, b in pairs if a != b})
    if not folded:
        return
    decided = _decided(datasource_id, folded)
    statements = {
        pair: said for pair, said in _statements_of(folded).items() if not _is_dismissed(pair, said, decided)
    }
    picked = {pair: chosen(said) for pair, said in statements.items()}
    words = descriptions(picked)
    _write(
        datasource_id,
        [
            _row(pair, said, picked[pair], words[pair]) | decided.types.get(pair, {})
            for pair, said in statements.items()
        ],
    )
    silent = [pair for pair in folded if pair not in statements]
    gone = query("relations_of_pairs", sources=[a for a, _ in silent], targets=[b for _, b in silent])
    delete_relations([pk for (pk,) in gone])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What people decided about pairs: which are left out, and the keywords of others by their pair."""

    dismissed: set[Pair]
    types: dict[Pair, dict[str, list[str]]]


def _decided(datasource_id: int, pairs: Iterable[Pair]) -> Decided:
    """Those decisions that are about these pairs, as their names mean them now."""
    made = query("decisions_about_relations", datasource=datasource_id)
    entity: dict[tuple[str, str], int] = {}
    if made:
        ends = sorted({pk for pair in pairs for pk in pair})
        names = rows("SELECT key, sense, entity_id FROM graph_entityname WHERE entity_id = ANY(%s)", ends)
        entity = {(key, sense): pk for key, sense, pk in names}
    decided = Decided(dismissed=set(), types={})
    for kind, key, sense, other_key, other_sense, name in made:
        one, two = entity.get((key, sense)), entity.get((other_key, other_sense))
        if one is None or two is None:
            continue
        if kind == DecisionKind.DISMISS:
            decided.dismissed.add((one, two))
        else:
            decided.types[one, two] = {"keywords": [name]}
    return decided


def _is_dismissed(pair: Pair, said: Sequence[Statement], decided: Decided) -> bool:
    """Of two that are merely named together the order says nothing: the other one is dismissed as well."""
    mirror = (pair[1], pair[0])
    return pair in decided.dismissed or (mirror in decided.dismissed and not top_keywords(said))


def _row(
    pair: Pair, said: Sequence[Statement], picked: Sequence[Statement], description: str
) -> dict[str, Any]:
    strengths = strongest_by_position(said)
    return {
        "source": pair[0],
        "target": pair[1],
        "description": description,
        "keywords": top_keywords(said),
        "strength": round(sum(sorted(strengths.values())), 6),
        "mentions": len(strengths),
        "quoted": not picked[0].description,
        "passages": best_passages(said),
    }


def _statements_of(pairs: Sequence[Pair]) -> dict[Pair, list[Statement]]:
    """What mentions say of each pair that they speak of."""
    names: dict[int, list[int]] = defaultdict(list)
    for entity, name in rows(
        "SELECT entity_id, id FROM graph_entityname WHERE entity_id = ANY(%s)",
        sorted({pk for pair in pairs for pk in pair}),
    ):
        names[entity].append(name)
    pair_of = {(s, t): (a, b) for a, b in pairs for s in names[a] for t in names[b]}
    mentions = query("statements_of_pairs", sources=[s for s, _ in pair_of], targets=[t for _, t in pair_of])
    documents = list({document for _, _, _, _, document, *_ in mentions})
    sha256 = dict(rows("SELECT id, sha256 FROM datasources_document WHERE id = ANY(%s)", documents))
    statements: dict[Pair, list[Statement]] = defaultdict(list)
    for s, t, strength, keywords, document, *place in mentions:
        statement = Statement(document, sha256[document], *place)
        statements[pair_of[s, t]].append(statement._replace(strength=strength, keywords=keywords))
    return statements


def _write(datasource_id: int, folded: Sequence[dict[str, Any]]) -> None:
    query("write_relations", datasource=datasource_id, folded=json.dumps(folded))


def delete_relations(ids: Sequence[int]) -> None:
    """These relations and their vectors."""
    rows("DELETE FROM graph_relationembedding WHERE relation_id = ANY(%s)", ids)
    rows("DELETE FROM graph_relation WHERE id = ANY(%s)", ids)
