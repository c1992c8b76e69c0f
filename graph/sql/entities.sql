-- Entities: what mentions say of them, and writing that down.

-- :name best_statements
-- Of a thing that is named everywhere only the statements that its description and passages are made of leave
-- the database; `place` is the order of Statement.merit. The first few of a name nearly always tell, and
-- finding them takes half the time of putting all in order; `untold` says where they do not.
WITH said AS (
    SELECT n.entity_id, m.*, row_number() OVER (
        PARTITION BY n.entity_id
        ORDER BY m.description = '', NOT m.defines, m.length DESC, m.sha256 COLLATE "C", m.position,
                 m.said_end, m.description COLLATE "C", m.chunk_id
    ) AS place
    FROM graph_entityname n
    CROSS JOIN LATERAL (
        SELECT m.document_id, d.sha256, m.position, m.chunk_id, m.description, m.said_start, m.said_end,
               m.defines,
               CASE WHEN m.description <> '' THEN char_length(m.description)
                    ELSE least(m.said_end - m.said_start, %(longest)s) END AS length
        FROM graph_entitymention m
        JOIN datasources_document d ON d.id = m.document_id
        WHERE m.named_id = n.id AND m.live
        ORDER BY m.description = '', NOT m.defines, length DESC, d.sha256 COLLATE "C", m.position, m.said_end,
                 m.description COLLATE "C", m.chunk_id
        LIMIT %(first)s
    ) AS m
    WHERE n.entity_id = ANY(%(entities)s)
),
-- :include best_of_said

-- :name best_of_said
-- Of the statements `said`, whose `place` is their order.
firsts AS (
    SELECT *,
           row_number() OVER (PARTITION BY entity_id, chunk_id ORDER BY place) = 1 AS of_chunk,
           description <> ''
               AND row_number() OVER (PARTITION BY entity_id, description ORDER BY place) = 1 AS of_words
    FROM said
    WHERE place <= coalesce(%(first)s, place)
),
counted AS (
    SELECT *,
           count(*) FILTER (WHERE of_chunk) OVER so_far AS chunks,
           count(*) FILTER (WHERE of_words) OVER so_far AS words
    FROM firsts
    WINDOW so_far AS (PARTITION BY entity_id ORDER BY place)
),
judged AS (
    SELECT *,
           count(*) OVER whole = %(first)s
               AND (
                   max(chunks) OVER whole < %(passages)s
                   OR bool_and(description <> '') OVER whole AND max(words) OVER whole < %(statements)s
               ) AS untold
    FROM counted
    WINDOW whole AS (PARTITION BY entity_id)
)
SELECT entity_id, coalesce(untold, false),
       document_id, sha256, position, chunk_id, description, said_start, said_end, defines
FROM judged
WHERE (of_chunk AND chunks <= %(passages)s) OR (of_words AND words <= %(statements)s)
ORDER BY entity_id, place

-- :name best_statements_of_frequent
-- The same of frequent entities, from the chunks that said most about them and from changed documents.
-- OFFSET 0 keeps the planner from reading all of their mentions.
WITH said AS (
    SELECT n.entity_id, m.document_id, d.sha256, m.position, m.chunk_id, m.description, m.said_start, m.said_end,
           m.defines, row_number() OVER (
        PARTITION BY n.entity_id
        ORDER BY m.description = '', NOT m.defines, m.length DESC, d.sha256 COLLATE "C", m.position,
                 m.said_end, m.description COLLATE "C", m.chunk_id
    ) AS place
    FROM (
        SELECT *,
               CASE WHEN description <> '' THEN char_length(description)
                    ELSE least(said_end - said_start, %(longest)s) END AS length
        FROM graph_entitymention
        WHERE live AND (chunk_id = ANY(%(chunks)s) OR document_id = ANY(%(documents)s))
        OFFSET 0
    ) AS m
    JOIN graph_entityname n ON n.id = m.named_id AND n.entity_id = ANY(%(entities)s)
    JOIN datasources_document d ON d.id = m.document_id
),
-- :include best_of_said

-- :name mention_counts
-- Overlapping chunks repeat a mention: a position in a document counts once.
SELECT entity_id, count(*), count(DISTINCT document_id)
FROM (
    SELECT DISTINCT n.entity_id, m.document_id, m.position
    FROM graph_entityname n
    JOIN graph_entitymention m ON m.named_id = n.id
    WHERE n.entity_id = ANY(%(entities)s) AND m.live
) AS positions
GROUP BY entity_id

-- :name decisions_of_entities
SELECT n.entity_id, d.kind, d.name, d.types
FROM graph_entityname n
JOIN graph_decision d ON d.datasource_id = n.datasource_id AND d.key = n.key AND d.sense = n.sense
WHERE n.entity_id = ANY(%(entities)s) AND d.kind IN ('rename', 'retype', 'hide')
ORDER BY d.id

-- :name write_entities
-- A value (a date, an amount) has no vector, so whether an entity is one bears on its vector as its name does.
WITH folded AS (
    SELECT *
    FROM json_to_recordset(%(folded)s) AS f(
        id bigint, name text, types text[], description text, passages bigint[], sources bigint[],
        mentions int, documents int, hidden boolean
    )
),
old AS (
    SELECT e.id, e.name, e.types::text[] <@ %(values)s::text[] AS is_value
    FROM graph_entity e
    JOIN folded f ON f.id = e.id
)
UPDATE graph_entity e
SET name = f.name, types = f.types, description = f.description, passages = f.passages, sources = f.sources,
    mention_count = f.mentions, document_count = f.documents, hidden = f.hidden,
    vector_due = e.vector_due
        OR (e.name, e.passages, old.is_value)
           IS DISTINCT FROM (f.name, f.passages, f.types <@ %(values)s::text[])
FROM folded f
JOIN old ON old.id = f.id
WHERE e.id = f.id
  AND (e.name, e.types::text[], e.description, e.passages, e.sources, e.mention_count, e.document_count, e.hidden)
      IS DISTINCT FROM
      (f.name, f.types, f.description, f.passages, f.sources, f.mentions, f.documents, f.hidden)
RETURNING e.id, (old.name, old.is_value) <> (e.name, e.types::text[] <@ %(values)s::text[])

-- :name relations_lose_vectors
UPDATE graph_relation
SET vector_due = true
WHERE NOT vector_due AND (source_id = ANY(%(entities)s) OR target_id = ANY(%(entities)s))
