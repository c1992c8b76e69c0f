-- One statement each, so that processes and servers that count at the same moment lose no attempt. The clock is the
-- database's, as servers' clocks differ; `clock_timestamp`, because now() stands still within a transaction.

-- Count an attempt. A window that has ended begins anew.
-- :name take
INSERT INTO accounts_attemptcount AS known (key, count, ends)
VALUES (%(key)s, 1, clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN known.ends > clock_timestamp() THEN known.count + 1 ELSE 1 END,
    ends = CASE WHEN known.ends > clock_timestamp() THEN known.ends ELSE excluded.ends END
RETURNING count, extract(epoch FROM ends - clock_timestamp())::float

-- :name give_back
UPDATE accounts_attemptcount SET count = count - 1
WHERE key = %(key)s AND count > 0 AND ends > clock_timestamp()

-- :name forget
DELETE FROM accounts_attemptcount WHERE ends < clock_timestamp()
