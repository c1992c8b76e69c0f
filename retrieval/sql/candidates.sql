-- Passages that are weighed against each other: where they come from, and what each leg says of them.

-- :name compare_candidates
-- By words those that words have not looked at, and by meaning those that meaning has not.
SELECT chunk_id, document_id, -(weights <#> %(words)s::sparsevec), NULL
FROM ingestion_chunkterms
WHERE chunk_id = ANY(%(without_words)s)
UNION ALL
SELECT chunk_id, NULL, NULL, 1 - (vector <=> %(vector)s::halfvec)
FROM ingestion_chunkembedding
WHERE space_id = %(space)s AND chunk_id = ANY(%(without_cosine)s)

-- :name best_in_documents
-- Of a few documents, the passages that are best by meaning and words together.
SELECT chunk_id, document_id, cosine, words
FROM (
    SELECT t.chunk_id, t.document_id, 1 - (v.vector <=> %(vector)s::halfvec) AS cosine,
           -(t.weights <#> %(words)s::sparsevec) AS words
    FROM ingestion_chunkterms t
    JOIN ingestion_chunkembedding v ON v.chunk_id = t.chunk_id AND v.space_id = %(space)s
    JOIN ingestion_chunk c ON c.id = t.chunk_id AND NOT c.left_out
    WHERE t.document_id = ANY(%(inside)s)
) compared
ORDER BY %(alpha)s * cosine + %(beta)s * words DESC, chunk_id
LIMIT %(limit)s

-- :name chunks_of_documents
SELECT coalesce(sum(chunk_count), 0) FROM datasources_document WHERE id = ANY(%(documents)s)

-- :name passages_in_scope
-- Chunks first: where the planner takes the documents for few, it would look through the chunks of each.
WITH chosen AS MATERIALIZED (
    SELECT id, document_id, first_page, last_page, start, "end", text, index, kind, section
    FROM ingestion_chunk
    WHERE id = ANY(%(ids)s) AND datasource_id = %(datasource)s AND NOT left_out
      AND (%(documents)s::bigint[] IS NULL OR document_id = ANY(%(documents)s))
)
SELECT c.id, c.document_id, d.title, c.first_page, c.last_page, c.start, c."end", c.text, c.index, c.kind, c.section
FROM chosen c
JOIN datasources_document d ON d.id = c.document_id AND d.status = 'ready'
