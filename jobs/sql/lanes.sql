-- Whose turn it is. Migrations make these once; `fetch` is what a worker asks whenever it has room for a job.

-- :name lane_of_job
CREATE FUNCTION job_person(args jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT COALESCE((args #>> '{lane,person}')::bigint, 0)
$$;
CREATE FUNCTION job_datasource(args jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT COALESCE((args #>> '{lane,datasource}')::bigint, 0)
$$;
CREATE FUNCTION job_due(args jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT COALESCE((args #>> '{lane,due}')::bigint, 0)
$$;
CREATE INDEX job_lanes ON procrastinate_jobs (
    queue_name, job_person(args), job_datasource(args), priority DESC, job_due(args), id
) WHERE status = 'todo';
CREATE INDEX job_locks_waited_for ON procrastinate_jobs (lock) WHERE status = 'todo'

-- :name drop_lane_of_job
DROP INDEX job_locks_waited_for;
DROP INDEX job_lanes;
DROP FUNCTION job_due;
DROP FUNCTION job_datasource;
DROP FUNCTION job_person

-- :name index_running
CREATE INDEX job_running ON procrastinate_jobs (queue_name, job_person(args)) WHERE status = 'doing'

-- :name drop_index_running
DROP INDEX job_running

-- People take turns, and so do the datasources of each. Workers that fetch at the same time decide for different
-- people: whoever is being decided for is passed over, and looked at again shortly after if there was nobody else.
-- `known`: the tasks that the worker can do; it gets no other job, and waits for none. NULL: all.
-- :name fetch_known
CREATE FUNCTION fetch_known_job_in_turn(queues varchar[], worker bigint, limits jsonb, known varchar[])
RETURNS SETOF procrastinate_jobs LANGUAGE plpgsql AS $$
DECLARE
    turn record;
    lane record;
    chosen bigint;
    passed_over boolean;
BEGIN
    -- A crash of the database ends the worker too, so it does not matter if it forgets who was given the job.
    PERFORM set_config('synchronous_commit', 'off', true);
    FOR look IN 1..5 LOOP
        passed_over := false;
        FOR turn IN
-- :include whose_turn
        LOOP
            -- By this name all versions of SVQ keep each other out.
            IF NOT pg_try_advisory_xact_lock(hashtextextended('fetch_job_in_turn ' || turn.queue_name, turn.person)) THEN
                passed_over := true;
                CONTINUE;
            END IF;
            -- Another worker has decided since: what was counted for this turn no longer holds.
            IF turn.served IS DISTINCT FROM (
                SELECT max(served) FROM jobs_servedlane AS l WHERE l.queue = turn.queue_name AND l.person = turn.person
            ) THEN
                passed_over := true;
                CONTINUE;
            END IF;
            FOR lane IN
-- :include lanes_of_turn
            LOOP
-- :include first_known_of_lane
                CONTINUE WHEN chosen IS NULL;
                BEGIN
                    UPDATE procrastinate_jobs SET status = 'doing', worker_id = worker WHERE id = chosen;
                EXCEPTION WHEN unique_violation THEN
                    CONTINUE;  -- another job of its lock was started at this moment
                END;
                INSERT INTO jobs_servedlane (queue, person, datasource, served)
                VALUES (turn.queue_name, turn.person, lane.datasource, clock_timestamp())
                ON CONFLICT (queue, person, datasource) DO UPDATE SET served = excluded.served;
                RETURN QUERY SELECT * FROM procrastinate_jobs WHERE id = chosen;
                RETURN;
            END LOOP;
        END LOOP;
        EXIT WHEN NOT passed_over;
        PERFORM pg_sleep(0.002 * look * random());
    END LOOP;
END;
$$

-- :name drop_fetch_known
DROP FUNCTION fetch_known_job_in_turn

-- Of each queue the people who may have one more job, who was served least recently first. A person may have no
-- more than an equal part while others are there; `worker` limits the jobs of people in one worker, `nobody` those of
-- nobody in all.
-- :name whose_turn
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
            served_queues AS MATERIALIZED (SELECT queue_name FROM every_queue UNION SELECT unnest(queues)),
            -- From one person to the next by the index, however many jobs wait.
            waiting AS (
                SELECT first.*
                FROM served_queues
                CROSS JOIN LATERAL (
                    SELECT queue_name, job_person(args) AS person, id
                    FROM procrastinate_jobs
                    WHERE status = 'todo' AND queue_name = served_queues.queue_name
                    ORDER BY queue_name, job_person(args), job_datasource(args), priority DESC, job_due(args), id
                    LIMIT 1
                ) first
                UNION ALL
                SELECT next.*
                FROM waiting
                CROSS JOIN LATERAL (
                    SELECT queue_name, job_person(args), id
                    FROM procrastinate_jobs
                    WHERE status = 'todo' AND queue_name = waiting.queue_name AND job_person(args) > waiting.person
                    ORDER BY queue_name, job_person(args), job_datasource(args), priority DESC, job_due(args), id
                    LIMIT 1
                ) next
            ),
            running AS MATERIALIZED (
                SELECT
                    queue_name,
                    job_person(args) AS person,
                    count(*) AS jobs,
                    count(*) FILTER (WHERE worker_id = worker) AS in_this_worker
                FROM procrastinate_jobs
                WHERE status = 'doing' AND queue_name IN (SELECT queue_name FROM served_queues)
                GROUP BY 1, 2
            ),
            shares AS MATERIALIZED (
                SELECT
                    queue_name,
                    CASE WHEN limits ? queue_name AND bool_or(person > 0) THEN LEAST(
                        (limits -> queue_name ->> 'person')::int,
                        GREATEST(1, (limits -> queue_name ->> 'worker')::int / count(*) FILTER (WHERE person > 0))
                    ) END AS of_person,
                    (limits -> queue_name ->> 'nobody')::int AS of_nobody,
                    (limits -> queue_name ->> 'worker')::int AS of_worker
                FROM (SELECT queue_name, person FROM waiting UNION SELECT queue_name, person FROM running) everybody
                GROUP BY queue_name
            ),
            in_this_worker AS MATERIALIZED (
                SELECT queue_name, sum(in_this_worker) AS jobs FROM running WHERE person > 0 GROUP BY queue_name
            )
            SELECT waiting.queue_name, waiting.person, last.served
            FROM waiting
            JOIN shares USING (queue_name)
            LEFT JOIN running USING (queue_name, person)
            LEFT JOIN in_this_worker USING (queue_name)
            CROSS JOIN LATERAL (
                SELECT max(l.served) AS served
                FROM jobs_servedlane AS l
                WHERE l.queue = waiting.queue_name AND l.person = waiting.person
            ) last
            WHERE CASE
                WHEN waiting.person = 0 THEN shares.of_nobody IS NULL OR COALESCE(running.jobs, 0) < shares.of_nobody
                ELSE (shares.of_person IS NULL OR COALESCE(running.jobs, 0) < shares.of_person)
                    AND (shares.of_worker IS NULL OR COALESCE(in_this_worker.jobs, 0) < shares.of_worker)
            END
            ORDER BY last.served NULLS FIRST, waiting.id

-- :name lanes_of_turn
                WITH RECURSIVE lanes AS (
                    (
                        SELECT job_datasource(args) AS datasource, id
                        FROM procrastinate_jobs
                        WHERE status = 'todo' AND queue_name = turn.queue_name AND job_person(args) = turn.person
                        ORDER BY queue_name, job_person(args), job_datasource(args), priority DESC, job_due(args), id
                        LIMIT 1
                    )
                    UNION ALL
                    SELECT next.*
                    FROM lanes
                    CROSS JOIN LATERAL (
                        SELECT job_datasource(args), id
                        FROM procrastinate_jobs
                        WHERE status = 'todo' AND queue_name = turn.queue_name AND job_person(args) = turn.person
                          AND job_datasource(args) > lanes.datasource
                        ORDER BY queue_name, job_person(args), job_datasource(args), priority DESC, job_due(args), id
                        LIMIT 1
                    ) next
                )
                SELECT lanes.datasource
                FROM lanes
                LEFT JOIN jobs_servedlane AS l
                  ON l.queue = turn.queue_name AND l.person = turn.person AND l.datasource = lanes.datasource
                ORDER BY l.served NULLS FIRST, lanes.id

-- The first job of a lane that may start now. A lock admits one job at a time, as procrastinate has it.
-- :name first_known_of_lane
                -- Jobs of its lock that this worker can't do may wait for ever, so it does not wait for them.
                chosen := (
                    SELECT job.id
                    FROM procrastinate_jobs job
                    WHERE job.status = 'todo'
                      AND job.queue_name = turn.queue_name
                      AND job_person(job.args) = turn.person
                      AND job_datasource(job.args) = lane.datasource
                      AND (known IS NULL OR job.task_name = ANY (known))
                      AND (job.scheduled_at IS NULL OR job.scheduled_at <= now())
                      AND (job.lock IS NULL OR (
                          NOT EXISTS (
                              SELECT FROM procrastinate_jobs other
                              WHERE other.lock = job.lock AND other.status = 'doing'
                          )
                          AND NOT EXISTS (
                              SELECT FROM procrastinate_jobs other
                              WHERE other.lock = job.lock
                                AND other.status = 'todo'
                                AND (known IS NULL OR other.task_name = ANY (known))
                                AND (other.priority > job.priority
                                    OR (other.priority = job.priority AND other.id < job.id))
                          )
                      ))
                    ORDER BY job.priority DESC, job_due(job.args), job.id
                    LIMIT 1
                    FOR UPDATE OF job SKIP LOCKED
                );

-- :name fetch
SELECT id, status, task_name, priority, lock, queueing_lock, args - 'lane' AS args, scheduled_at, queue_name, attempts,
    worker_id
FROM fetch_known_job_in_turn(%(queues)s::varchar[], %(worker_id)s, %(limits)s::jsonb, %(known)s::varchar[])

-- Kinds of jobs that wait in the queues and are none of the known.
-- :name unknown_kinds
SELECT DISTINCT task_name
FROM procrastinate_jobs
WHERE status = 'todo'
  AND (%(queues)s::varchar[] IS NULL OR queue_name = ANY (%(queues)s::varchar[]))
  AND NOT task_name = ANY (%(known)s::varchar[])
ORDER BY task_name

-- Of jobs that wait, how many others of their queue are likely to be taken before: people take turns, and who was
-- served least recently is next. Whoever comes meanwhile is not known yet.
-- :name ahead
WITH waiting AS (
    SELECT
        id,
        queue_name,
        person,
        row_number() OVER (PARTITION BY queue_name, person ORDER BY place, served NULLS FIRST, id) AS place
    FROM (
        SELECT
            job.id,
            job.queue_name,
            job_person(job.args) AS person,
            job_datasource(job.args) AS datasource,
            row_number() OVER (
                PARTITION BY job.queue_name, job_person(job.args), job_datasource(job.args)
                ORDER BY job.priority DESC, job_due(job.args), job.id
            ) AS place
        FROM procrastinate_jobs job
        WHERE job.status = 'todo'
          AND job.queue_name IN (SELECT queue_name FROM procrastinate_jobs WHERE id = ANY (%(jobs)s::bigint[]))
    ) in_lanes
    LEFT JOIN (SELECT queue AS queue_name, person, datasource, served FROM jobs_servedlane) lane
        USING (queue_name, person, datasource)
),
people AS (
    SELECT
        queue_name,
        person,
        jobs,
        row_number() OVER (PARTITION BY queue_name ORDER BY served NULLS FIRST, first) AS turn
    FROM (
        SELECT queue_name, person, count(*) AS jobs, min(id) AS first, (
            SELECT max(served) FROM jobs_servedlane AS lane
            WHERE lane.queue = waiting.queue_name AND lane.person = waiting.person
        ) AS served
        FROM waiting
        GROUP BY queue_name, person
    ) by_person
)
SELECT waiting.id, waiting.place - 1 + COALESCE((
    SELECT sum(LEAST(other.jobs, waiting.place - 1 + (other.turn < own.turn)::int))
    FROM people other
    WHERE other.queue_name = waiting.queue_name AND other.person <> waiting.person
), 0)::bigint
FROM waiting
JOIN people own USING (queue_name, person)
WHERE waiting.id = ANY (%(jobs)s::bigint[])

-- Of jobs that wait, how many others of the same person and the same task are to be taken before.
-- :name before
SELECT id, before
FROM (
    SELECT
        waiting.id,
        row_number() OVER (
            PARTITION BY queue_name, task_name, waiting.person ORDER BY place, served NULLS FIRST, waiting.id
        ) - 1 AS before
    FROM (
        SELECT
            job.id,
            job.queue_name,
            job.task_name,
            job_person(job.args) AS person,
            job_datasource(job.args) AS datasource,
            row_number() OVER (
                PARTITION BY job.queue_name, job.task_name, job_person(job.args), job_datasource(job.args)
                ORDER BY job.priority DESC, job_due(job.args), job.id
            ) AS place
        FROM procrastinate_jobs job
        WHERE job.status = 'todo'
          AND (job.queue_name, job.task_name, job_person(job.args)) IN (
              SELECT queue_name, task_name, job_person(args)
              FROM procrastinate_jobs
              WHERE id = ANY (%(jobs)s::bigint[]) AND status = 'todo'
          )
    ) waiting
    LEFT JOIN jobs_servedlane AS lane
      ON lane.queue = queue_name AND lane.person = waiting.person AND lane.datasource = waiting.datasource
) ordered
WHERE id = ANY (%(jobs)s::bigint[])
