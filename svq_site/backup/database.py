"""The database in a backup: one moment of it, as a dump of pg_dump."""

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from svq_site.backup.errors import BackupError
from svq_site.database import postgres_programs

# One step above none: vectors hardly get smaller, and pg_dump's own level takes four times as long.
COMPRESSION = 1
NO_ROLES = ("--no-owner", "--no-privileges", "--no-comments")  # another host has others


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A moment of the database, while its transaction is open. name: by which pg_dump finds it."""

    name: str

    @contextmanager
    def dump(self) -> Iterator["Dump"]:
        """What pg_dump writes. Raises PostgresError without one."""
        program = postgres_programs.find("pg_dump", server_version())
        command = [program.path, "--format=custom", f"--compress={COMPRESSION}", f"--snapshot={self.name}"]
        with (
            tempfile.TemporaryFile() as complaints,
            _running([*command, *NO_ROLES], stdout=subprocess.PIPE, stderr=complaints) as process,
        ):
            yield Dump(process=process, complaints=complaints)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """Reads what pg_dump writes. Its end is only an end if pg_dump says so: a part of a dump is not kept."""

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]

    def read(self, size: int = -1, /) -> bytes:
        """Raises BackupError at the end if pg_dump has failed."""
        assert self.process.stdout
        block = self.process.stdout.read(size)
        if not block and self.process.wait() != 0:
            raise BackupError(
                f"pg_dump has failed: {_first_error(self.complaints)}. SVQ is unchanged, and what was copied"
                " stays for the next try."
            )
        return block


@contextmanager
def snapshot() -> Iterator[Snapshot]:
    """What is read within sees this moment, whatever others write meanwhile."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        yield Snapshot(name=cursor.fetchone()[0])


def server_version() -> int:
    """The major version of the server."""
    connection.ensure_connection()
    return int(connection.connection.info.server_version // 10_000)


def dump_version() -> int:
    """The major version of the pg_dump for this server. Raises PostgresError."""
    return postgres_programs.find("pg_dump", server_version()).major


def is_migrated() -> bool:
    """Whether it has any of SVQ's tables."""
    return "django_migrations" in connection.introspection.table_names()


def migrations() -> list[str]:
    """Those that the database has, as “app.name”."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1")
        return [name for (name,) in cursor.fetchall()]


def unknown_migrations(names: list[str]) -> list[str]:
    """Those that this version of SVQ does not have."""
    known = {".".join(key) for key in MigrationLoader(None).disk_migrations}
    return sorted(set(names) - known)


def row_counts() -> dict[str, int]:
    """Of each table, by its name."""
    with connection.cursor() as cursor:
        names = sorted(
            table.name for table in connection.introspection.get_table_list(cursor) if table.type == "t"
        )
        counts = {}
        for name in names:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")
            counts[name] = cursor.fetchone()[0]
    return counts


def load(dumped_by: int, write: Callable[[Any], None]) -> None:
    """Into the empty database, wholly or not at all. write: writes the dump to what it is given.

    Raises BackupError, PostgresError, and whatever `write` raises.
    """
    program = postgres_programs.find("pg_restore", max(dumped_by, server_version()))
    command = [program.path, "--single-transaction", "--exit-on-error", *NO_ROLES]
    with (
        tempfile.TemporaryFile() as complaints,
        _running(command, stdin=subprocess.PIPE, stderr=complaints) as process,
    ):
        assert process.stdin
        with suppress(BrokenPipeError):  # pg_restore has ended and says why
            write(process.stdin)
            process.stdin.close()
        if process.wait() != 0:
            raise BackupError(
                f"pg_restore has failed: {_first_error(complaints)}. The database is empty as before. Remove"
                " the cause and restore again."
            )


def analyse() -> None:
    """Tell the planner of the new rows: without it the first searches would be slow."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextmanager
def _running(command: list[Any], **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """One of Postgres's programs, connected to Django's database; it is ended with the block."""
    connection.ensure_connection()
    info = connection.connection.info
    process = subprocess.Popen(
        [*command, f"--dbname={info.dsn}"],
        env=postgres_programs.environment(info.password),
        **streams,
    )
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    finally:
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()


def _first_error(complaints: IO[bytes]) -> str:
    """Of what the program said, its first error, without the details, which would repeat a row."""
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").splitlines()
    errors = [line.partition("error: ")[2] for line in lines if "error: " in line]
    return errors[0].rstrip(".")[:300] if errors else "it does not say why"
