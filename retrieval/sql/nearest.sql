-- The chunks nearest to a vector. An index is of one space and of one expression, so both have to be written out;
-- without the cast no index fits and the scan is exact.

-- To find as much, a search has to hold more candidates the larger the index is: 200 up to 40,000 vectors,
-- 1,000 of a million. The setting lasts until the transaction ends.

-- :name hold_candidates
SELECT set_config('hnsw.ef_search', least(1000, greatest(200, round(sqrt(greatest(reltuples, 0)))))::text, true)
FROM pg_class
WHERE oid = to_regclass(%(index)s)

-- :name nearest_by_index
SELECT near.chunk_id, c.document_id, near.cosine
FROM (
    SELECT e.chunk_id, 1 - (e.vector::halfvec(%(dimensions)s) <=> %(vector)s::halfvec(%(dimensions)s)) AS cosine
    FROM ingestion_chunkembedding e
    WHERE e.space_id = %(space)s
-- :include in_scope
    ORDER BY e.vector::halfvec(%(dimensions)s) <=> %(vector)s::halfvec(%(dimensions)s)
    LIMIT %(limit)s
) near
JOIN ingestion_chunk c ON c.id = near.chunk_id

-- :name nearest_by_bits
SELECT near.chunk_id, c.document_id, 1 - near.distance
FROM (
    SELECT chunk_id, vector <=> %(vector)s::halfvec AS distance
    FROM (
        SELECT e.chunk_id, e.vector
        FROM ingestion_chunkembedding e
        WHERE e.space_id = %(space)s
-- :include in_scope
        ORDER BY
            binary_quantize(e.vector)::bit(%(dimensions)s)
            <~> binary_quantize(%(vector)s::halfvec)::bit(%(dimensions)s)
        LIMIT %(candidates)s
    ) by_bits
    ORDER BY distance
    LIMIT %(limit)s
) near
JOIN ingestion_chunk c ON c.id = near.chunk_id

-- :name nearest_in_all
SELECT near.chunk_id, c.document_id, 1 - near.distance
FROM (
    SELECT e.chunk_id, e.vector <=> %(vector)s::halfvec AS distance
    FROM ingestion_chunkembedding e
    WHERE e.space_id = %(space)s
-- :include in_scope
    ORDER BY distance, e.chunk_id
    LIMIT %(limit)s
) near
JOIN ingestion_chunk c ON c.id = near.chunk_id

-- :name nearest_in_some
SELECT e.chunk_id, c.document_id, 1 - (e.vector <=> %(vector)s::halfvec) AS cosine
FROM ingestion_chunk c
JOIN datasources_document d ON d.id = c.document_id
JOIN ingestion_chunkembedding e ON e.chunk_id = c.id AND e.space_id = %(space)s
WHERE c.datasource_id = %(datasource)s AND NOT c.left_out AND d.status = 'ready'
  AND (%(documents)s::bigint[] IS NULL OR c.document_id = ANY(%(documents)s))
  AND (%(chunks)s::bigint[] IS NULL OR c.id = ANY(%(chunks)s))
ORDER BY e.vector <=> %(vector)s::halfvec, e.chunk_id
LIMIT %(limit)s

-- :name in_scope
-- Chunks that no search gives are few: keeping those out beats looking each chunk up.
  AND e.chunk_id NOT IN (
-- :include left_out_chunks
    UNION ALL
-- :include chunks_not_ready
  )
  AND (
    %(documents)s::bigint[] IS NULL
    OR e.chunk_id IN (SELECT id FROM ingestion_chunk WHERE document_id = ANY(%(documents)s))
  )
