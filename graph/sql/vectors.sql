-- Vectors of entities and relations, put together from those of names and passages.

-- :name names_due
-- Values are found by key; their meaning says nothing.
SELECT e.id, e.name
FROM graph_entity e
WHERE e.datasource_id = %(datasource)s AND e.vector_due
  AND NOT (e.types <@ %(values)s::varchar[] AND e.types <> '{}')
  AND NOT EXISTS (SELECT 1 FROM graph_nameembedding n WHERE n.entity_id = e.id AND n.space_id = %(space)s)

-- :name first_names_due
-- :include names_due
ORDER BY e.id
LIMIT %(limit)s

-- :name names_still_due
-- :include names_due
  AND e.id = ANY(%(entities)s)

-- :name passages_of_due
SELECT due.id, l2_normalize(avg(c.vector)) AS vector
FROM due
CROSS JOIN unnest(due.passages) AS passage(id)
JOIN ingestion_chunkembedding c ON c.chunk_id = passage.id AND c.space_id = %(space)s
GROUP BY due.id

-- :name embed_entities
WITH due AS (
    SELECT e.id, e.passages, n.vector
    FROM graph_entity e
    LEFT JOIN graph_nameembedding n ON n.entity_id = e.id AND n.space_id = %(space)s
    WHERE e.id = ANY(%(ids)s)
),
gone AS (
    DELETE FROM graph_entityembedding
    WHERE entity_id IN (SELECT id FROM due WHERE vector IS NULL) AND space_id = %(space)s
),
parts AS (
    SELECT id, vector FROM due
    UNION ALL
    (
-- :include passages_of_due
    )
)
INSERT INTO graph_entityembedding (entity_id, space_id, vector)
SELECT id, %(space)s, l2_normalize(sum(parts.vector))
FROM parts
WHERE id IN (SELECT id FROM due WHERE vector IS NOT NULL)
GROUP BY id
ON CONFLICT (entity_id, space_id) DO UPDATE SET vector = excluded.vector

-- :name embed_relations
WITH due AS (
    SELECT id, source_id, target_id, passages FROM graph_relation WHERE id = ANY(%(ids)s)
),
parts AS (
    SELECT due.id, n.vector FROM due JOIN graph_nameembedding n ON n.entity_id = due.source_id AND n.space_id = %(space)s
    UNION ALL
    SELECT due.id, n.vector FROM due JOIN graph_nameembedding n ON n.entity_id = due.target_id AND n.space_id = %(space)s
    UNION ALL
    (
-- :include passages_of_due
    )
)
INSERT INTO graph_relationembedding (relation_id, space_id, vector)
SELECT id, %(space)s, l2_normalize(sum(vector))
FROM parts
GROUP BY id
ON CONFLICT (relation_id, space_id) DO UPDATE SET vector = excluded.vector
