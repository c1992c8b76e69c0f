-- Add to what a person has used in a minute, and forget minutes that no quota counts any more.
-- :name use
WITH forgotten AS (
    DELETE FROM accounts_usage WHERE person_id = %(person)s AND minute < %(forget_before)s
)
INSERT INTO accounts_usage AS known (person_id, kind, minute, amount)
SELECT %(person)s, used.kind, %(minute)s, used.amount
FROM unnest(%(kinds)s::text[], %(amounts)s::bigint[]) AS used (kind, amount)
ON CONFLICT (person_id, kind, minute) DO UPDATE SET amount = known.amount + excluded.amount
