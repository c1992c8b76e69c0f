-- Passages that are weighed against each other: where they come from, and what each leg says of them.

-- :name nearest_in_meaning
SELECT v.chunk_id, c.document_id, 1 - (v.vector <=> %(vector)s::halfvec) AS cosine
FROM (
    SELECT chunk_id, vector
    FROM ingestion_chunkembedding
    WHERE datasource_id = %(datasource)s
      AND chunk_id NOT IN (
-- :include left_out_chunks
        UNION ALL
-- :include chunks_not_ready
      )
      AND (
        %(documents)s::bigint[] IS NULL
        OR chunk_id IN (SELECT id FROM ingestion_chunk WHERE document_id = ANY(%(documents)s))
      )
    ORDER BY vector <=> %(vector)s::halfvec, chunk_id
    LIMIT %(limit)s
) v
JOIN ingestion_chunk c ON c.id = v.chunk_id
ORDER BY cosine DESC, v.chunk_id

-- :name compare_candidates
SELECT t.chunk_id, t.document_id, 1 - (v.vector <=> %(vector)s::halfvec), -(t.weights <#> %(words)s::sparsevec)
FROM ingestion_chunkterms t
JOIN ingestion_chunkembedding v ON v.chunk_id = t.chunk_id
WHERE t.chunk_id = ANY(%(ids)s)

-- :name best_in_documents
-- Of a few documents, the passages that are best by meaning and words together.
SELECT chunk_id, document_id, cosine, words
FROM (
    SELECT t.chunk_id, t.document_id, 1 - (v.vector <=> %(vector)s::halfvec) AS cosine,
           -(t.weights <#> %(words)s::sparsevec) AS words
    FROM ingestion_chunkterms t
    JOIN ingestion_chunkembedding v ON v.chunk_id = t.chunk_id
    JOIN ingestion_chunk c ON c.id = t.chunk_id AND NOT c.left_out
    WHERE t.document_id = ANY(%(inside)s)
) compared
ORDER BY %(alpha)s * cosine + %(beta)s * words DESC, chunk_id
LIMIT %(limit)s

-- :name chunks_of_documents
SELECT coalesce(sum(chunk_count), 0) FROM datasources_document WHERE id = ANY(%(documents)s)
