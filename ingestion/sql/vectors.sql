-- The vectors of chunks.

-- :name vectors_of_texts
SELECT given.place, halfvec_send(known.vector)
FROM unnest(%(texts)s::text[]) WITH ORDINALITY AS given (text, place)
CROSS JOIN LATERAL (
    SELECT made.vector
    FROM ingestion_chunk chunk
    JOIN ingestion_chunkembedding made ON made.chunk_id = chunk.id AND made.space_id = %(space)s
    WHERE chunk.datasource_id = %(datasource)s AND md5(chunk.text)::uuid = md5(given.text)::uuid
        AND chunk.text = given.text
    LIMIT 1
) known
