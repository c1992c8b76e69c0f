-- What graph expansion reads: passages with their cosines to the question, and the links between them.

-- :name passages
SELECT c.id, c.text, 1 - (v.vector <=> %(vector)s::halfvec)
FROM ingestion_chunk c
JOIN ingestion_chunkembedding v ON v.chunk_id = c.id AND v.space_id = %(space)s
JOIN datasources_document d ON d.id = c.document_id
WHERE c.id = ANY(%(ids)s) AND c.datasource_id = %(datasource)s AND NOT c.left_out AND d.status = 'ready'
  AND (%(documents)s::bigint[] IS NULL OR c.document_id = ANY(%(documents)s))

-- :name names_in_blocks
SELECT b.block, n.id, n.count
FROM graph_nameblock b
JOIN graph_entityname n ON n.id = b.name_id
JOIN graph_entity e ON e.id = n.entity_id
WHERE b.block = ANY(%(blocks)s) AND NOT e.hidden

-- :name passages_of_names
-- Where names are defined; of the rare ones, also where they are mentioned.
SELECT named_id, chunk_id, defines
FROM graph_entitymention
WHERE live AND (named_id = ANY(%(rare)s) OR (named_id = ANY(%(names)s) AND defines))

-- :name statements_in_passages
-- What some passages say of entities.
SELECT n.entity_id, n.id, m.chunk_id, m.description, m.said_start, m.said_end, e.name
FROM graph_entitymention m
JOIN graph_entityname n ON n.id = m.named_id
JOIN graph_entity e ON e.id = n.entity_id
WHERE m.chunk_id = ANY(%(chunks)s) AND m.live AND NOT e.hidden

-- :name statements_of_names
-- Where else those entities, or others of nearly their names, are told of.
WITH own AS (
    SELECT id, entity_id FROM graph_entityname WHERE id = ANY(%(names)s)
),
names AS (
    SELECT own.entity_id, n.id
    FROM own
    JOIN graph_entityname n ON n.entity_id = own.entity_id
    UNION
    SELECT own.entity_id, b.name_id
    FROM own
    JOIN graph_nameblock a ON a.name_id = own.id AND a.sure
    JOIN graph_nameblock b ON b.block = a.block AND b.sure AND b.name_id <> own.id
)
SELECT names.entity_id, m.defines, m.chunk_id, m.description, m.said_start, m.said_end
FROM names
JOIN graph_entityname n ON n.id = names.id
JOIN graph_entitymention m ON m.named_id = n.id
WHERE m.live AND (m.defines OR n.count <= %(common)s)
