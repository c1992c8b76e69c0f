-- Names: folded from mentions, compared by blocks, assigned to entities.

-- :name places_of_names
SELECT key, sense, count(*)
FROM (
    SELECT DISTINCT key, sense, document_id, position
    FROM graph_entitymention
    WHERE datasource_id = %(datasource)s AND live AND key = ANY(%(keys)s)
) AS positions
GROUP BY key, sense

-- :name places_in_documents
SELECT key, sense, count(*)
FROM (
    SELECT DISTINCT key, sense, document_id, position
    FROM graph_entitymention
    WHERE document_id = ANY(%(documents)s) AND live AND (%(keys)s::text[] IS NULL OR key = ANY(%(keys)s::text[]))
) AS positions
GROUP BY key, sense

-- :name names_of_keys
SELECT id, key, sense, types, entity_id, by_context, count, spellings
FROM graph_entityname
WHERE datasource_id = %(datasource)s AND key = ANY(%(keys)s)

-- :name names_of_same_entities_or_candidates
SELECT id FROM graph_entityname WHERE id = ANY(%(names)s) OR entity_id = ANY(%(entities)s)
UNION
SELECT a_id FROM graph_mergecandidate WHERE b_id = ANY(%(names)s)
UNION
SELECT b_id FROM graph_mergecandidate WHERE a_id = ANY(%(names)s)

-- :name write_names
INSERT INTO graph_entityname AS n (datasource_id, key, sense, name, count, types, spellings)
SELECT %(datasource)s, t.key, t.sense, t.name, t.count, t.types, t.spellings
FROM json_to_recordset(%(folded)s) AS t(
    key text, sense text, name text, count int, types text[], spellings jsonb
)
ON CONFLICT (datasource_id, key, sense) DO UPDATE
SET name = excluded.name, count = excluded.count, types = excluded.types, spellings = excluded.spellings
WHERE (n.name, n.count, n.types, n.spellings)
      IS DISTINCT FROM (excluded.name, excluded.count, excluded.types, excluded.spellings)

-- :name mentions_lose_names
UPDATE graph_entitymention
SET named_id = NULL
WHERE named_id = ANY(%(names)s)
RETURNING document_id

-- :name mentions_of_another_sense
SELECT DISTINCT m.document_id, o.entity_id
FROM graph_entitymention m
JOIN graph_entityname o ON o.id = m.named_id
WHERE m.datasource_id = %(datasource)s AND m.live AND m.key = ANY(%(keys)s) AND o.sense <> m.sense

-- :name point_mentions_of_keys
UPDATE graph_entitymention m
SET named_id = t.id
FROM unnest(%(ids)s::bigint[], %(keys)s::text[], %(senses)s::text[]) AS t(id, key, sense)
WHERE m.datasource_id = %(datasource)s AND m.key = t.key AND m.sense = t.sense AND m.live
  AND m.named_id IS DISTINCT FROM t.id

-- :name point_mentions
UPDATE graph_entitymention m
SET named_id = t.name
FROM unnest(%(ids)s::bigint[], %(names)s::bigint[]) AS t(id, name)
WHERE m.id = t.id

-- :name blocks_of_names
-- Asked for by themselves: a planner that believes the table empty would join it with itself by rows.
SELECT DISTINCT block
FROM graph_nameblock
WHERE name_id = ANY(%(names)s) AND (sure OR NOT %(sure)s)

-- :name names_that_share_blocks
SELECT array_agg(name_id), array_agg(name_id) FILTER (WHERE sure)
FROM graph_nameblock
WHERE block = ANY(%(blocks)s)
GROUP BY block
HAVING count(*) > 1

-- :name create_entities
INSERT INTO graph_entity (
    datasource_id, key, sense, name, types, description, mention_count, document_count, hidden, vector_due
)
SELECT %(datasource)s, t.key, t.sense, '', '{}', '', 0, 0, false, true
FROM unnest(%(keys)s::text[], %(senses)s::text[]) AS t(key, sense)
ON CONFLICT DO NOTHING

-- :name entities_by_key
SELECT id, key, sense
FROM graph_entity
WHERE datasource_id = %(datasource)s AND key = ANY(%(keys)s)

-- :name assign_names
UPDATE graph_entityname n
SET entity_id = t.entity
FROM unnest(%(names)s::bigint[], %(entities)s::bigint[]) AS t(id, entity)
WHERE n.id = t.id

-- :name mark_names_by_context
UPDATE graph_entityname
SET by_context = (id = ANY(%(by_context)s))
WHERE id = ANY(%(names)s) AND by_context <> (id = ANY(%(by_context)s))

-- :name decisions_about
SELECT *
FROM graph_decision
WHERE datasource_id = %(datasource)s AND (key = ANY(%(keys)s) OR other_key = ANY(%(keys)s))
ORDER BY id
