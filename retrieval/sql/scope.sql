-- Parts that several statements include.

-- :name left_out_chunks
-- Chunks that no search gives are few: keeping those out beats looking each chunk up.
SELECT id FROM ingestion_chunk WHERE datasource_id = %(datasource)s AND left_out

-- :name chunks_not_ready
SELECT c.id
FROM datasources_document d
JOIN ingestion_chunk c ON c.document_id = d.id
WHERE d.datasource_id = %(datasource)s AND d.status <> 'ready'

-- :name documents_not_ready
SELECT id FROM datasources_document WHERE datasource_id = %(datasource)s AND status <> 'ready'
