"""A database that SVQ was only given the address of: empty, and perhaps with few rights in it.

That all migrations run in one that has nothing, `tests.database.migrated` shows before each run of the tests.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from pgvector.django import HalfVectorField, SparseVectorField, VectorExtension, VectorField

from svq_site.backup.making import back_up
from svq_site.backup.restoring import restore
from svq_site.management.commands.up import Command as Up
from tests.database import connected_to, empty_database
from tests.processes import url_of_test_database

ROLE = {"USER": "plain_role", "PASSWORD": "of a test"}
VECTOR_FIELDS = (HalfVectorField, SparseVectorField, VectorField)


@pytest.fixture(autouse=True)
def _database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Allowed, and outside of a transaction: databases are made."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def role() -> Iterator[str]:
    """One that is no superuser."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE ROLE {ROLE['USER']} LOGIN PASSWORD '{ROLE['PASSWORD']}'")
    yield ROLE["USER"]
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP ROLE {ROLE['USER']}")


def there(*tables: str) -> bool:
    return set(tables) <= set(connection.introspection.table_names())


def test_an_app_alone_can_be_migrated_first() -> None:
    with empty_database() as name, connected_to(name):
        call_command("migrate", "evaluation", verbosity=0)
        assert there("evaluation_question", "ingestion_chunkembedding")


def test_a_command_says_in_a_line_that_the_database_has_to_be_migrated() -> None:
    with empty_database() as name, connected_to(name):
        ended = subprocess.run(
            [sys.executable, "manage.py", "deletions"],
            env=os.environ | {"DATABASE_URL": url_of_test_database()},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert "Nothing in it was changed. Run `manage.py migrate`" in line


def test_each_migration_with_vectors_comes_after_the_extension() -> None:
    graph = MigrationLoader(None).graph
    makers, users = set(), set()
    for key, migration in graph.nodes.items():
        if any(isinstance(operation, VectorExtension) for operation in migration.operations):
            makers.add(key)
        if any(map(has_vectors, migration.operations)):
            users.add(key)
    assert users
    for key in users:
        assert makers & set(graph.forwards_plan(key)), f"{key} may come before the extension"


def has_vectors(operation: object) -> bool:
    fields = [getattr(operation, "field", None), *dict(getattr(operation, "fields", ())).values()]
    return any(isinstance(field, VECTOR_FIELDS) for field in fields)


def test_a_role_that_is_no_superuser_migrates_where_the_extension_is(role: str) -> None:
    with empty_database(role) as name:
        with connected_to(name), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION vector")
        with connected_to(name, **ROLE):
            for app in ("jobs", "ingestion", "svq_site"):  # functions, triggers, vectors
                call_command("migrate", app, verbosity=0)
            assert there("datasources_datasource", "ingestion_chunkembedding", "procrastinate_jobs")


def test_a_role_that_is_no_superuser_restores_a_backup(role: str, tmp_path: Path, settings: Any) -> None:
    """Extension and comments belong to somebody else, and the server's own roles are others."""
    back_up(tmp_path / "backup")
    settings.DATA_DIR = tmp_path
    with empty_database(role) as name:
        with connected_to(name), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION vector")
        with connected_to(name, **ROLE):
            restore(tmp_path / "backup")
            assert there("datasources_datasource", "ingestion_chunkembedding", "procrastinate_jobs")


def test_a_role_that_cannot_make_the_extension_reads_what_to_do(role: str) -> None:
    with (
        empty_database(role) as name,
        connected_to(name, **ROLE),
        pytest.raises(CommandError, match=r"may not create it.*superuser run CREATE EXTENSION vector"),
    ):
        Up().prepare()


def test_a_role_that_may_make_no_tables_reads_what_to_do(role: str) -> None:
    with empty_database() as name:
        with connected_to(name), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION vector")
        with (
            connected_to(name, **ROLE),
            pytest.raises(CommandError, match=r"may make no tables.*GRANT CREATE ON SCHEMA"),
        ):
            Up().prepare()
