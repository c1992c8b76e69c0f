-- How fast a server is asked that was busy, by all processes together. The clock is the database's.

-- Take a turn if it is there. The time, and the seconds to wait: 0 when it is this request's turn, NULL when the
-- server has not been busy.
-- :name turn
WITH taken AS (
    UPDATE connections_serverpace SET next = clock_timestamp() + make_interval(secs => spacing)
    WHERE server = %(server)s AND next <= clock_timestamp()
    RETURNING 1
)
SELECT
    extract(epoch FROM clock_timestamp())::float,
    CASE WHEN EXISTS (SELECT FROM taken) THEN 0 ELSE (
        SELECT greatest(0.001, extract(epoch FROM next - clock_timestamp()))::float
        FROM connections_serverpace WHERE server = %(server)s
    ) END

-- Nobody asks for a while, and then more slowly. Of the refusals of one burst only the first slows down further.
-- :name refused
INSERT INTO connections_serverpace AS known (server, refused, refusals, spacing, next)
VALUES (
    %(server)s, clock_timestamp(), 1, %(first_spacing)s,
    clock_timestamp() + make_interval(secs => coalesce(%(retry_after)s, %(first_wait)s))
)
ON CONFLICT (server) DO UPDATE SET
    (refused, refusals, spacing, next) = (
        SELECT
            CASE WHEN is_first THEN clock_timestamp() ELSE known.refused END,
            count,
            CASE WHEN is_first THEN least(greatest(2 * known.spacing, %(first_spacing)s), %(widest_spacing)s)
                ELSE known.spacing END,
            greatest(known.next, clock_timestamp() + make_interval(secs => coalesce(
                %(retry_after)s, least(%(first_wait)s * 2 ^ least(count - 1, 20), %(longest_wait)s)
            )))
        FROM (SELECT to_timestamp(%(entered)s) >= known.refused AS is_first) burst
        CROSS JOIN LATERAL (SELECT known.refusals + CASE WHEN is_first THEN 1 ELSE 0 END AS count) counted
    )

-- The server has answered: ask it a little faster.
-- :name passed
UPDATE connections_serverpace
SET refusals = 0, spacing = CASE WHEN spacing * %(faster)s < %(no_spacing)s THEN 0 ELSE spacing * %(faster)s END
WHERE server = %(server)s AND (spacing > 0 OR refusals > 0)

-- :name forget
DELETE FROM connections_serverpace WHERE next < clock_timestamp() - interval '1 hour'
