-- Grows a datasource: copies of its documents under new numbers, and made entities.

-- :name columns
SELECT string_agg(format('%%I', column_name), ', ' ORDER BY ordinal_position)
FROM information_schema.columns
WHERE table_name = %(table)s AND column_name <> ALL (%(without)s::text[])

-- :name number_copies
CREATE TEMP TABLE document_copy ON COMMIT DROP AS
SELECT d.id AS old, copy, nextval(pg_get_serial_sequence('datasources_document', 'id')) AS new
FROM datasources_document d, generate_series(2, %(copies)s) copy
WHERE d.datasource_id = %(datasource)s

-- :name number_chunks
CREATE TEMP TABLE chunk_copy ON COMMIT DROP AS
SELECT c.id AS old, d.new AS document, nextval(pg_get_serial_sequence('ingestion_chunk', 'id')) AS new
FROM document_copy d
JOIN ingestion_chunk c ON c.document_id = d.old

-- :name number_entities
UPDATE made SET
    entity = nextval(pg_get_serial_sequence('graph_entity', 'id')),
    named = nextval(pg_get_serial_sequence('graph_entityname', 'id'))

-- :name add_entities
INSERT INTO graph_entity (
    id, key, sense, name, types, description, mention_count, document_count, hidden, passages, sources, vector_due,
    datasource_id
) OVERRIDING SYSTEM VALUE
SELECT entity, key, '', name, ARRAY['ORGANIZATION'], '', %(mentions)s, %(mentions)s, false, '{}', '{}', false,
    %(datasource)s
FROM made

-- :name add_names
INSERT INTO graph_entityname (id, key, sense, name, types, count, by_context, datasource_id, entity_id)
OVERRIDING SYSTEM VALUE
SELECT named, key, '', name, ARRAY['ORGANIZATION'], %(mentions)s, false, %(datasource)s, entity
FROM made

-- :name add_mentions
INSERT INTO graph_entitymention (
    description, said_start, said_end, position, extractor, live, name, key, types, start, "end", defines, family,
    sense, traits, chunk_id, datasource_id, document_id, named_id
)
SELECT '', 0, 80, n, 'rules', true, name, key, ARRAY['ORGANIZATION'], 0, 10, false, '', '', '{}', c.id,
    %(datasource)s, c.document_id, named
FROM (SELECT *, row_number() OVER () AS place FROM made) made
CROSS JOIN generate_series(1, %(mentions)s) n
JOIN (
    SELECT id, document_id, row_number() OVER (ORDER BY id) AS place
    FROM ingestion_chunk
    WHERE datasource_id = %(datasource)s
) c ON c.place = 1 + (made.place * 7919 * n) %% %(chunks)s  -- a number, so that the two are joined by hash

-- :name add_words
INSERT INTO ingestion_word (word, term, datasource_id)
SELECT word, term, %(datasource)s FROM made_word
ON CONFLICT DO NOTHING
