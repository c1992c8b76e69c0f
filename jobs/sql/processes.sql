-- :name register_process
INSERT INTO jobs_workerprocess (worker_id, name, host, pid, started)
VALUES (%(worker_id)s, %(name)s, %(host)s, %(pid)s, now())

-- The last signs of life, as seconds since 1970, of the newest worker in each of these processes.
-- :name last_heartbeats
SELECT DISTINCT ON (process.pid) process.pid, extract(epoch FROM worker.last_heartbeat)::float
FROM jobs_workerprocess process
JOIN procrastinate_workers worker ON worker.id = process.worker_id
WHERE process.host = %(host)s AND process.pid = ANY (%(pids)s)
ORDER BY process.pid, process.worker_id DESC

-- :name forget_processes
DELETE FROM jobs_workerprocess process
WHERE NOT EXISTS (SELECT FROM procrastinate_workers worker WHERE worker.id = process.worker_id)
