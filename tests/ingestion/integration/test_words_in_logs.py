"""What was purged is in no log and no file: neither Postgres nor SVQ repeats a name or a text in its log."""

import io
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from logging.config import DictConfigurator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from accounts.models import User
from datasources.models import Datasource, Document
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge
from svq_site.database.database import embedded_dir, is_embedded

pytestmark = pytest.mark.django_db(transaction=True)

# Of the data folder: the files of tables, from which Postgres removes deleted rows in its own time, and what
# holds nothing of documents.
NOT_SEARCHED = {"base", "pg_wal", "models", "static"}


def failing_statements(word: str, document: Document) -> Iterator[Callable[[Any], Any]]:
    """Each has the word in its error or in the statement that Postgres would write beside it."""
    table = Document._meta.db_table
    copied = f"INSERT INTO {table} SELECT * FROM {table} WHERE id = %s AND '{word}' <> ''"
    yield lambda cursor: cursor.execute(copied, [document.pk])  # Key (id)=... already exists
    yield lambda cursor: cursor.execute(
        f"CREATE TEMP TABLE t (name text UNIQUE); INSERT INTO t VALUES ('{word}'), ('{word}')"
    )
    yield lambda cursor: cursor.execute(
        f"UPDATE {table} SET title = NULL WHERE id = %s", [document.pk]
    )  # Failing row
    yield lambda cursor: cursor.execute("SELECT %s::int", [word])  # invalid input syntax
    yield lambda cursor: cursor.execute("SELECT to_tsquery(%s)", [f"{word} &&& ("])
    yield lambda cursor: cursor.execute(f"SELECT '{word}' FROM {word}")  # relation does not exist
    yield lambda cursor: cursor.execute(f"SET LOCAL statement_timeout = 20; SELECT pg_sleep(1), '{word}'")
    yield lambda cursor: cursor.execute("SELECT %s::jsonb", [f'{{"{word}": '])


def provoke(word: str, document: Document) -> list[DatabaseError]:
    errors = []
    for statement in failing_statements(word, document):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                statement(cursor)
        except DatabaseError as error:
            errors.append(error)
    return errors


def files_with(word: str, *folders: Path) -> list[str]:
    found = []
    for folder in folders:
        for place, inner, names in os.walk(folder):
            inner[:] = [each for each in inner if each not in NOT_SEARCHED]
            for name in names:
                with suppress(OSError):  # a socket, or gone meanwhile
                    if word.encode() in (Path(place) / name).read_bytes():
                        found.append(f"{place}/{name}")
    return found


def test_nothing_of_a_purged_document_is_in_any_log(contracts: Datasource, alice: User, work: Any) -> None:
    if not is_embedded():
        pytest.skip("the log of another server is not ours to look into")
    word = f"quellbridge{uuid4().hex[:12]}"
    text = io.BytesIO(f"The {word} clause ends in May.".encode())
    document = accept_upload(contracts, alice, f"{word}.txt", text)[0].document
    work()
    storage = Path(Document._meta.get_field("file").storage.location)  # type: ignore[attr-defined]
    folders = (embedded_dir().parent, storage, settings.CACHE_DIR, settings.DATA_DIR)
    assert files_with(word, *folders), "the file itself is found"
    assert len(provoke(word, document)) == 8
    document.refresh_from_db()
    purge(document)
    work()
    assert files_with(word, *folders) == []


def test_our_own_log_has_no_values(contracts: Datasource, alice: User, work: Any) -> None:
    word = f"quellbridge{uuid4().hex[:12]}"
    document = accept_upload(contracts, alice, f"{word}.txt", io.BytesIO(word.encode()))[0].document
    logged: Any = settings.LOGGING
    line = DictConfigurator(logged).configure_formatter(dict(logged["formatters"]["line"]))
    written = []
    for error in provoke(word, document):
        given = (type(error), error, error.__traceback__)
        for record in (
            logging.LogRecord("svq", logging.ERROR, __file__, 1, "request", (), given),
            logging.LogRecord("svq", logging.ERROR, __file__, 1, "failed: %s", (error,), None),
        ):
            written.append(line.format(record))
    told = "\n".join(written)
    assert 'violates unique constraint "' in told
    assert word not in told
