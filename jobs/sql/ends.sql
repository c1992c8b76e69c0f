-- How a job ends, each only while it is still the run of the worker that says so. In the meantime another worker
-- may have been given the job: then it has another worker, or has counted one attempt more.

-- :name own_run
SELECT id, queue_name
FROM procrastinate_jobs
WHERE id = %(job_id)s
  AND status = 'doing'
  AND worker_id IS NOT DISTINCT FROM %(worker_id)s::bigint
  AND attempts = %(attempts)s
FOR UPDATE

-- :name finish_own_run
WITH own AS (
-- :include own_run
)
SELECT
    procrastinate_finish_job_v1(own.id, %(status)s::procrastinate_job_status, %(delete_job)s),
-- :include wake_workers
FROM own

-- :name retry_own_run
WITH own AS (
-- :include own_run
)
SELECT
    procrastinate_retry_job_v2(own.id, %(retry_at)s, %(priority)s, %(queue)s, %(lock)s),
-- :include wake_workers
FROM own

-- What waited for this one may start now: of its person, or of its lock. Procrastinate's words for a new job.
-- :name wake_workers
    pg_notify(
        'procrastinate_queue_v1#' || own.queue_name,
        json_build_object('type', 'job_inserted', 'job_id', own.id)::text
    )
