"""System checks: is this a database that SVQ can live in?"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.management.base import CommandError
from django.db import DatabaseError, connections

from desks.left_out import having_tables

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


@register(Tags.database)
def desks_without_tables(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """A desk that is left out has no tables: their rows would keep documents from being deleted."""
    if not databases or "default" not in databases:
        return []
    if not settings.LEFT_OUT:
        return []
    with connections["default"].cursor() as cursor:
        found = having_tables(settings.LEFT_OUT, connections["default"].introspection.table_names(cursor))
    return [
        Error(
            f"SVQ_LEAVE_OUT names “{desk}”, and the database has tables of it.",
            hint=f"Start with it. Or delete all that is in it for good: take it out of SVQ_LEAVE_OUT, run"
            f" manage.py migrate {desk} zero, and put it back.",
            id="svq.E003",
        )
        for desk in found
    ]


def refuse_tables_of_left_out_desks() -> None:
    """For commands that make no system checks, before they do anything. Raises CommandError."""
    if not settings.LEFT_OUT:
        return
    try:
        errors = desks_without_tables(databases=["default"])
    except DatabaseError as error:
        told = " ".join(str(error).split())
        raise CommandError(f"The database is asked for tables of what SVQ_LEAVE_OUT names: {told}") from error
    finally:
        connections["default"].close()  # a worker may go by PgBouncer from here on
    if errors:
        raise CommandError(" ".join(f"{error.msg} {error.hint}" for error in errors))
