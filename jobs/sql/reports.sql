-- :name report_progress
INSERT INTO jobs_jobreport (job_id, done, total, message, changed)
VALUES (%(job_id)s, %(done)s, %(total)s, '', now())
ON CONFLICT (job_id) DO UPDATE SET done = excluded.done, total = excluded.total, changed = now()

-- :name report_failure
INSERT INTO jobs_jobreport (job_id, done, total, message, changed)
VALUES (%(job_id)s, 0, 0, %(message)s, now())
ON CONFLICT (job_id) DO UPDATE SET message = excluded.message, changed = now()

-- :name forget_reports
DELETE FROM jobs_jobreport report
WHERE NOT EXISTS (SELECT FROM procrastinate_jobs job WHERE job.id = report.job_id)
