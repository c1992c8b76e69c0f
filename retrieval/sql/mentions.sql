-- Passages with the exact words.

-- :name mentions_by_document
-- Neighbours overlap: what stands in both is counted in the second one. Last comes the first passage: its place
-- in the document, its number, its page.
SELECT d.id, d.title, count(*),
       sum(
           regexp_count(c.text, %(pattern)s, 1, 'i')
           - CASE WHEN n.start < c.end
               THEN regexp_count(right(c.text, c.end - n.start), %(pattern)s, 1, 'i') ELSE 0 END
       ),
       min(ARRAY[c.index, c.id, c.first_page])
FROM ingestion_chunk c
JOIN datasources_document d ON d.id = c.document_id AND d.status = 'ready'
JOIN datasources_datasource s ON s.id = c.datasource_id
LEFT JOIN ingestion_chunk n ON n.document_id = c.document_id AND n.index = c.index + 1 AND NOT n.left_out
WHERE c.datasource_id = ANY(%(datasources)s) AND NOT c.left_out
  AND (c.datasource_id = ANY(%(whole)s) OR c.document_id = ANY(%(documents)s))
  AND c.text ~* %(pattern)s
GROUP BY d.id, d.title, s.name
ORDER BY s.name, d.title, d.id

-- :name chunks_with_words
SELECT c.id
FROM ingestion_chunk c
JOIN datasources_document d ON d.id = c.document_id AND d.status = 'ready'
WHERE c.document_id = ANY(%(documents)s) AND NOT c.left_out AND c.text ~* %(pattern)s
ORDER BY array_position(%(documents)s::bigint[], c.document_id), c.index
LIMIT %(limit)s OFFSET %(offset)s
