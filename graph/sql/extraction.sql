-- A model's answers and what they cost.

-- :name record_spend
INSERT INTO graph_extractionspend AS s (
    datasource_id, model, calls, cached_calls, prompt_tokens, completion_tokens, money
)
SELECT id, %(model)s, %(calls)s, %(cached_calls)s, %(prompt_tokens)s, %(completion_tokens)s, %(money)s
FROM datasources_datasource
WHERE id = %(datasource)s
FOR KEY SHARE
ON CONFLICT (datasource_id, model) DO UPDATE
SET calls = s.calls + excluded.calls,
    cached_calls = s.cached_calls + excluded.cached_calls,
    prompt_tokens = s.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = s.completion_tokens + excluded.completion_tokens,
    money = s.money + excluded.money

-- :name answers_of_chunks
SELECT DISTINCT cached_id
FROM graph_chunkextraction
WHERE chunk_id = ANY(%(chunks)s) AND cached_id IS NOT NULL

-- :name drop_unused_answers
DELETE FROM graph_cachedextraction c
WHERE id = ANY(%(answers)s) AND NOT EXISTS (SELECT 1 FROM graph_chunkextraction x WHERE x.cached_id = c.id)

