-- Homonyms: which mentions of one key mean another thing than the others.

-- :name mentions_written_alike
SELECT key, family, sense, name, types, count(*), count(*) FILTER (WHERE traits <> '{}')
FROM graph_entitymention
WHERE datasource_id = %(datasource)s AND live AND key = ANY(%(keys)s)
GROUP BY key, family, sense, name, types

-- :name mentions_written_alike_in_documents
SELECT key, family, sense, name, types, count(*), count(*) FILTER (WHERE traits <> '{}')
FROM graph_entitymention
WHERE document_id = ANY(%(documents)s) AND live AND (%(keys)s::text[] IS NULL OR key = ANY(%(keys)s::text[]))
GROUP BY key, family, sense, name, types

-- :name set_senses_by_family
UPDATE graph_entitymention m
SET sense = t.sense
FROM unnest(%(keys)s::text[], %(families)s::text[], %(senses)s::text[]) AS t(key, family, sense)
WHERE m.datasource_id = %(datasource)s AND m.live AND m.key = t.key AND m.family = t.family
  AND m.sense <> t.sense
RETURNING m.key

-- :name traits_by_document
SELECT m.key, m.family, d.sha256, d.id, m.traits
FROM graph_entitymention m
JOIN datasources_document d ON d.id = m.document_id
WHERE m.datasource_id = %(datasource)s AND m.live AND m.key = ANY(%(keys)s) AND m.traits <> '{}'

-- :name documents_without_label
SELECT DISTINCT document_id
FROM graph_entitymention
WHERE datasource_id = %(datasource)s AND live AND key = %(key)s AND family = ANY(%(families)s)
  AND NOT document_id = ANY(%(labelled)s)

-- :name chunks_around_key
SELECT DISTINCT m.document_id, c.text
FROM graph_entitymention m
JOIN ingestion_chunk c ON c.id = m.chunk_id
WHERE m.datasource_id = %(datasource)s AND m.live AND m.key = %(key)s AND m.document_id = ANY(%(documents)s)

-- :name set_senses_by_document
UPDATE graph_entitymention m
SET sense = t.sense
FROM unnest(%(keys)s::text[], %(families)s::text[], %(documents)s::bigint[], %(senses)s::text[])
    AS t(key, family, document, sense)
WHERE m.datasource_id = %(datasource)s AND m.live AND m.key = t.key AND m.family = t.family
  AND m.document_id = t.document AND m.sense <> t.sense
RETURNING m.key

-- :name split_sense
UPDATE graph_entitymention
SET sense = %(sense)s
WHERE datasource_id = %(datasource)s AND live AND key = %(key)s AND document_id = %(document)s
  AND sense <> %(sense)s
RETURNING 1
