"""Puts a backup into an empty host. The database comes last and in one transaction; a restore that was ended
before or after it is begun again.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from svq_site.backup import database, files, store
from svq_site.backup.checking import damages
from svq_site.backup.errors import BackupError
from svq_site.backup.manifest import Area, File, Manifest
from svq_site.backup.sealing import BLOCK, Hashed
from svq_site.backup.store import Point, Store
from text.counted import counted

EMPTY_ONE = (
    "Nothing was changed. Restore into an empty host: set SVQ_DATA_DIR to a new folder, and DATABASE_URL,"
    " where it is set, to a new database."
)

# A file of the data folder, from when the database is loaded until all is done: the name of the backup.
BEGUN = "restore-begun"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """upgraded: how many migrations the backup did not have."""

    point: Point
    manifest: Manifest
    upgraded: int


def restore(folder: Path, passphrase: str = "", *, point_name: str = "") -> Restored:
    """The latest backup of the folder, or that of this name. Raises BackupError, PostgresError, OSError."""
    place = store.opened(folder, passphrase)
    point = _point(place, point_name)
    manifest = place.manifest(point)
    refuse_newer(manifest)
    begun = settings.DATA_DIR / BEGUN
    is_loaded = begun.exists() and begun.read_text() == point.path.name and database.is_migrated()
    if not is_loaded:
        refuse_filled_host(manifest)
    for file in manifest.files:
        files.check_name(file.area, file.name)
    if found := damages(place, manifest.contents()):
        raise BackupError(
            f"The backup of {point.name} is damaged: {found[0]} Nothing was changed. `manage.py backup"
            f" --check {folder}` says which backups of the folder are whole; --point restores an earlier one."
        )
    for file in manifest.files:
        _put(place, file)
    begun.write_text(point.path.name)
    os.sync()  # the database, which says that they are there, comes after them
    if not is_loaded:
        database.load(manifest.dumped_by, lambda target: place.write(manifest.database, target))
    if database.migrations() == manifest.migrations:  # else it was ended while it was upgraded
        _compare(manifest)
    call_command("migrate", interactive=False, verbosity=0)
    database.analyse()
    begun.unlink()
    upgraded = len(database.migrations()) - len(manifest.migrations)
    return Restored(point=point, manifest=manifest, upgraded=upgraded)


def _point(place: Store, name: str) -> Point:
    points = place.points()
    if not points:
        raise BackupError(f"There is no complete backup in {place.folder}. Nothing was changed.")
    if not name:
        return points[-1]
    for point in points:
        if point.name == name:
            return point
    names = ", ".join(point.name for point in points)
    raise BackupError(f"There is no backup {name} in {place.folder}. Nothing was changed. It has {names}.")


def refuse_newer(manifest: Manifest) -> None:
    """Raises BackupError for what this version could not read."""
    if unknown := database.unknown_migrations(manifest.migrations):
        raise BackupError(
            f"SVQ {manifest.version} made this backup, and it has {counted(len(unknown), 'migration')} that"
            f" this version does not know, such as {unknown[0]}. Nothing was changed. Restore it with the"
            " version that made it, or a later one."
        )
    if (server := database.server_version()) < manifest.postgres:
        raise BackupError(
            f"The backup is of Postgres {manifest.postgres}, and this is Postgres {server}. Nothing was"
            f" changed. Name a database of Postgres {manifest.postgres} or newer in DATABASE_URL,"
            " or unset it."
        )


def refuse_filled_host(manifest: Manifest) -> None:
    """Raises BackupError where anything is that a restore would mix with or overwrite."""
    if tables := connection.introspection.table_names():
        rows = database.row_counts()
        accounts, documents = rows.get("accounts_user", 0), rows.get("datasources_document", 0)
        raise BackupError(
            f"The database of this host is in use: {counted(len(tables), 'table')},"
            f" {counted(accounts, 'account')}, {counted(documents, 'document')}. {EMPTY_ONE}"
        )
    expected = {file.name for file in manifest.files if file.area == Area.DOCUMENTS}
    if foreign := files.foreign_documents(expected):
        raise BackupError(
            f"The storage of this host holds {counted(len(foreign), 'file')} that the backup does not have."
            f" {EMPTY_ONE} Files in S3 need an empty SVQ_S3_PREFIX or bucket."
        )


def _put(place: Store, file: File) -> None:
    def same(found: IO[bytes]) -> bool:
        passed = Hashed(source=found)
        while passed.read(BLOCK):
            pass
        return place.is_content(file, passed)

    files.put(file.area, file.name, lambda target: place.write(file, target), same)


def _compare(manifest: Manifest) -> None:
    """Raises BackupError where a table has other rows than the backup says."""
    rows = database.row_counts()
    names = sorted(rows.keys() | manifest.rows.keys())
    if different := [name for name in names if rows.get(name) != manifest.rows.get(name)]:
        name = different[0]
        raise BackupError(
            f"{counted(len(different), 'table')} came back with other rows than were backed up, such as"
            f" {name}: {rows.get(name, 0):,} of {manifest.rows.get(name, 0):,}. Don't use this host."
            " The backup is untouched: restore it into another empty one."
        )
