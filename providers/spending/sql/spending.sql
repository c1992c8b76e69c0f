-- What calls of models have cost, and whether that is more than a month's budget.

-- :name record
INSERT INTO spending_spending AS s (
    day, person, datasource, purpose, model, host,
    calls, prompt_tokens, completion_tokens, milliseconds, money
)
VALUES (
    %(day)s, %(person)s, %(datasource)s, %(purpose)s, %(model)s, %(host)s,
    1, %(prompt_tokens)s, %(completion_tokens)s, %(milliseconds)s, %(money)s
)
ON CONFLICT (day, person, datasource, purpose, model, host) DO UPDATE
SET calls = s.calls + 1,
    prompt_tokens = s.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = s.completion_tokens + excluded.completion_tokens,
    milliseconds = s.milliseconds + excluded.milliseconds,
    money = s.money + excluded.money

-- :name used_up
-- The budgets that are used up since the first of the month; that of the datasource before the deployment's.
SELECT b.datasource
FROM spending_monthlybudget AS b
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens,
        coalesce(sum(money), 0) AS money
    FROM spending_spending
    WHERE day >= %(first)s AND (b.datasource = 0 OR datasource = b.datasource)
) AS spent
WHERE b.datasource IN (0, %(datasource)s)
AND (spent.tokens >= b.tokens OR spent.money >= b.money)
ORDER BY b.datasource DESC
LIMIT 1
