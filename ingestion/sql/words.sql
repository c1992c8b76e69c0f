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

-- :name counts_of_terms
SELECT datasource_id, count
FROM unnest(%(datasources)s::bigint[], %(terms)s::int[]) AS asked (datasource, term)
JOIN ingestion_termcount counted ON counted.datasource_id = asked.datasource AND counted.term = asked.term
