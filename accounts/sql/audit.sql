-- The audit log.

-- An entry, unless the person has done the same within so many seconds; always with 0 of them.
-- :name note_request
INSERT INTO accounts_auditentry
    (person_id, email, token, act, subject, number, datasource, address, time)
SELECT %(person)s, %(email)s, %(token)s, %(act)s, %(subject)s, %(number)s, %(datasource)s, %(address)s, now()
WHERE NOT EXISTS (
    SELECT FROM accounts_auditentry
    WHERE person_id = %(person)s AND act = %(act)s AND subject = %(subject)s AND number = %(number)s
      AND token = %(token)s AND time > now() - make_interval(secs => %(seconds)s) AND %(seconds)s > 0
)

-- Entries without a seal, the oldest first, that nobody can slip one beneath any more: all transactions that were open
-- when they were written have ended.
-- :name to_be_sealed
SELECT id FROM accounts_auditentry
WHERE seal_id IS NULL AND age(xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)
ORDER BY id
LIMIT %(limit)s
