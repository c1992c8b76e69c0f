-- What the texts of a scope have, and how its documents begin.

-- :name beginnings
SELECT left(string_agg(left(c.text, %(characters)s), E'\n' ORDER BY c.index), 2 * %(characters)s)
FROM ingestion_chunk c
JOIN datasources_document d ON d.id = c.document_id AND d.status = 'ready'
WHERE d.datasource_id = %(datasource)s
  AND (%(documents)s::bigint[] IS NULL OR d.id = ANY(%(documents)s))
  AND c.index < 10 AND NOT c.left_out
GROUP BY c.document_id

-- :name listed_words
SELECT DISTINCT word
FROM ingestion_word
WHERE datasource_id = %(datasource)s
  AND (
    left(word, 1) = ANY(%(initials)s::text[])
    OR word = ANY(%(others)s::text[])
    OR length(word) BETWEEN %(shortest)s AND %(longest)s
  )

-- :name texts_with_terms
SELECT c.text
FROM ingestion_chunkterms t
JOIN ingestion_chunk c ON c.id = t.chunk_id
WHERE t.datasource_id = %(datasource)s AND t.terms && %(terms)s::int[]
LIMIT %(limit)s

-- :name rows_of_tables
-- The rows of tables that are in each of the passages, in its order.
SELECT passage.chunk_id, cut.table_id, cut.start, cut."end", cut.kind, cut."group", cut.cells
FROM unnest(%(chunks)s::bigint[], %(documents)s::bigint[], %(starts)s::int[], %(ends)s::int[])
    AS passage (chunk_id, document_id, first, last)
JOIN ingestion_tablerow AS cut
    ON cut.document_id = passage.document_id AND cut.start < passage.last AND cut."end" > passage.first
ORDER BY passage.chunk_id, cut.start

-- :name tables_of_rows
SELECT id, start, heads, caption, unit FROM ingestion_table WHERE id = ANY(%(tables)s::bigint[])
