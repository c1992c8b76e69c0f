-- What the database knows. The first columns of a statement are labels; see svq_site.monitoring.figures.

-- :name jobs
SELECT
    queue,
    count(*) FILTER (WHERE job.status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())),
    count(*) FILTER (WHERE job.status = 'todo' AND scheduled_at > now()),
    count(*) FILTER (WHERE job.status = 'doing'),
    count(*) FILTER (WHERE job.status = 'failed'),
    count(DISTINCT (job_person(args), job_datasource(args))) FILTER (WHERE job.status = 'todo')
FROM unnest(%(queues)s::varchar[]) AS queue
LEFT JOIN procrastinate_jobs job ON job.queue_name = queue
GROUP BY queue

-- :name oldest
SELECT queue, coalesce(extract(epoch FROM now() - (
    SELECT greatest(max(event.at), oldest.due) FROM procrastinate_events event WHERE event.job_id = oldest.id
)), 0)::float
FROM unnest(%(queues)s::varchar[]) AS queue
LEFT JOIN LATERAL (
    SELECT id, scheduled_at AS due
    FROM procrastinate_jobs
    WHERE status = 'todo' AND queue_name = queue AND (scheduled_at IS NULL OR scheduled_at <= now())
    ORDER BY id
    LIMIT 1
) oldest ON true

-- :name workers
SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %(fresh)s)

-- :name documents
SELECT status, count(*) FROM datasources_document GROUP BY status

-- The models that have cost most this month by name, the others together.
-- :name spending
SELECT
    CASE WHEN place <= %(most)s THEN model ELSE 'others' END,
    sum(calls)::bigint, sum(read)::bigint, sum(written)::bigint, sum(money)::float
FROM (
    SELECT
        model,
        sum(calls) AS calls,
        sum(prompt_tokens) AS read,
        sum(completion_tokens) AS written,
        sum(money) AS money,
        row_number() OVER (ORDER BY sum(prompt_tokens + completion_tokens) DESC, model) AS place
    FROM spending_spending
    WHERE day >= %(first)s
    GROUP BY model
) models
GROUP BY 1

-- :name connections
SELECT coalesce(state, 'none'), count(*) FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1

-- :name postgres
SELECT
    pg_database_size(datname),
    current_setting('max_connections')::int,
    xact_commit,
    xact_rollback,
    deadlocks,
    blks_read,
    blks_hit,
    temp_bytes,
    pg_notification_queue_usage(),
    coalesce((
        SELECT extract(epoch FROM max(now() - xact_start)) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
    ), 0)::float
FROM pg_stat_database
WHERE datname = current_database()

-- :name tables
SELECT relname, pg_total_relation_size(oid)
FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
ORDER BY 2 DESC
LIMIT %(most)s
