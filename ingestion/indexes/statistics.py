"""Statistics for the planner as soon as much has changed: autovacuum comes a minute later.

Without them the first searches after an upload are planned as if the tables were still empty.
"""

from django.db import OperationalError, transaction
from psycopg.errors import LockNotAvailable

from sql import rows

CHANGED = 0.2  # share of a table's rows
PATIENCE_SECONDS = 2  # for a lock
LEAST = 100  # rows: searches of 31, 43 and 67 passages were as quick before they were counted as after

STALE = """
    SELECT relid::regclass::text FROM pg_stat_user_tables
    WHERE relname ~ %s AND n_mod_since_analyze > %s + %s * n_live_tup
"""
TABLES = "^(ingestion_|graph_|datasources_document$)"


def refresh() -> None:
    """Count again what has changed much since it was counted.

    A table that others count, or that an index is being built of, is left out: a job comes again soon.
    """
    rows("SELECT pg_stat_force_next_flush()")
    for table in stale():
        _count(table)


def stale() -> list[str]:
    """The tables that have changed much since they were counted."""
    return [table for (table,) in rows(STALE, TABLES, LEAST, CHANGED)]


def _count(table: str) -> None:
    try:
        with transaction.atomic():
            # SKIP_LOCKED does not wait for the table, but would for one of its indexes.
            rows(f"SET LOCAL lock_timeout = '{PATIENCE_SECONDS}s'")
            rows(f"ANALYZE (SKIP_LOCKED) {table}")
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
