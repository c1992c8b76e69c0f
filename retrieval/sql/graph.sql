-- Entities and relations near a vector, with the chunks that prove them. `live` mentions are of ready documents only.

-- :name nearest_entities
SELECT e.id, e.name, e.types::text[], e.description, near.cosine, proof.chunks
FROM (
    SELECT entity_id, 1 - (vector <=> %(vector)s::halfvec) AS cosine
    FROM graph_entityembedding
    WHERE space_id = %(space)s
    ORDER BY vector <=> %(vector)s::halfvec
    LIMIT 4 * %(limit)s
) near
JOIN graph_entity e ON e.id = near.entity_id AND NOT e.hidden
CROSS JOIN LATERAL (
    SELECT array_agg(chunk_id) AS chunks
    FROM (
        SELECT m.chunk_id
        FROM graph_entityname n
        JOIN graph_entitymention m ON m.named_id = n.id
        WHERE n.entity_id = e.id
-- :include proven
        GROUP BY m.chunk_id
        ORDER BY bool_or(m.defines) DESC, min(m.document_id), min(m.position)
        LIMIT %(proofs)s
    ) best
) proof
WHERE proof.chunks IS NOT NULL
ORDER BY near.cosine DESC
LIMIT %(limit)s

-- :name nearest_relations
SELECT r.id, s.name, t.name, r.description, near.cosine, proof.chunks
FROM (
    SELECT relation_id, 1 - (vector <=> %(vector)s::halfvec) AS cosine
    FROM graph_relationembedding
    WHERE space_id = %(space)s
    ORDER BY vector <=> %(vector)s::halfvec
    LIMIT 4 * %(limit)s
) near
JOIN graph_relation r ON r.id = near.relation_id
JOIN graph_entity s ON s.id = r.source_id AND NOT s.hidden
JOIN graph_entity t ON t.id = r.target_id AND NOT t.hidden
CROSS JOIN LATERAL (
    SELECT array_agg(chunk_id) AS chunks
    FROM (
        SELECT m.chunk_id
        FROM graph_entityname a
        JOIN graph_entityname b ON b.entity_id = r.target_id
        JOIN graph_relationmention m ON m.source_id = a.id AND m.target_id = b.id
        WHERE a.entity_id = r.source_id
-- :include proven
        GROUP BY m.chunk_id
        ORDER BY max(m.strength) DESC, min(m.document_id), min(m.position)
        LIMIT %(proofs)s
    ) best
) proof
WHERE proof.chunks IS NOT NULL
ORDER BY near.cosine DESC
LIMIT %(limit)s

-- :name proven
-- Of mentions m: those in chunks that a search may give.
          AND m.live
          AND m.chunk_id NOT IN (
-- :include left_out_chunks
          )
          AND (%(documents)s::bigint[] IS NULL OR m.document_id = ANY(%(documents)s))
