-- :name state_of_documents
-- A number that changes with every document that is added, read again, renamed, replaced or deleted.
SELECT count(*), coalesce(sum(hashtextextended(concat_ws('|',
    id, sha256, title, version, chunk_count, pages_without_text, pages_unreadable, ready_at, metadata), 0)), 0)::text
FROM datasources_document
WHERE datasource_id = %(datasource)s
  AND status = 'ready'
  AND (%(documents)s::bigint[] IS NULL OR id = ANY(%(documents)s::bigint[]))
