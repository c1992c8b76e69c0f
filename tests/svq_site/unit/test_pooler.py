"""What may go through PgBouncer: nothing that keeps something in its session."""

from procrastinate.contrib.django import app

from jobs.time_limit import limit_of
from svq_site.database.pooler import IN_SESSIONS, may_go_through
from svq_site.management.commands.up import workers
from svq_site.settings import database


def test_sessions_through_it_are_given_no_settings_and_keep_no_cursor() -> None:
    url = "postgresql://svq@db/svq"
    assert "hnsw" in str(database(url)["OPTIONS"])
    pooled = database(url, through_pooler=True)
    assert pooled["OPTIONS"] == {}
    assert pooled["DISABLE_SERVER_SIDE_CURSORS"]


def test_workers_that_keep_something_in_their_sessions_go_past() -> None:
    through = {name for name, queues in workers().items() if may_go_through(queues)}
    assert "worker for files" in through
    assert "worker 1 for answers" in through
    assert "worker for upkeep" not in through


def test_each_job_with_a_time_limit_is_in_such_a_queue() -> None:
    """The limit is a setting of the session."""
    app.perform_import_paths()
    ours = [task for task in app.tasks.values() if not task.func.__module__.startswith("tests.")]
    limited = {task.name: task.queue for task in ours if limit_of(task)}
    assert limited
    assert set(limited.values()) <= IN_SESSIONS
