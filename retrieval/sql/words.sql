-- Searches by words. Hashes of terms differ from datasource to datasource, so an index on terms alone is narrow;
-- but hashes may meet, by chance or by design, so each statement names its datasource as well.

-- :name term_counts
SELECT term, count FROM ingestion_termcount WHERE datasource_id = %(datasource)s AND term = ANY(%(terms)s)

-- :name term_counts_in_documents
SELECT term, count(*)
FROM ingestion_chunkterms, unnest(terms) AS term
WHERE datasource_id = %(datasource)s AND document_id = ANY(%(documents)s)
  AND terms && %(terms)s::int[] AND term = ANY(%(terms)s::int[])
GROUP BY term

-- :name words_like
SELECT word, term
FROM ingestion_word
WHERE datasource_id = %(datasource)s
  AND (
    length(word) BETWEEN %(shortest)s AND %(longest)s
    OR (%(begun)s <> '' AND starts_with(word, %(begun)s))
    OR (%(ended)s <> '' AND right(word, length(%(ended)s)) = %(ended)s)
  )

-- :name best_by_words
WITH matching AS MATERIALIZED (
    SELECT chunk_id, document_id, weights
    FROM ingestion_chunkterms
    WHERE terms && %(rarest)s::int[] AND datasource_id = %(datasource)s
)
SELECT chunk_id, document_id, score
FROM (SELECT chunk_id, document_id, -(weights <#> %(vector)s::sparsevec) AS score FROM matching) scored
WHERE score > 0
-- :include searched_passages
ORDER BY score DESC, chunk_id
LIMIT %(limit)s

-- :name best_by_words_of_all
SELECT chunk_id, document_id, score
FROM (
    SELECT chunk_id, document_id, -(weights <#> %(vector)s::sparsevec) AS score
    FROM ingestion_chunkterms
    WHERE datasource_id = %(datasource)s
) scored
WHERE score > 0
-- :include searched_passages
ORDER BY score DESC, chunk_id
LIMIT %(limit)s

-- :name best_by_words_in_documents
SELECT chunk_id, document_id, score
FROM (
    SELECT chunk_id, document_id, -(weights <#> %(vector)s::sparsevec) AS score
    FROM ingestion_chunkterms
    WHERE datasource_id = %(datasource)s AND document_id = ANY(%(documents)s)
) scored
WHERE score > 0
-- :include searched_passages
ORDER BY score DESC, chunk_id
LIMIT %(limit)s

-- :name searched_passages
-- Of chunks with their documents: those that a search may give.
  AND (%(documents)s::bigint[] IS NULL OR document_id = ANY(%(documents)s))
  AND document_id NOT IN (
-- :include documents_not_ready
  )
  AND chunk_id NOT IN (
-- :include left_out_chunks
  )

-- :name documents_called
WITH matching AS MATERIALIZED (
    SELECT document_id, weights
    FROM ingestion_documentterms
    WHERE terms && %(rarest)s::int[] AND datasource_id = %(datasource)s
)
SELECT document_id, score, d.chunk_count
FROM (SELECT document_id, -(weights <#> %(vector)s::sparsevec) AS score FROM matching) scored
JOIN datasources_document d ON d.id = document_id AND d.status = 'ready'
WHERE score > 0 AND (%(documents)s::bigint[] IS NULL OR document_id = ANY(%(documents)s))
ORDER BY score DESC, document_id
LIMIT %(limit)s

-- :name chunks_having
-- Chunks with most of some words, each given as the terms that it may be; one of each document in turn.
WITH matching AS MATERIALIZED (
    SELECT chunk_id, document_id, terms
    FROM ingestion_chunkterms
    WHERE terms && %(fewest)s::int[] AND datasource_id = %(datasource)s
),
met AS (
    SELECT chunk_id, document_id, (
        SELECT count(*)
        FROM generate_subscripts(%(groups)s::int[], 1) AS word
        WHERE terms && (%(groups)s::int[])[word:word]
    ) AS words
    FROM matching
    WHERE true
-- :include searched_passages
),
ordered AS (
    SELECT chunk_id, document_id, words,
           row_number() OVER (PARTITION BY document_id, words ORDER BY chunk_id) AS turn
    FROM met
    WHERE words >= %(least)s
    ORDER BY words DESC, turn, chunk_id
    LIMIT %(limit)s OFFSET %(offset)s
)
SELECT o.chunk_id, o.document_id, c.text
FROM ordered o
JOIN ingestion_chunk c ON c.id = o.chunk_id
ORDER BY o.words DESC, o.turn, o.chunk_id
