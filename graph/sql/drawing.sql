-- The drawing of the graph: which entities it shows, where they stand, what ties them.

-- :name has_type
-- An entity without types is of the type OTHER; no types asked for: all.
(%(types)s::varchar[] IS NULL OR e.types && %(types)s OR (e.types = '{}' AND 'OTHER' = ANY(%(types)s)))

-- :name ranked_entities
-- The best linked first; amounts, dates and references after all others, as they tell little without these, and
-- so do names that are a common noun, as “Company”.
SELECT e.id
FROM graph_entity e
LEFT JOIN (
    SELECT id, count(*) AS ties
    FROM (
        SELECT source_id AS id FROM graph_relation WHERE datasource_id = %(datasource)s
        UNION ALL
        SELECT target_id FROM graph_relation WHERE datasource_id = %(datasource)s
    ) AS ends
    GROUP BY id
) AS tied ON tied.id = e.id
WHERE e.datasource_id = %(datasource)s AND NOT e.hidden AND
-- :include has_type
ORDER BY (e.types <> '{}' AND e.types <@ %(values)s::varchar[]), e.key = ANY(%(nouns)s), coalesce(tied.ties, 0) DESC, e.mention_count DESC,
    e.key, e.sense
LIMIT %(limit)s

-- :name forget_positions
DELETE FROM graph_entityposition p
USING graph_entity e
WHERE e.id = p.entity_id AND e.datasource_id = %(datasource)s AND NOT p.entity_id = ANY(%(drawn)s)

-- :name write_positions
-- An entity that is gone by now gets none.
INSERT INTO graph_entityposition (entity_id, x, y)
SELECT e.id, t.x, t.y
FROM unnest(%(entities)s::bigint[], %(x)s::float8[], %(y)s::float8[]) AS t(id, x, y)
JOIN graph_entity e ON e.id = t.id
ON CONFLICT (entity_id) DO UPDATE SET x = excluded.x, y = excluded.y

-- :name relations_between
SELECT source_id, target_id, strength
FROM graph_relation
WHERE source_id = ANY(%(entities)s) AND target_id = ANY(%(entities)s)
ORDER BY 1, 2

-- :name strongest_relations_between
SELECT source_id, target_id, keywords, strength, id
FROM graph_relation
WHERE source_id = ANY(%(entities)s) AND target_id = ANY(%(entities)s)
ORDER BY strength DESC, id
LIMIT %(limit)s

-- :name entities_of_document
SELECT e.id, count(DISTINCT m.position),
-- :include has_type
FROM graph_entitymention m
JOIN graph_entityname n ON n.id = m.named_id
JOIN graph_entity e ON e.id = n.entity_id
WHERE m.document_id = %(document)s AND m.datasource_id = %(datasource)s AND m.live AND NOT e.hidden
GROUP BY e.id
ORDER BY 2 DESC, e.mention_count DESC, e.key, e.sense

-- :name relations_of_document
-- With the first keyword of each mention that has one, and the datasource's relation of the same two.
SELECT s.entity_id, t.entity_id,
    coalesce(array_agg(m.keywords[1] ORDER BY m.position) FILTER (WHERE m.keywords <> '{}'), '{}'),
    sum(m.strength), min(r.id)
FROM graph_relationmention m
JOIN graph_entityname s ON s.id = m.source_id
JOIN graph_entityname t ON t.id = m.target_id
LEFT JOIN graph_relation r ON r.source_id = s.entity_id AND r.target_id = t.entity_id
WHERE m.document_id = %(document)s AND m.live
  AND s.entity_id = ANY(%(entities)s) AND t.entity_id = ANY(%(entities)s) AND s.entity_id <> t.entity_id
GROUP BY 1, 2
ORDER BY 4 DESC, 1, 2
LIMIT %(limit)s

-- :name neighbours_of_entity
SELECT e.id
FROM (
    SELECT target_id AS id, strength FROM graph_relation WHERE source_id = %(entity)s
    UNION ALL
    SELECT source_id, strength FROM graph_relation WHERE target_id = %(entity)s
) AS near
JOIN graph_entity e ON e.id = near.id
WHERE NOT e.hidden
GROUP BY e.id
ORDER BY sum(near.strength) DESC, e.id
LIMIT %(limit)s

-- :name count_types
SELECT kind, count(*)
FROM graph_entity e,
     unnest(CASE WHEN types = '{}' THEN '{OTHER}'::varchar[] ELSE types END) AS kind
WHERE datasource_id = %(datasource)s AND NOT hidden
  AND (
      %(document)s = 0
      OR e.id IN (
          SELECT n.entity_id
          FROM graph_entitymention m
          JOIN graph_entityname n ON n.id = m.named_id
          WHERE m.document_id = %(document)s AND m.live
      )
  )
GROUP BY kind
ORDER BY 2 DESC, 1

-- :name relation_mentions_of_entity
-- In reading order, each with the entities at both its ends.
SELECT m.id, s.entity_id, t.entity_id, m.keywords
FROM graph_relationmention m
JOIN graph_entityname s ON s.id = m.source_id
JOIN graph_entityname t ON t.id = m.target_id
WHERE m.live AND (s.entity_id = %(entity)s OR t.entity_id = %(entity)s)
ORDER BY m.document_id, m.position, m.id
