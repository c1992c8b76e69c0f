"""Relations as folds over their mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from graph.aggregate.statements import Statement, best_passages, chosen, descriptions
from sql import rows

KEYWORDS = 8

Pair = tuple[int, int]


def places(statements: Iterable[Statement]) -> dict[tuple[int, int], float]:
    """The places in documents that say it, each with its greatest strength; overlapping chunks count once."""
    found: dict[tuple[int, int], float] = {}
    for s in statements:
        place = s.document, s.position
        found[place] = max(found.get(place, 0.0), s.strength)
    return found


def top_keywords(statements: Iterable[Statement]) -> list[str]:
    counts = Counter(word for s in statements for word in s.keywords)
    return sorted(counts, key=lambda word: (-counts[word], word))[:KEYWORDS]


# Relations whose endpoints moved are found by entity, those whose mentions changed by document.
def _told(condition: str, *values: object) -> set[Pair]:
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


def pairs_of_documents(document_ids: Iterable[int]) -> set[Pair]:
    """The pairs of entities about which these documents say something."""
    return _told("document_id = ANY(%s)", list(document_ids))


def pairs_of_entities(ids: Iterable[int]) -> set[Pair]:
    """The pairs that these entities are part of, as mentions tell them and as they are stored."""
    wanted = list(ids)
    if not wanted:
        return set()
    found = rows("SELECT id FROM graph_entityname WHERE entity_id = ANY(%s)", wanted)
    names = [name for (name,) in found]
    stored = rows(
        "SELECT source_id, target_id FROM graph_relation WHERE source_id = ANY(%s) OR target_id ="
        " ANY(%s)",
        wanted, wanted,
    )  # fmt: skip
    told = _told("source_id = ANY(%s)", names) | _told("target_id = ANY(%s)", names)
    return told | {(a, b) for a, b in stored if a and b}


def fold_relations(datasource_id: int, pairs: Iterable[Pair]) -> None:
    """Rewrite the relations of these pairs of entities; those that nothing speaks of any more go."""
    wanted = sorted({(a, b) for a, b in pairs if a != b})
    if not wanted:
        return
    statements = _said_of(wanted)
    picked = {pair: chosen(said) for pair, said in statements.items()}
    words = descriptions(picked)
    _write_relations(
        datasource_id,
        (
            {
                "source": pair[0], "target": pair[1], "description": words[pair],
                "keywords": top_keywords(said), "strength": round(sum(sorted(places(said).values())), 6),
                "mentions": len(places(said)), "quoted": not picked[pair][0].description,
                "passages": best_passages(said),
            }
            for pair, said in statements.items()
        ),
    )  # fmt: skip
    silent = [pair for pair in wanted if pair not in statements]
    gone = rows(
        "SELECT r.id FROM unnest(%s::bigint[], %s::bigint[]) AS p(a, b)"
        " JOIN graph_relation r ON r.source_id = p.a AND r.target_id = p.b",
        [a for a, _ in silent], [b for _, b in silent],
    )  # fmt: skip
    delete_relations([pk for (pk,) in gone])


def _said_of(pairs: Sequence[Pair]) -> dict[Pair, list[Statement]]:
    """What mentions say of each pair that they speak of."""
    names: dict[int, list[int]] = defaultdict(list)
    for entity, name in rows(
        "SELECT entity_id, id FROM graph_entityname WHERE entity_id = ANY(%s)",
        sorted({pk for pair in pairs for pk in pair}),
    ):
        names[entity].append(name)
    pair_of = {(s, t): (a, b) for a, b in pairs for s in names[a] for t in names[b]}
    # OFFSET 0 keeps the planner from reading all mentions, which it does when it knows little of them: the
    # cost has to follow the pairs.
    found = rows(
        "SELECT p.s, p.t, m.* FROM unnest(%s::bigint[], %s::bigint[]) AS p(s, t) CROSS JOIN LATERAL"
        " (SELECT m.strength, m.keywords, m.document_id, m.position, m.chunk_id, m.description,"
        "  m.said_start, m.said_end FROM graph_relationmention m"
        "  WHERE m.source_id = p.s AND m.target_id = p.t AND m.live OFFSET 0) AS m",
        [s for s, _ in pair_of], [t for _, t in pair_of],
    )  # fmt: skip
    sha256 = dict(
        rows(
            "SELECT id, sha256 FROM datasources_document WHERE id = ANY(%s)", list({row[4] for row in found})
        )
    )
    statements: dict[Pair, list[Statement]] = defaultdict(list)
    for s, t, strength, keywords, document, *place in found:
        said = Statement(document, sha256[document], *place)._replace(strength=strength, keywords=keywords)
        statements[pair_of[s, t]].append(said)
    return statements


def _write_relations(datasource_id: int, folded: Iterable[dict[str, Any]]) -> None:
    rows(
        "INSERT INTO graph_relation AS r (datasource_id, source_id, target_id, description,"
        "  keywords, strength, mention_count, quoted, passages, vector_due)"
        " SELECT %s, f.source, f.target, f.description, f.keywords, f.strength, f.mentions, f.quoted,"
        "  f.passages, true"
        " FROM json_to_recordset(%s) AS f(source bigint, target bigint, description text, keywords text[],"
        "  strength float8, mentions int, quoted boolean, passages bigint[])"
        " ON CONFLICT (source_id, target_id) DO UPDATE SET description = excluded.description,"
        "  keywords = excluded.keywords, strength = excluded.strength,"
        "  mention_count = excluded.mention_count, quoted = excluded.quoted, passages = excluded.passages,"
        "  vector_due = r.vector_due OR r.passages <> excluded.passages"
        " WHERE (r.description, r.keywords, r.strength, r.mention_count, r.quoted, r.passages)"
        "  IS DISTINCT FROM (excluded.description, excluded.keywords, excluded.strength,"
        "   excluded.mention_count, excluded.quoted, excluded.passages)",
        datasource_id, json.dumps(list(folded)),
    )  # fmt: skip


def delete_relations(ids: Sequence[int]) -> None:
    rows("DELETE FROM graph_relationembedding WHERE relation_id = ANY(%s)", ids)
    rows("DELETE FROM graph_relation WHERE id = ANY(%s)", ids)
