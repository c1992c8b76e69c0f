"""Makes a backup: files first, then one moment of the database with the files that came meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from exchange.packs.facts import svq_version
from svq_site.backup import database, files, store
from svq_site.backup.errors import BackupError
from svq_site.backup.files import HostFile
from svq_site.backup.manifest import Content, File, Manifest
from svq_site.backup.store import Point, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """copied: how many files' contents are new in the folder; removed: how many of older backups are gone."""

    point: Point
    manifest: Manifest
    copied: int
    removed: int


def back_up(folder: Path, passphrase: str = "", *, keep: int = 0) -> Made:
    """One more backup in the folder. keep: how many of the latest stay, 0 for all.

    Raises BackupError, PostgresError, OSError; what was copied until then is not copied again.
    """
    if not database.is_migrated():
        raise BackupError("The database of this host has no tables yet: there is nothing to back up.")
    with store.writing(folder, passphrase) as place:
        copying = _Copying(place)
        copying.copy(files.files_of_host())  # most of the time, without a snapshot that would hold up VACUUM
        manifest = _manifest(place, copying)
        point = place.add_point(manifest)
        removed = forget_all_but(place, keep, point) if keep else 0
    return Made(point=point, manifest=manifest, copied=copying.new, removed=removed)


def _manifest(place: Store, copying: "_Copying") -> Manifest:
    """A file that is gone belongs to a deletion: then another moment, in which its row is gone too. One
    that a second moment misses as well had been lost before.
    """
    missing_before: set[str] = set()
    while True:
        with database.snapshot() as moment:
            wanted = files.files_of_host()
            missing = copying.copy(wanted)
            if not missing_before.issuperset(missing):
                missing_before = set(missing)
                continue
            made = timezone.now()
            with moment.dump() as dump:
                dumped = place.add(dump)
            return Manifest(
                made=made,
                version=svq_version(),
                postgres=database.server_version(),
                dumped_by=database.dump_version(),
                migrations=database.migrations(),
                rows=database.row_counts(),
                database=dumped,
                files=copying.entries(wanted),
                missing=missing,
                secret_key=files.secret_key_in_folder(),
            )


class _Copying:
    """Knows what is in the folder already: from the backup before, and from one that was ended."""

    def __init__(self, place: Store) -> None:
        self._place = place
        self._copied: dict[str, Content] = {}
        self.new = 0  # contents that the folder did not have
        unchanged = _of_last_backup(place) | place.copied()
        self._unchanged = {key: content for key, content in unchanged.items() if place.has(content)}

    def copy(self, wanted: Iterable[HostFile]) -> list[str]:
        """Those that are not copied yet. The names of those that are gone. Raises OSError."""
        missing = []
        for file in wanted:
            if file.key in self._copied:
                continue
            known = None if file.changes else self._unchanged.get(file.key)
            try:
                self._copied[file.key] = known or self._new(file)
            except FileNotFoundError:
                missing.append(file.key)
        return missing

    def entries(self, wanted: Iterable[HostFile]) -> list[File]:
        return [
            File(area=file.area, name=file.name, content=content.content, size=content.size)
            for file in wanted
            if (content := self._copied.get(file.key))
        ]

    def _new(self, file: HostFile) -> Content:
        before = self._place.added
        with file.open() as source:
            content = self._place.add(source)
        self.new += self._place.added - before
        self._place.note_copied(file.key, content)
        return content


def _of_last_backup(place: Store) -> dict[str, Content]:
    """By the key of the file. A damaged manifest only means that all is read again."""
    for point in reversed(place.points()):
        try:
            found = place.manifest(point).files
        except BackupError:
            continue
        return {f"{file.area}/{file.name}": Content(content=file.content, size=file.size) for file in found}
    return {}


def forget_all_but(place: Store, keep: int, newest: Point) -> int:
    """Remove older backups, and contents that no other has; how many. Raises BackupError, OSError.

    newest: the one just made, which stays also where a clock once went wrong and others are dated later.
    """
    before = [point for point in place.points() if point != newest]
    older = before[: len(before) - (keep - 1)]
    staying = [*before[len(older) :], newest]
    try:
        kept = {each.content for point in staying for each in place.manifest(point).contents()}
    except BackupError as error:
        raise BackupError(
            f"{error} The new backup is complete, and no older one was removed, because it can't be seen what"
            " is still needed. Remove that file, or make the next backups in a new folder."
        ) from error
    for point in older:
        point.path.unlink()
    return place.remove_besides(kept)
