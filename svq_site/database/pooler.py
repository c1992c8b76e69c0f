"""PgBouncer in transaction mode in front of Postgres: which processes go through it, and what that needs.

A session is given to others after each transaction. Web servers and the workers for answers and files keep
nothing in one and have most of the connections, so they go through it. The worker for upkeep builds indexes
and limits the time of its statements, both of which are settings of a session; it and commands go past it.
"""

from collections.abc import Collection

import psycopg
from django.conf import settings
from django.db import connection, connections

from jobs.direct import parameters_of

LOAD = "SELECT '[1]'::vector"  # the extension: until then nobody knows its settings
IN_SESSIONS = {"runs", "heavy"}  # queues whose jobs keep something in their session


def go_through() -> None:
    """From now on this process's new connections are to DATABASE_URL."""
    if settings.DATABASE_POOLED:
        connections["default"].close()
        connections.settings["default"].update(settings.DATABASE_POOLED)


def may_go_through(queues: Collection[str]) -> bool:
    """Whether a worker for these queues may."""
    return not IN_SESSIONS & set(queues)


def keep_session_settings(**kwargs: object) -> None:
    """After `migrate`: the role's sessions begin with what SVQ needs, as PgBouncer takes no word on it."""
    if not settings.DATABASE_POOLED:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_type WHERE typname = 'vector'")
        if not cursor.fetchone():
            return  # only some apps were migrated
        cursor.execute(LOAD)
        cursor.execute("SELECT quote_ident(current_user), quote_ident(current_database())")
        role, name = cursor.fetchone()
        for setting, value in settings.SESSION_SETTINGS.items():
            cursor.execute(f"ALTER ROLE {role} IN DATABASE {name} SET {setting} = '{value}'")


def lacking() -> list[str]:
    """What sessions through PgBouncer lack, in words, where there is one. Raises psycopg.Error."""
    if not settings.DATABASE_POOLED:
        return []
    given = parameters_of(settings.DATABASE_POOLED)
    with psycopg.connect(**given, autocommit=True, connect_timeout=10) as session:
        session.execute(LOAD)
        row = session.execute(
            "SELECT " + ", ".join("current_setting(%s, true)" for _ in settings.SESSION_SETTINGS),
            list(settings.SESSION_SETTINGS),
        ).fetchone()
    assert row
    return [
        f"{name} is {is_now or 'not set'}, not {value}"
        for (name, value), is_now in zip(settings.SESSION_SETTINGS.items(), row, strict=True)
        if is_now != value
    ]
