"""Statistics for the planner as soon as much has changed: autovacuum comes a minute later.

Without them the first searches after an upload are planned as if the tables were still empty.
"""

from sql import rows

CHANGED = 0.2  # share of a table's rows
LEAST = 100  # rows: searches of 31, 43 and 67 passages were as quick before they were counted as after

STALE = """
    SELECT relid::regclass::text FROM pg_stat_user_tables
    WHERE relname ~ %s AND n_mod_since_analyze > %s + %s * n_live_tup
"""
TABLES = "^(ingestion_|graph_|datasources_document$)"


def refresh() -> None:
    """Count again what has changed much since it was counted; a table that others count is left to them."""
    rows("SELECT pg_stat_force_next_flush()")
    for (table,) in rows(STALE, TABLES, LEAST, CHANGED):
        rows(f"ANALYZE (SKIP_LOCKED) {table}")
