"""System checks: is this a database that SVQ can live in?"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

OLDEST_VECTOR = (0, 8)

VECTOR = """
    SELECT coalesce(installed_version, default_version), installed_version IS NOT NULL,
           (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    FROM pg_available_extensions WHERE name = 'vector'
"""
# Of a database without any table of ours; one that has them may have been made by another role.
TABLES = """
    SELECT to_regclass('django_migrations') IS NOT NULL
        OR coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
        current_user, current_database()
"""


@register(Tags.database)
def right_to_make_tables(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """The first `migrate` makes tables, which a role needs the right for."""
    if not databases or "default" not in databases:
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute(TABLES)
        allowed, role, database = cursor.fetchone()
    if allowed:
        return []
    return [
        Error(
            f"The database user “{role}” may make no tables in the database “{database}”.",
            hint=f'Have its owner run GRANT CREATE ON SCHEMA public TO "{role}" in it. Nothing was changed.',
            id="svq.E002",
        )
    ]


@register(Tags.database)
def vector_extension(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Postgres with pgvector 0.8 or newer. Runs before `migrate` and with `check --database default`."""
    if not databases or "default" not in databases:
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute(VECTOR)
        row = cursor.fetchone()
    return [Error(problem, hint=hint, id="svq.E001") for problem, hint in vector_problems(row)]


def vector_problems(row: tuple[str, bool, bool] | None) -> list[tuple[str, str]]:
    """(what is wrong, what to do) for the version, whether it is installed, and whether we may install it."""
    if row is None:
        return [
            (
                "The database has no extension “vector” (pgvector).",
                "Install pgvector 0.8 or newer on the database server, or unset DATABASE_URL to use the"
                " embedded Postgres.",
            )
        ]
    version, installed, superuser = row
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_VECTOR:
        return [
            (
                f"The database has pgvector {version}; SVQ needs 0.8 or newer.",
                "Upgrade pgvector on the database server, then run ALTER EXTENSION vector UPDATE there.",
            )
        ]
    if not installed and not superuser:
        return [
            (
                "The extension “vector” is not created in this database, and this user may not create it.",
                "Have a superuser run CREATE EXTENSION vector in it.",
            )
        ]
    return []
