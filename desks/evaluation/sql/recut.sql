-- Chunks that one database session alone sees: temporary tables under the names of the tables that searches read.

-- :name recut_tables
-- A view that is made before them shows the table that all others see. Indexes of vectors are of real spaces alone.
CREATE TEMP VIEW recut_before AS SELECT * FROM ingestion_chunk;
CREATE TEMP VIEW recut_things AS SELECT * FROM graph_entitymention;
CREATE TEMP VIEW recut_relations AS SELECT * FROM graph_relationmention;
CREATE TEMP TABLE ingestion_chunk (LIKE ingestion_chunk INCLUDING ALL);
CREATE TEMP TABLE ingestion_chunkembedding (LIKE ingestion_chunkembedding INCLUDING DEFAULTS);
CREATE TEMP TABLE ingestion_chunkterms (LIKE ingestion_chunkterms INCLUDING ALL);
CREATE TEMP TABLE ingestion_documentterms (LIKE ingestion_documentterms INCLUDING ALL);
CREATE TEMP TABLE ingestion_termcount (LIKE ingestion_termcount INCLUDING ALL);
CREATE TEMP TABLE ingestion_word (LIKE ingestion_word INCLUDING ALL);
CREATE TEMP TABLE graph_entitymention (LIKE graph_entitymention INCLUDING ALL);
CREATE TEMP TABLE graph_relationmention (LIKE graph_relationmention INCLUDING ALL);
ALTER TABLE ingestion_chunkembedding ADD PRIMARY KEY (chunk_id, space_id);
-- Numbers that no real chunk has: a result names those of its passages.
ALTER TABLE ingestion_chunk ALTER COLUMN id RESTART WITH 1000000000000

-- :name recut_counts
INSERT INTO ingestion_termcount (datasource_id, term, count)
SELECT datasource_id, term, count(*)
FROM (
    SELECT datasource_id, unnest(terms) AS term FROM ingestion_chunkterms
    UNION ALL
    SELECT datasource_id, unnest(terms) FROM ingestion_documentterms
) told
GROUP BY datasource_id, term

-- :name recut_things
-- What a chunk names, in each chunk that has those words now.
INSERT INTO graph_entitymention
SELECT moved.*
FROM (
    SELECT *, row_number() OVER () AS number
    FROM (
        SELECT DISTINCT ON (c.id, m.key, b.start + m.start) m AS mention, b.start - c.start AS shift,
               c.id AS chunk, c."end" - c.start AS length
        FROM recut_things m
        JOIN recut_before b ON b.id = m.chunk_id
        JOIN ingestion_chunk c ON c.document_id = m.document_id
            AND c.start <= b.start + m.start AND c."end" >= b.start + m."end"
        WHERE m.datasource_id = %(datasource)s
        ORDER BY c.id, m.key, b.start + m.start, m.defines DESC, m.id
    ) once
) met
CROSS JOIN LATERAL jsonb_populate_record(met.mention, jsonb_build_object(
    'id', met.number, 'chunk_id', met.chunk,
    'start', (met.mention).start + met.shift, 'end', (met.mention)."end" + met.shift,
    'said_start', greatest(0, (met.mention).said_start + met.shift),
    'said_end', least(met.length, greatest(0, (met.mention).said_end + met.shift))
)) moved

-- :name recut_relations
-- What a chunk says of two things, in each chunk that has the beginning of it now.
INSERT INTO graph_relationmention
SELECT moved.*
FROM (
    SELECT *, row_number() OVER () AS number
    FROM (
        SELECT DISTINCT ON (c.id, m.source_key, m.target_key, m.position) m AS mention,
               b.start - c.start AS shift, c.id AS chunk, c."end" - c.start AS length
        FROM recut_relations m
        JOIN recut_before b ON b.id = m.chunk_id
        JOIN ingestion_chunk c ON c.document_id = m.document_id
            AND c.start <= b.start + m.said_start AND c."end" > b.start + m.said_start
        WHERE m.datasource_id = %(datasource)s
        ORDER BY c.id, m.source_key, m.target_key, m.position, m.id
    ) once
) met
CROSS JOIN LATERAL jsonb_populate_record(met.mention, jsonb_build_object(
    'id', met.number, 'chunk_id', met.chunk,
    'said_start', (met.mention).said_start + met.shift,
    'said_end', least(met.length, (met.mention).said_end + met.shift)
)) moved

-- :name recut_statistics
ANALYZE ingestion_chunk;
ANALYZE ingestion_chunkterms (chunk_id, document_id, terms);
ANALYZE ingestion_chunkembedding (chunk_id, space_id);
ANALYZE graph_entitymention;
ANALYZE graph_relationmention
