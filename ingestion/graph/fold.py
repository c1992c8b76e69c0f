"""Entities and relations as folds over mentions, written by SQL for exactly those that changed."""

from collections.abc import Iterable

from ingestion.graph.link import rows

SAID = 3  # statements that make up a description
LONG = 300  # characters: a longer sentence describes no better

# A person's latest decision about any of an entity's names counts.
_DECISIONS = """
decided AS (
  SELECT DISTINCT ON (n.entity_id, d.kind) n.entity_id, d.kind, d.name, d.types
  FROM ingestion_entityname n JOIN ingestion_decision d
    ON d.datasource_id = n.datasource_id AND d.key = n.key AND d.sense = n.sense
  WHERE n.entity_id = ANY(%(ids)s) AND d.kind IN ('rename', 'retype', 'hide')
  ORDER BY n.entity_id, d.kind, d.id DESC)"""

_ENTITIES = f"""
WITH named AS (SELECT id, entity_id, name, count, types, key, sense FROM ingestion_entityname
               WHERE entity_id = ANY(%(ids)s)),
best AS (SELECT DISTINCT ON (entity_id) entity_id, name FROM named
         ORDER BY entity_id, count DESC, length(name) DESC, key, sense),
kinds AS (SELECT entity_id, array_agg(kind ORDER BY n DESC, kind) AS types
          FROM (SELECT entity_id, kind, sum(count) AS n, bool_or(kind <> 'NAME') OVER (PARTITION BY entity_id) AS told
                FROM named, unnest(types) AS kind GROUP BY entity_id, kind) AS k
          WHERE kind <> 'NAME' OR NOT told GROUP BY entity_id),
m AS (SELECT named.entity_id, m.document_id, m.position, m.chunk_id, m.defines, m.description, m.said_start, m.said_end
      FROM named JOIN ingestion_entitymention m ON m.named_id = named.id AND m.live),
counts AS (SELECT entity_id, count(DISTINCT (document_id, position)) AS mentions,
                  count(DISTINCT document_id) AS documents FROM m GROUP BY entity_id),
ranked AS (SELECT *, row_number() OVER (PARTITION BY entity_id ORDER BY m.description <> '' DESC, defines DESC,
             CASE WHEN m.description <> '' THEN length(m.description) ELSE least(said_end - said_start, {LONG}) END DESC,
             d.sha256, position, said_end) AS place
           FROM m JOIN datasources_document d ON d.id = m.document_id),
said AS (SELECT entity_id, description = '' AS quoted, place,
                CASE WHEN description <> '' THEN description ELSE
                  trim(regexp_replace(substr(c.text, said_start + 1, said_end - said_start), '\\s+', ' ', 'g')) END AS words
         FROM ranked JOIN ingestion_chunk c ON c.id = chunk_id WHERE place <= {4 * SAID}),
firsts AS (SELECT entity_id, words, min(place) AS place, bool_and(quoted) AS quoted FROM said GROUP BY entity_id, words),
told AS (SELECT entity_id, words, place, row_number() OVER (PARTITION BY entity_id ORDER BY place) AS rank, quoted
         FROM firsts),
description AS (SELECT entity_id, string_agg(words, ' ' ORDER BY place) AS words
                FROM told WHERE rank = 1 OR (rank <= {SAID} AND NOT quoted) GROUP BY entity_id),
{_DECISIONS},
folded AS (
  SELECT counts.entity_id AS id, coalesce(rename.name, best.name) AS name,
         coalesce(retype.types, kinds.types, '{{}}') AS types, coalesce(description.words, '') AS description,
         counts.mentions, counts.documents, hide.entity_id IS NOT NULL AS hidden
  FROM counts JOIN best USING (entity_id) LEFT JOIN kinds USING (entity_id) LEFT JOIN description USING (entity_id)
  LEFT JOIN decided rename ON rename.entity_id = counts.entity_id AND rename.kind = 'rename'
  LEFT JOIN decided retype ON retype.entity_id = counts.entity_id AND retype.kind = 'retype'
  LEFT JOIN decided hide ON hide.entity_id = counts.entity_id AND hide.kind = 'hide')
UPDATE ingestion_entity e SET name = f.name, types = f.types, description = f.description,
  mention_count = f.mentions, document_count = f.documents, hidden = f.hidden,
  vector_due = e.vector_due OR (e.name, e.description) IS DISTINCT FROM (f.name, f.description)
FROM folded f WHERE e.id = f.id AND (e.name, e.types, e.description, e.mention_count, e.document_count, e.hidden)
  IS DISTINCT FROM (f.name, f.types, f.description, f.mentions, f.documents, f.hidden)
RETURNING e.id
"""

# Relations whose endpoints moved are found by entity, those whose mentions changed by their names.
_PAIRS = """
SELECT DISTINCT s.entity_id, t.entity_id FROM ingestion_relationmention r
JOIN ingestion_entityname s ON s.id = r.source_id JOIN ingestion_entityname t ON t.id = r.target_id
WHERE r.live AND """
_RELATIONS = f"""
WITH pair AS (SELECT * FROM unnest(%(sources)s::bigint[], %(targets)s::bigint[]) AS p(source_id, target_id)),
m AS (SELECT pair.source_id, pair.target_id, r.* FROM pair
      JOIN LATERAL (SELECT r.description, r.said_start, r.said_end, r.chunk_id, r.document_id, r.position, r.strength,
                           r.keywords
                    FROM ingestion_entityname s JOIN ingestion_relationmention r ON r.source_id = s.id AND r.live
                    JOIN ingestion_entityname t ON t.id = r.target_id
                    WHERE s.entity_id = pair.source_id AND t.entity_id = pair.target_id) r ON true),
one AS (SELECT source_id, target_id, document_id, position, max(strength) AS strength FROM m GROUP BY 1, 2, 3, 4),
counts AS (SELECT source_id, target_id, sum(strength::numeric)::float8 AS strength, count(*) AS mentions
           FROM one GROUP BY 1, 2),
words AS (SELECT source_id, target_id, (array_agg(word ORDER BY n DESC, word))[:8] AS keywords
          FROM (SELECT source_id, target_id, word, count(*) AS n FROM m, unnest(keywords) AS word GROUP BY 1, 2, 3) AS w
          GROUP BY 1, 2),
ranked AS (SELECT m.*, row_number() OVER (PARTITION BY m.source_id, m.target_id ORDER BY m.description <> '' DESC,
             CASE WHEN m.description <> '' THEN length(m.description) ELSE least(said_end - said_start, {LONG}) END DESC,
             d.sha256, position, said_end) AS place
           FROM m JOIN datasources_document d ON d.id = m.document_id),
said AS (SELECT source_id, target_id, description = '' AS quoted, place,
                CASE WHEN description <> '' THEN description ELSE
                  trim(regexp_replace(substr(c.text, said_start + 1, said_end - said_start), '\\s+', ' ', 'g')) END AS words
         FROM ranked JOIN ingestion_chunk c ON c.id = chunk_id WHERE place <= {2 * SAID}),
firsts AS (SELECT source_id, target_id, words, min(place) AS place, bool_and(quoted) AS quoted
           FROM said GROUP BY 1, 2, 3),
told AS (SELECT *, row_number() OVER (PARTITION BY source_id, target_id ORDER BY place) AS rank FROM firsts),
description AS (SELECT source_id, target_id, string_agg(words, ' ' ORDER BY place) AS words, bool_and(quoted) AS quoted
                FROM told WHERE rank = 1 OR (rank <= {SAID} AND NOT quoted) GROUP BY 1, 2)
INSERT INTO ingestion_relation AS r (datasource_id, source_id, target_id, description, keywords, strength,
                                     mention_count, quoted, vector_due)
SELECT %(datasource)s, source_id, target_id, description.words, coalesce(words.keywords, '{{}}'), counts.strength,
       counts.mentions, description.quoted, true
FROM counts JOIN description USING (source_id, target_id) LEFT JOIN words USING (source_id, target_id)
ON CONFLICT (source_id, target_id) DO UPDATE SET description = excluded.description, keywords = excluded.keywords,
  strength = excluded.strength, mention_count = excluded.mention_count, quoted = excluded.quoted,
  vector_due = r.vector_due OR r.description <> excluded.description
WHERE (r.description, r.keywords, r.strength, r.mention_count, r.quoted) IS DISTINCT FROM
  (excluded.description, excluded.keywords, excluded.strength, excluded.mention_count, excluded.quoted)
"""

Pair = tuple[int, int]


def fold_entities(ids: Iterable[int]) -> None:
    """Rewrite these entities from their mentions; those left without a name go, with all that hangs on them."""
    wanted = sorted(ids)
    changed = rows_named(_ENTITIES, {"ids": wanted})
    rows(
        "UPDATE ingestion_relation SET vector_due = true WHERE NOT quoted AND (source_id = ANY(%s) OR target_id = ANY(%s))",
        *[[pk for (pk,) in changed]] * 2,
    )  # fmt: skip
    empty = [
        pk
        for (pk,) in rows(
            "SELECT e.id FROM ingestion_entity e WHERE e.id = ANY(%s)"
            " AND NOT EXISTS (SELECT FROM ingestion_entityname n WHERE n.entity_id = e.id)",
            wanted,
        )
    ]
    if empty:
        rows(
            "DELETE FROM ingestion_relationembedding v USING ingestion_relation r WHERE v.relation_id = r.id"
            " AND (r.source_id = ANY(%s) OR r.target_id = ANY(%s))", empty, empty,
        )  # fmt: skip
        rows("DELETE FROM ingestion_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)", empty, empty)
        rows("DELETE FROM ingestion_entityembedding WHERE entity_id = ANY(%s)", empty)
        rows("DELETE FROM ingestion_entity WHERE id = ANY(%s)", empty)


def rows_named(sql: str, values: dict[str, object]) -> list[tuple[int, ...]]:
    """The rows of a statement with named values."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


def pairs_of_documents(document_ids: Iterable[int]) -> set[Pair]:
    """The pairs of entities about which these documents say something."""
    found = rows(_PAIRS + "r.document_id = ANY(%s)", list(document_ids))
    return {(a, b) for a, b in found if a and b}


def pairs_of_entities(ids: Iterable[int]) -> set[Pair]:
    """The pairs that these entities are part of, as they are told by mentions and as they are stored."""
    wanted = list(ids)
    if not wanted:
        return set()
    told = rows(_PAIRS + "s.entity_id = ANY(%s)", wanted) + rows(_PAIRS + "t.entity_id = ANY(%s)", wanted)
    stored = rows(
        "SELECT source_id, target_id FROM ingestion_relation WHERE source_id = ANY(%s) OR target_id = ANY(%s)",
        wanted, wanted,
    )  # fmt: skip
    return {(a, b) for a, b in told + stored if a and b}


def fold_relations(datasource_id: int, pairs: Iterable[Pair]) -> None:
    """Rewrite the relations of these pairs of entities; those that nothing speaks of any more go."""
    kept = sorted({(a, b) for a, b in pairs if a != b})
    if not kept:
        return
    sources, targets = [a for a, _ in kept], [b for _, b in kept]
    rows_named(_RELATIONS, {"sources": sources, "targets": targets, "datasource": datasource_id})
    gone = rows(
        "SELECT r.id FROM ingestion_relation r JOIN unnest(%s::bigint[], %s::bigint[]) AS p(a, b)"
        " ON r.source_id = p.a AND r.target_id = p.b WHERE NOT EXISTS ("
        "  SELECT FROM ingestion_entityname s JOIN ingestion_relationmention m ON m.source_id = s.id AND m.live"
        "  JOIN ingestion_entityname t ON t.id = m.target_id WHERE s.entity_id = p.a AND t.entity_id = p.b)",
        sources, targets,
    )  # fmt: skip
    ids = [pk for (pk,) in gone]
    rows("DELETE FROM ingestion_relationembedding WHERE relation_id = ANY(%s)", ids)
    rows("DELETE FROM ingestion_relation WHERE id = ANY(%s)", ids)
