-- What migration 0003 makes, as it was when it was merged. Workers of a version before 0005 ask it.
-- The comment behind the function was part of its statement, too.

-- :name fetch_side_by_side
CREATE OR REPLACE FUNCTION fetch_job_in_turn(queues varchar[], worker bigint, limits jsonb)
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
-- :include first_of_lane
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

-- Of each queue the people who may have one more job, who was served least recently first. A person may have no
-- more than an equal part while others are there; `worker` limits the jobs of people in one worker, `nobody` those of
-- nobody in all.
-- :name first_of_lane
                chosen := (
                    SELECT job.id
                    FROM procrastinate_jobs job
                    WHERE job.status = 'todo'
                      AND job.queue_name = turn.queue_name
                      AND job_person(job.args) = turn.person
                      AND job_datasource(job.args) = lane.datasource
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
                                AND (other.priority > job.priority
                                    OR (other.priority = job.priority AND other.id < job.id))
                          )
                      ))
                    ORDER BY job.priority DESC, job_due(job.args), job.id
                    LIMIT 1
                    FOR UPDATE OF job SKIP LOCKED
                );
