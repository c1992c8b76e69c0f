-- Relations: what mentions say of pairs of entities, and writing that down.

-- :name quotes_of_chunks
SELECT t.id, t.a, t.b, substr(c.text, t.a + 1, t.b - t.a)
FROM unnest(%(chunks)s::bigint[], %(starts)s::int[], %(ends)s::int[]) AS t(id, a, b)
JOIN ingestion_chunk c ON c.id = t.id

-- :name relations_of_pairs
SELECT r.id
FROM unnest(%(sources)s::bigint[], %(targets)s::bigint[]) AS p(a, b)
JOIN graph_relation r ON r.source_id = p.a AND r.target_id = p.b

-- :name statements_of_pairs
-- OFFSET 0 keeps the planner from reading all mentions, which it does when it knows little of them: the cost has
-- to follow the pairs.
SELECT p.s, p.t, m.*
FROM unnest(%(sources)s::bigint[], %(targets)s::bigint[]) AS p(s, t)
CROSS JOIN LATERAL (
    SELECT m.strength, m.keywords, m.document_id, m.position, m.chunk_id, m.description, m.said_start, m.said_end
    FROM graph_relationmention m
    WHERE m.source_id = p.s AND m.target_id = p.t AND m.live
    OFFSET 0
) AS m

-- :name write_relations
INSERT INTO graph_relation AS r (
    datasource_id, source_id, target_id, description, keywords, strength, mention_count, quoted, passages,
    vector_due
)
SELECT %(datasource)s, f.source, f.target, f.description, f.keywords, f.strength, f.mentions, f.quoted,
       f.passages, true
FROM json_to_recordset(%(folded)s) AS f(
    source bigint, target bigint, description text, keywords text[], strength float8, mentions int,
    quoted boolean, passages bigint[]
)
ON CONFLICT (source_id, target_id) DO UPDATE
SET description = excluded.description, keywords = excluded.keywords, strength = excluded.strength,
    mention_count = excluded.mention_count, quoted = excluded.quoted, passages = excluded.passages,
    vector_due = r.vector_due OR r.passages <> excluded.passages
WHERE (r.description, r.keywords, r.strength, r.mention_count, r.quoted, r.passages)
      IS DISTINCT FROM
      (excluded.description, excluded.keywords, excluded.strength, excluded.mention_count, excluded.quoted,
       excluded.passages)

-- :name decisions_about_relations
SELECT kind, key, sense, other_key, other_sense, name
FROM graph_decision
WHERE datasource_id = %(datasource)s AND kind IN ('dismiss', 'relate')
ORDER BY id

-- :name entities_of_refs
SELECT key, sense, entity_id
FROM graph_entityname
WHERE datasource_id = %(datasource)s AND key = ANY(%(keys)s) AND entity_id IS NOT NULL
