-- What migration 0001 makes, as it was when it was merged; 0003 replaces it.

-- :name fetch_function
CREATE FUNCTION fetch_job_in_turn(queues varchar[], worker bigint, limits jsonb)
RETURNS SETOF procrastinate_jobs LANGUAGE plpgsql AS $$
DECLARE
    chosen record;
BEGIN
    -- One worker at a time, so that none decides by counts that are about to change.
    PERFORM pg_advisory_xact_lock(hashtext('fetch_job_in_turn'));
    WITH RECURSIVE
    -- Where no queues are named, from one to the next by the index.
    every_queue AS (
        (
            SELECT queue_name FROM procrastinate_jobs
            WHERE status = 'todo' AND queues IS NULL
            ORDER BY queue_name
            LIMIT 1
        )
        UNION ALL
        SELECT next.queue_name
        FROM every_queue
        CROSS JOIN LATERAL (
            SELECT queue_name FROM procrastinate_jobs
            WHERE status = 'todo' AND queue_name > every_queue.queue_name
            ORDER BY queue_name
            LIMIT 1
        ) next
    ),
    -- From one lane of a queue to the next by the index, however many jobs wait in each.
    lanes AS (
        SELECT first.*
        FROM (SELECT queue_name FROM every_queue UNION SELECT unnest(queues)) served
        CROSS JOIN LATERAL (
            SELECT queue_name, job_person(args) AS person, job_datasource(args) AS datasource
            FROM procrastinate_jobs
            WHERE status = 'todo' AND queue_name = served.queue_name
            ORDER BY queue_name, job_person(args), job_datasource(args)
            LIMIT 1
        ) first
        UNION ALL
        SELECT next.*
        FROM lanes
        CROSS JOIN LATERAL (
            SELECT queue_name, job_person(args), job_datasource(args)
            FROM procrastinate_jobs
            WHERE status = 'todo' AND queue_name = lanes.queue_name
              AND (job_person(args), job_datasource(args)) > (lanes.person, lanes.datasource)
            ORDER BY queue_name, job_person(args), job_datasource(args)
            LIMIT 1
        ) next
    ),
    -- The first job of each lane that may start now. A lock admits one job at a time, as procrastinate has it.
    waiting AS MATERIALIZED (
        SELECT lanes.*, first.id
        FROM lanes
        CROSS JOIN LATERAL (
            SELECT job.id
            FROM procrastinate_jobs job
            WHERE job.status = 'todo'
              AND job.queue_name = lanes.queue_name
              AND job_person(job.args) = lanes.person
              AND job_datasource(job.args) = lanes.datasource
              AND (job.scheduled_at IS NULL OR job.scheduled_at <= now())
              AND (job.lock IS NULL OR (
                  NOT EXISTS (
                      SELECT FROM procrastinate_jobs other WHERE other.lock = job.lock AND other.status = 'doing'
                  )
                  AND NOT EXISTS (
                      SELECT FROM procrastinate_jobs other
                      WHERE other.lock = job.lock
                        AND other.status = 'todo'
                        AND (other.priority > job.priority
                            OR (other.priority = job.priority AND other.id < job.id))
                  )
              ))
            ORDER BY job.priority DESC, job_due(job.args), job.id
            LIMIT 1
            FOR UPDATE OF job SKIP LOCKED
        ) first
    ),
    running AS MATERIALIZED (
        SELECT
            queue_name,
            job_person(args) AS person,
            count(*) AS jobs,
            count(*) FILTER (WHERE worker_id = worker) AS in_this_worker
        FROM procrastinate_jobs
        WHERE status = 'doing'
        GROUP BY 1, 2
    ),
    -- How many a person may have at once: no more than an equal part while others are there.
    share AS (
        SELECT
            queue_name,
            (limits -> queue_name ->> 'worker')::int AS of_worker,
            CASE WHEN limits ? queue_name AND bool_or(person > 0) THEN LEAST(
                (limits -> queue_name ->> 'person')::int,
                GREATEST(1, (limits -> queue_name ->> 'worker')::int / NULLIF(count(*) FILTER (WHERE person > 0), 0))
            ) END AS of_person
        FROM (
            SELECT queue_name, person FROM waiting
            UNION
            SELECT queue_name, person FROM running
        ) everybody
        GROUP BY queue_name
    )
    SELECT waiting.*
    INTO chosen
    FROM waiting
    JOIN share USING (queue_name)
    LEFT JOIN running USING (queue_name, person)
    LEFT JOIN jobs_servedlane AS lane
      ON lane.queue = queue_name AND lane.person = waiting.person AND lane.datasource = waiting.datasource
    WHERE waiting.person = 0
       OR ((share.of_person IS NULL OR COALESCE(running.jobs, 0) < share.of_person)
           AND (share.of_worker IS NULL OR share.of_worker > (
               SELECT COALESCE(sum(in_this_worker), 0)
               FROM running
               WHERE running.queue_name = waiting.queue_name AND running.person > 0
           )))
    ORDER BY
        (
            SELECT max(served) FROM jobs_servedlane AS lane_of_person
            WHERE lane_of_person.queue = waiting.queue_name AND lane_of_person.person = waiting.person
        ) NULLS FIRST,
        lane.served NULLS FIRST,
        waiting.id
    LIMIT 1;
    IF chosen IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO jobs_servedlane (queue, person, datasource, served)
    VALUES (chosen.queue_name, chosen.person, chosen.datasource, clock_timestamp())
    ON CONFLICT (queue, person, datasource) DO UPDATE SET served = excluded.served;
    RETURN QUERY
    UPDATE procrastinate_jobs SET status = 'doing', worker_id = worker WHERE id = chosen.id
    RETURNING procrastinate_jobs.*;
END;
$$
