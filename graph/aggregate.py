"""Entities and relations as folds over mentions: pure functions, between one read and one write."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graph.extraction.values import VALUES
from graph.models import DecisionKind
from graph.resolution.linking import rows

SAID = 3  # statements of models that make up a description; of the document's own sentences, one does
LONG = 300  # characters: a longer sentence describes no better
KEYWORDS = 8
PASSAGES = 3  # that make up a vector
FIRST = 6  # statements of a name among which these are looked for first

Pair = tuple[int, int]


class Statement(NamedTuple):
    """What a mention says, and where: `sha256` and `position` order statements whatever came in first."""

    document: int
    sha256: str
    position: int
    chunk: int
    description: str
    start: int
    end: int
    defines: bool = False
    strength: float = 1.0
    keywords: Sequence[str] = ()

    @property
    def merit(self) -> tuple[object, ...]:
        """Sort key: what describes a thing best comes first."""
        length = len(self.description) if self.description else min(self.end - self.start, LONG)
        return (not self.description, not self.defines, -length, self.sha256, self.position, self.end,
                self.description)  # fmt: skip


class Calling(NamedTuple):
    """One of an entity's names."""

    name: str
    places: int
    types: Sequence[str]
    key: str
    sense: str


def best_name(names: Sequence[Calling]) -> str:
    """The most frequent spelling, then the longest."""
    return min(names, key=lambda n: (-n.places, -len(n.name), n.key, n.sense)).name


def union_of_types(names: Sequence[Calling]) -> list[str]:
    """All types, the most frequent first; NAME says nothing beside others."""
    counts: Counter[str] = Counter()
    for name in names:
        for kind in name.types:
            counts[kind] += name.places
    types = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return [kind for kind in types if kind != "NAME"] or types


def chosen(statements: Iterable[Statement]) -> list[Statement]:
    """Those that make up the description: the best of models' distinct words, else one sentence."""
    ordered = sorted(statements, key=lambda s: s.merit)
    written = {s.description: s for s in reversed(ordered) if s.description}
    return sorted(written.values(), key=lambda s: s.merit)[:SAID] if written else ordered[:1]


def best_passages(statements: Iterable[Statement]) -> list[int]:
    """The chunks that say most."""
    return list(dict.fromkeys(s.chunk for s in sorted(statements, key=lambda s: s.merit)))[:PASSAGES]


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


def _words(picked: Mapping[Any, Sequence[Statement]]) -> dict[Any, str]:
    """The descriptions; the sentences among them are cut out of their chunks in one read."""
    quoted = {(s.chunk, s.start, s.end) for group in picked.values() for s in group if not s.description}
    keys = sorted(quoted)
    texts = {
        (chunk, start, end): " ".join(text.split())
        for chunk, start, end, text in rows(
            "SELECT t.id, t.a, t.b, substr(c.text, t.a + 1, t.b - t.a)"
            " FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS t(id, a, b) JOIN ingestion_chunk c ON"
            " c.id = t.id",
            *[[k[i] for k in keys] for i in range(3)],
        )
    }
    return {
        one: " ".join(s.description or texts[s.chunk, s.start, s.end] for s in group)
        for one, group in picked.items()
    }


# --- entities --------------------------------------------------------------------------------------------
# Of a thing that is named everywhere only the statements that description and passages are made of leave the
# database; `place` is the order of Statement.merit. The first few of a name nearly always tell, and finding
# them takes half the time of putting all in order; `untold` says where they don't.
_BEST = """
WITH said AS (
  SELECT n.entity_id, m.*, row_number() OVER (PARTITION BY n.entity_id ORDER BY m.description = '',
    NOT m.defines, m.length DESC, m.sha256 COLLATE "C", m.position, m.said_end, m.description COLLATE "C",
    m.chunk_id) AS place
  FROM graph_entityname n CROSS JOIN LATERAL (
    SELECT m.document_id, d.sha256, m.position, m.chunk_id, m.description, m.said_start, m.said_end,
           m.defines, CASE WHEN m.description <> '' THEN char_length(m.description)
                      ELSE least(m.said_end - m.said_start, %s) END AS length
    FROM graph_entitymention m JOIN datasources_document d ON d.id = m.document_id
    WHERE m.named_id = n.id AND m.live
    ORDER BY m.description = '', NOT m.defines, length DESC, d.sha256 COLLATE "C", m.position, m.said_end,
             m.description COLLATE "C", m.chunk_id LIMIT %s) AS m
  WHERE n.entity_id = ANY(%s)),
firsts AS (
  SELECT *, row_number() OVER (PARTITION BY entity_id, chunk_id ORDER BY place) = 1 AS of_chunk,
         description <> ''
           AND row_number() OVER (PARTITION BY entity_id, description ORDER BY place) = 1 AS of_words
  FROM said WHERE place <= coalesce(%s, place)),
counted AS (
  SELECT *, count(*) FILTER (WHERE of_chunk) OVER so_far AS chunks,
         count(*) FILTER (WHERE of_words) OVER so_far AS words
  FROM firsts WINDOW so_far AS (PARTITION BY entity_id ORDER BY place)),
judged AS (
  SELECT *, count(*) OVER whole = %s AND (max(chunks) OVER whole < %s
              OR bool_and(description <> '') OVER whole AND max(words) OVER whole < %s) AS untold
  FROM counted WINDOW whole AS (PARTITION BY entity_id))
SELECT entity_id, coalesce(untold, false), document_id, sha256, position, chunk_id, description, said_start,
       said_end, defines
FROM judged WHERE (of_chunk AND chunks <= %s) OR (of_words AND words <= %s) ORDER BY entity_id, place
"""
_COUNTS = """
SELECT entity_id, count(*), count(DISTINCT document_id) FROM (
  SELECT DISTINCT n.entity_id, m.document_id, m.position FROM graph_entityname n
  JOIN graph_entitymention m ON m.named_id = n.id WHERE n.entity_id = ANY(%s) AND m.live) AS places
GROUP BY entity_id
"""


def fold_entities(ids: Iterable[int]) -> None:
    """Rewrite these entities from their mentions; those without a name go, with all that hangs on them."""
    wanted = sorted(ids)
    names: dict[int, list[Calling]] = defaultdict(list)
    for entity, *calling in rows(
        "SELECT entity_id, name, count, types, key, sense FROM graph_entityname WHERE entity_id = ANY(%s)",
        wanted,
    ):
        names[entity].append(Calling(*calling))
    statements = _best_of(wanted)
    counts = {entity: (mentions, documents) for entity, mentions, documents in rows(_COUNTS, wanted)}
    decided = _decided(wanted)
    words = _words({entity: chosen(said) for entity, said in statements.items()})
    _write_entities(
        {
            "id": entity,
            "name": decided.get((entity, DecisionKind.RENAME), (best_name(names[entity]), []))[0],
            "types": decided.get((entity, DecisionKind.RETYPE), ("", union_of_types(names[entity])))[1],
            "description": words[entity],
            "passages": best_passages(said),
            "mentions": counts[entity][0],
            "documents": counts[entity][1],
            "hidden": (entity, DecisionKind.HIDE) in decided,
        }
        for entity, said in statements.items()
    )
    _delete_entities([entity for entity in wanted if entity not in names])


def _best_of(ids: Sequence[int]) -> dict[int, list[Statement]]:
    """The statements that make up each entity's description and passages."""
    found: dict[int, list[Statement]] = defaultdict(list)
    wanted = set(ids)
    for first in (FIRST, None):
        said = rows(
            _BEST, LONG, first, sorted(wanted), first, first, PASSAGES, SAID, PASSAGES, SAID
        )  # fmt: skip
        wanted = {entity for entity, untold, *_ in said if untold}
        for entity, _, *statement in said:
            if entity not in wanted:
                found[entity].append(Statement(*statement))
        if not wanted:
            break
    return found


def _decided(ids: Sequence[int]) -> dict[tuple[int, str], tuple[str, list[str]]]:
    """People's latest decisions about any name of the entities."""
    return {
        (entity, kind): (name, types)
        for entity, kind, name, types in rows(
            "SELECT n.entity_id, d.kind, d.name, d.types FROM graph_entityname n JOIN"
            " graph_decision d"
            " ON d.datasource_id = n.datasource_id AND d.key = n.key AND d.sense = n.sense"
            " WHERE n.entity_id = ANY(%s) AND d.kind IN ('rename', 'retype', 'hide') ORDER BY d.id",
            ids,
        )
    }


def _write_entities(folded: Iterable[dict[str, Any]]) -> None:
    changed = rows(
        "WITH f AS (SELECT * FROM json_to_recordset(%s) AS f(id bigint, name text, types text[],"
        " description text, passages bigint[], mentions int, documents int, hidden boolean)),"
        " old AS (SELECT e.id, e.name, e.types::text[] <@ %s::text[] AS plain FROM graph_entity e"
        "  JOIN f ON f.id = e.id)"
        " UPDATE graph_entity e SET name = f.name, types = f.types, description = f.description,"
        "  passages = f.passages, mention_count = f.mentions, document_count = f.documents,"
        "  hidden = f.hidden,"
        "  vector_due = e.vector_due OR (e.name, e.passages, old.plain) IS DISTINCT FROM"
        "   (f.name, f.passages, f.types <@ %s::text[])"
        " FROM f JOIN old ON old.id = f.id WHERE e.id = f.id"
        "  AND (e.name, e.types::text[], e.description, e.passages, e.mention_count, e.document_count,"
        "   e.hidden) IS DISTINCT FROM"
        "   (f.name, f.types, f.description, f.passages, f.mentions, f.documents, f.hidden)"
        " RETURNING e.id, (old.name, old.plain) <> (e.name, e.types::text[] <@ %s::text[])",
        json.dumps(list(folded)), *[sorted(VALUES)] * 3,
    )  # fmt: skip
    renamed = [pk for pk, other in changed if other]
    rows("DELETE FROM graph_nameembedding WHERE entity_id = ANY(%s)", renamed)
    rows(
        "UPDATE graph_relation SET vector_due = true WHERE NOT vector_due"
        " AND (source_id = ANY(%s) OR target_id = ANY(%s))",
        renamed, renamed,
    )  # fmt: skip


def _delete_entities(ids: Sequence[int]) -> None:
    if not ids:
        return
    gone = [
        pk for (pk,) in rows(
            "SELECT id FROM graph_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)", ids, ids
        )
    ]  # fmt: skip
    _delete_relations(gone)
    for table in ("entityembedding", "nameembedding"):
        rows(f"DELETE FROM graph_{table} WHERE entity_id = ANY(%s)", ids)
    rows("DELETE FROM graph_entity WHERE id = ANY(%s)", ids)


# --- relations -------------------------------------------------------------------------------------------
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
    words = _words(picked)
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
    _delete_relations([pk for (pk,) in gone])


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


def _delete_relations(ids: Sequence[int]) -> None:
    rows("DELETE FROM graph_relationembedding WHERE relation_id = ANY(%s)", ids)
    rows("DELETE FROM graph_relation WHERE id = ANY(%s)", ids)
