-- What runs now, the longest first.
-- :name running_jobs
SELECT
    job.id,
    job.task_name,
    COALESCE((job.args ->> 'datasource_id')::bigint, NULLIF(job_datasource(job.args), 0)) AS datasource,
    process.name AS worker,
    (SELECT max(at) FROM procrastinate_events event WHERE event.job_id = job.id AND event.type = 'started') AS since,
    COALESCE(report.done, 0) AS done,
    COALESCE(report.total, 0) AS total
FROM procrastinate_jobs job
LEFT JOIN jobs_workerprocess process USING (worker_id)
LEFT JOIN jobs_jobreport report ON report.job_id = job.id
WHERE job.status = 'doing'
ORDER BY since, job.id
LIMIT %(most)s

-- What waits, by kind: how many may start now, how many later, and the first of them.
-- :name waiting_jobs
SELECT
    kinds.*,
    (SELECT max(at) FROM procrastinate_events event WHERE event.job_id = kinds.first) AS since
FROM (
    SELECT
        task_name,
        count(*) FILTER (WHERE scheduled_at IS NULL OR scheduled_at <= now()) AS now,
        count(*) FILTER (WHERE scheduled_at > now()) AS later,
        min(id) AS first
    FROM procrastinate_jobs
    WHERE status = 'todo'
    GROUP BY task_name
) kinds
ORDER BY now DESC, task_name

-- What failed and is not forgotten, the latest first.
-- :name failed_jobs
SELECT
    job.id,
    job.task_name,
    COALESCE((job.args ->> 'datasource_id')::bigint, NULLIF(job_datasource(job.args), 0)) AS datasource,
    COALESCE(report.message, '') AS message,
    (SELECT max(at) FROM procrastinate_events event WHERE event.job_id = job.id AND event.type = 'failed') AS since
FROM procrastinate_jobs job
LEFT JOIN jobs_jobreport report ON report.job_id = job.id
WHERE job.status = 'failed'
ORDER BY job.id DESC
LIMIT %(most)s
