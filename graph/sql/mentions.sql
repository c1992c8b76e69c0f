-- Mentions: which count, and of which names they are.

-- :name keys_of_documents
-- A document that is withdrawn already leaves nothing behind to fold.
SELECT DISTINCT key
FROM graph_entitymention
WHERE document_id = ANY(%(documents)s) AND live

-- :name documents_that_count
SELECT DISTINCT document_id
FROM graph_entitymention
WHERE document_id = ANY(%(documents)s) AND live

-- :name names_of_mentions
SELECT id, key, sense, named_id
FROM graph_entitymention
WHERE document_id = ANY(%(documents)s) AND live

-- :name mention_counts_in_documents
-- Overlapping chunks repeat a mention: a position in a document counts once.
SELECT entity_id, count(*), count(DISTINCT document_id)
FROM (
    SELECT DISTINCT n.entity_id, m.document_id, m.position
    FROM (
        SELECT named_id, document_id, position
        FROM graph_entitymention
        WHERE document_id = ANY(%(documents)s) AND live AND named_id IS NOT NULL
        OFFSET 0
    ) AS m
    JOIN graph_entityname n ON n.id = m.named_id AND n.entity_id IS NOT NULL
) AS positions
GROUP BY entity_id

-- :name publish_mentions
UPDATE graph_entitymention
SET live = true
WHERE document_id = ANY(%(documents)s) AND NOT live

-- :name names_of_documents_alone
-- The names that no mention outside these documents bears.
SELECT named_id
FROM (
    SELECT DISTINCT named_id
    FROM graph_entitymention
    WHERE document_id = ANY(%(documents)s) AND live AND named_id IS NOT NULL
) AS own
WHERE NOT EXISTS (
    SELECT 1
    FROM graph_entitymention o
    WHERE o.named_id = own.named_id AND o.live AND NOT o.document_id = ANY(%(documents)s)
)

-- :name withdraw_entity_mentions
UPDATE graph_entitymention
SET live = false,
    named_id = CASE WHEN named_id = ANY(%(names)s) THEN NULL ELSE named_id END
WHERE document_id = ANY(%(documents)s) AND live

-- :name withdraw_relation_mentions
UPDATE graph_relationmention
SET live = false,
    source_id = CASE WHEN source_id = ANY(%(names)s) THEN NULL ELSE source_id END,
    target_id = CASE WHEN target_id = ANY(%(names)s) THEN NULL ELSE target_id END
WHERE document_id = ANY(%(documents)s) AND live

-- :name names_in_chunks
SELECT DISTINCT ON (chunk_id, key) chunk_id, key, named_id
FROM graph_entitymention
WHERE document_id = ANY(%(documents)s) AND live
ORDER BY chunk_id, key, start, named_id

-- :name relation_mentions_of_documents
SELECT id, chunk_id, source_key, target_key
FROM graph_relationmention
WHERE document_id = ANY(%(documents)s) AND (live OR document_id = ANY(%(added)s))

-- :name point_relation_mentions
UPDATE graph_relationmention r
SET live = true, source_id = t.source, target_id = t.target
FROM unnest(%(ids)s::bigint[], %(sources)s::bigint[], %(targets)s::bigint[]) AS t(id, source, target)
WHERE r.id = t.id AND (NOT r.live OR (r.source_id, r.target_id) IS DISTINCT FROM (t.source, t.target))

-- :name forget_verdicts
DELETE FROM graph_pairverdict
WHERE datasource_id = %(datasource)s AND documents && %(documents)s::bigint[]

-- :name drop_name_blocks
DELETE FROM graph_nameblock b
USING graph_entityname n
WHERE b.name_id = n.id AND n.datasource_id = %(datasource)s

-- :name entities_of_keys
SELECT DISTINCT entity_id
FROM graph_entityname
WHERE datasource_id = %(datasource)s AND key = ANY(%(keys)s) AND entity_id IS NOT NULL

-- :name entities_per_document
-- A document has far more mentions than names: those are made few before anything is joined.
SELECT document_id, count(DISTINCT n.entity_id)
FROM (
    SELECT DISTINCT document_id, named_id
    FROM graph_entitymention
    WHERE document_id = ANY(%(documents)s) AND live
) AS said
JOIN graph_entityname n ON n.id = said.named_id AND n.entity_id IS NOT NULL
WHERE n.entity_id NOT IN (SELECT id FROM graph_entity WHERE hidden)
GROUP BY 1
