-- The words of a datasource.

-- :name add_words
INSERT INTO ingestion_word (datasource_id, word, term)
SELECT DISTINCT %(datasource)s, word, term
FROM unnest(%(words)s::text[], %(terms)s::int[]) AS given (word, term)
WHERE NOT EXISTS (
    SELECT FROM ingestion_word known
    WHERE known.datasource_id = %(datasource)s AND known.word = given.word AND known.term = given.term
)
ON CONFLICT DO NOTHING
