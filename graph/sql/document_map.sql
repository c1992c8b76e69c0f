-- The map of documents.

-- :name average_chunk_vectors
INSERT INTO graph_documentnode (document_id, datasource_id, vector, "group")
SELECT c.document_id, min(c.datasource_id), avg(e.vector), ''
FROM ingestion_chunk c
JOIN ingestion_chunkembedding e ON e.chunk_id = c.id
JOIN ingestion_vectorspace s ON s.id = e.space_id AND s.status = 'current'
WHERE c.document_id = ANY(%(documents)s) AND s.datasource_id = %(datasource)s
GROUP BY c.document_id
ON CONFLICT (document_id) DO NOTHING

-- :name average_chunk_vectors_again
-- For another space; each keeps its place on the map until that is drawn again.
UPDATE graph_documentnode n
SET vector = mean.vector
FROM (
    SELECT c.document_id, avg(e.vector) AS vector
    FROM ingestion_chunk c
    JOIN ingestion_chunkembedding e ON e.chunk_id = c.id AND e.space_id = %(space)s
    WHERE c.document_id IN (SELECT document_id FROM graph_documentnode WHERE datasource_id = %(datasource)s)
    GROUP BY c.document_id
) mean
WHERE n.document_id = mean.document_id

-- :name entities_of_documents
-- All but dates, amounts, codes and references.
SELECT m.document_id, n.entity_id
FROM graph_entitymention m
JOIN graph_entityname n ON n.id = m.named_id
JOIN graph_entity e ON e.id = n.entity_id
WHERE m.document_id = ANY(%(documents)s) AND m.live
  AND NOT e.hidden AND NOT (e.types <@ %(values)s::varchar[] AND e.types <> '{}')
GROUP BY m.document_id, n.entity_id
