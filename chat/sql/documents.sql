-- :name state_of_documents
-- Numbers that change with every document that is added, read again, renamed, replaced or deleted, and with every
-- passage that is left out of searches.
SELECT count(*), coalesce(sum(hashtextextended(concat_ws('|',
    id, sha256, title, version, chunk_count, pages_without_text, pages_unreadable, ready_at, metadata), 0)), 0)::text,
    (
        SELECT coalesce(sum(hashtextextended(c.id::text, 0)), 0)::text FROM ingestion_chunk AS c
        WHERE c.datasource_id = %(datasource)s AND c.left_out
    )
FROM datasources_document
WHERE datasource_id = %(datasource)s
  AND status = 'ready'
  AND (%(documents)s::bigint[] IS NULL OR id = ANY(%(documents)s::bigint[]))
