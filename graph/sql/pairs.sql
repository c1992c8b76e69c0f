-- Pairs of names that may mean one thing: what is said of them, and which are open.

-- :name verdicts_between
SELECT key, sense, other_key, other_sense, content, verdict
FROM graph_pairverdict
WHERE datasource_id = %(datasource)s AND key = ANY(%(keys)s) AND other_key = ANY(%(keys)s)
ORDER BY id

-- :name traits_of_names
SELECT named_id, traits
FROM graph_entitymention
WHERE named_id = ANY(%(names)s) AND live AND traits <> '{}'

-- :name chunks_of_names
SELECT DISTINCT named_id, chunk_id
FROM graph_entitymention
WHERE named_id = ANY(%(names)s) AND live

-- :name short_words_of_names
SELECT DISTINCT m.named_id, substr(c.text, m.start + 1, m."end" - m.start)
FROM graph_entitymention m
JOIN ingestion_chunk c ON c.id = m.chunk_id
WHERE m.named_id = ANY(%(names)s) AND m.live AND m."end" - m.start <= %(longest)s

-- :name first_texts_of_names
SELECT named_id,
       CASE WHEN description <> '' THEN description
            WHEN defines THEN text
            ELSE substr(text, said_start + 1, said_end - said_start) END
FROM (
    SELECT m.*, c.text, row_number() OVER (
        PARTITION BY m.named_id ORDER BY m.defines DESC, d.sha256, m.position, m.extractor, m.description
    ) AS place
    FROM graph_entitymention m
    JOIN ingestion_chunk c ON c.id = m.chunk_id
    JOIN datasources_document d ON d.id = m.document_id
    WHERE m.named_id = ANY(%(names)s) AND m.live
) AS said
WHERE place <= %(first)s

-- :name quotes_of_names
-- Statements that say what the thing is come first; the order does not depend on that of uploads.
SELECT named_id, document_id, said
FROM (
    SELECT m.named_id, m.document_id, q.said, row_number() OVER (
        PARTITION BY m.named_id
        ORDER BY m.traits = '{}', NOT m.defines, d.sha256, m.position, m.extractor, q.said
    ) AS place
    FROM graph_entitymention m
    JOIN ingestion_chunk c ON c.id = m.chunk_id
    JOIN datasources_document d ON d.id = m.document_id
    CROSS JOIN LATERAL (
        SELECT CASE WHEN m.description <> '' THEN m.description
                    ELSE substr(c.text, m.said_start + 1, m.said_end - m.said_start) END AS said
    ) AS q
    WHERE m.named_id = ANY(%(names)s) AND m.live
) AS quoted
WHERE place <= %(quotes)s
ORDER BY named_id, place

-- :name pairs_to_judge
SELECT c.a_id, c.b_id
FROM graph_mergecandidate c
JOIN graph_entityname a ON a.id = c.a_id
JOIN graph_entityname b ON b.id = c.b_id
WHERE c.datasource_id = %(datasource)s AND a.entity_id <> b.entity_id
ORDER BY c.score DESC, a.key, a.sense, b.key, b.sense

-- :name with_open_pairs
-- One question for two entities, however many of their names are alike. Nobody is asked about what is one
-- already, what is left out and what was decided.
WITH apart AS (
    SELECT least(n.entity_id, o.entity_id) AS x, greatest(n.entity_id, o.entity_id) AS y
    FROM graph_decision d
    JOIN graph_entityname n ON (n.datasource_id, n.key, n.sense) = (d.datasource_id, d.key, d.sense)
    JOIN graph_entityname o
        ON (o.datasource_id, o.key, o.sense) = (d.datasource_id, d.other_key, d.other_sense)
    WHERE d.datasource_id = %(datasource)s AND d.kind = 'apart'
),
open AS (
    SELECT DISTINCT ON (least(a.entity_id, b.entity_id), greatest(a.entity_id, b.entity_id))
        c.id, c.score, c.a_id AS a, c.b_id AS b
    FROM graph_mergecandidate c
    JOIN graph_entityname a ON a.id = c.a_id
    JOIN graph_entityname b ON b.id = c.b_id
    JOIN graph_entity e ON e.id = a.entity_id
    JOIN graph_entity f ON f.id = b.entity_id
    WHERE c.datasource_id = %(datasource)s AND e.id <> f.id AND NOT e.hidden AND NOT f.hidden
      AND (least(e.id, f.id), greatest(e.id, f.id)) NOT IN (SELECT x, y FROM apart)
    ORDER BY least(a.entity_id, b.entity_id), greatest(a.entity_id, b.entity_id), c.score DESC, c.a_id, c.b_id
)

-- :name count_open_pairs
-- :include with_open_pairs
SELECT count(*) FROM open

-- :name open_pairs
-- :include with_open_pairs
SELECT id FROM open

-- :name next_open_pair
-- :include with_open_pairs
SELECT score, a, b
FROM open
WHERE (-score, a, b) > (%(score)s, %(a)s, %(b)s)
ORDER BY score DESC, a, b
LIMIT 1
