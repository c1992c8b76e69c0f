-- Appending to the event log, and trimming it.

-- :name append
WITH counted AS (
  INSERT INTO event_channel AS c (name, last_seq) VALUES (%(channel)s, 1)
  ON CONFLICT (name) DO UPDATE SET last_seq = c.last_seq + 1 WHERE c.run_token IS NULL
  RETURNING last_seq
),
-- :include store_and_notify

-- :name append_fenced
WITH counted AS (
  UPDATE event_channel SET last_seq = last_seq + 1
  WHERE name = %(channel)s AND run_token = %(run_token)s
  RETURNING last_seq
),
-- :include store_and_notify

-- :name store_and_notify
-- The counter's row stays locked until the commit: numbers are without gaps and in the order of commits, whoever writes.
-- A notification is sent by the commit, too. The setting is local to the transaction.
stored AS (
  INSERT INTO event (channel, seq, kind, data, final, ephemeral, created)
  SELECT %(channel)s, last_seq, %(kind)s, %(data)s::jsonb, %(final)s, %(ephemeral)s, clock_timestamp()
  FROM counted
  RETURNING seq, jsonb_build_array(channel, seq, kind, data, final, created)::text AS whole
)
SELECT
  seq,
  CASE WHEN %(without_disk)s THEN set_config('synchronous_commit', 'off', true) END,
  pg_notify(
    %(notify_channel)s,
    CASE
      WHEN octet_length(whole) < %(notify_limit)s THEN whole
      ELSE json_build_array(%(channel)s::text, seq)::text
    END
  )
FROM stored

-- :name trim_ephemeral
WITH trimmed AS (
  DELETE FROM event WHERE ctid IN (
    SELECT piece.ctid FROM event piece JOIN event finish USING (channel)
    WHERE piece.ephemeral AND finish.final AND finish.created < now() - interval '10 minutes'
    LIMIT %(batch)s
  )
  RETURNING 1
)
SELECT count(*) FROM trimmed

-- :name trim_old
-- The newest event of a channel stays: it tells that a turn is over and where the numbers stand.
WITH trimmed AS (
  DELETE FROM event WHERE ctid IN (
    SELECT old.ctid FROM event old JOIN event_channel ON name = channel
    WHERE created < now() - interval '7 days' AND seq < last_seq
    LIMIT %(batch)s
  )
  RETURNING 1
)
SELECT count(*) FROM trimmed
