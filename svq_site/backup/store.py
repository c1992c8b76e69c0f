"""A backup folder: contents by their hash, each once, and the points in time that are made of them.

svq-backup.json     the form of the folder
key.json            in an encrypted folder (sealing)
contents/ab/ab12…   files, dumps of the database
points/TIME-HASH    a manifest each (manifest); written last, so what has one is complete
copied.jsonl        what a backup that has not come to its end has copied already
"""

import json
import os
import re
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from svq_site.backup.errors import BackupError, Damaged
from svq_site.backup.manifest import Content, Manifest
from svq_site.backup.sealing import KEY, Hashed, Reader, Sealing, new_key, sealing_of

FORM = "svq-backup.json"
VERSION = 1
CONTENTS, POINTS, JOURNAL, LOCK = "contents", "points", "copied.jsonl", "lock"
UNFINISHED = "unfinished-"
POINT_TIME = "%Y%m%dT%H%M%SZ"
POINT = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{16})(?:\.age)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A complete backup. name: its time in UTC."""

    name: str
    path: Path


class Store:
    def __init__(self, folder: Path, sealing: Sealing) -> None:
        self.folder = folder
        self._sealing = sealing
        self.added = 0  # how many contents were not there before

    # contents -------------------------------------------------------------------------------------------

    def add(self, plain: Reader) -> Content:
        """Keep what it reads, unless that is there. Raises OSError, and whatever `plain` raises."""
        source = Hashed(source=plain)
        with self._new_file() as (file, keep):
            self._sealing.seal(source, file)
            content = Content(content=self._sealing.name(source.digest), size=source.size)
            path = self._path(content.content)
            if not path.exists():
                keep(path)
                self.added += 1
        return content

    def has(self, content: Content) -> bool:
        return self._path(content.content).exists()

    def write(self, content: Content, target: Any = None) -> None:
        """Write it to something with `write`, if given; in any case it is read and its hash compared.

        Raises Damaged, where part of it may have been written, and OSError.
        """
        passed = Hashed(target=target)
        try:
            with _opened(self._path(content.content)) as file:
                self._sealing.open(file, passed)
        except FileNotFoundError as error:
            raise Damaged(f"{self._path(content.content)} is missing.") from error
        except Damaged as error:
            raise Damaged(f"{self._path(content.content)} is damaged.") from error
        if not self.is_content(content, passed):
            raise Damaged(f"{self._path(content.content)} is damaged.")

    def is_content(self, content: Content, passed: Hashed) -> bool:
        return passed.size == content.size and self._sealing.name(passed.digest) == content.content

    def remove_besides(self, kept: Collection[str]) -> int:
        """Remove all contents but these; how many they were."""
        paths = [path for path in (self.folder / CONTENTS).glob("*/*") if path.stem not in kept]
        for path in paths:
            path.unlink()
        return len(paths)

    def _path(self, content: str) -> Path:
        return self.folder / CONTENTS / content[:2] / f"{content}{self._sealing.suffix}"

    @contextmanager
    def _new_file(self) -> Iterator[Any]:
        """A file for this account alone, and how to give it its place; without a place it is removed."""
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=UNFINISHED, delete=False) as file:
            path = Path(file.name)

            def keep(place: Path) -> None:
                file.flush()
                os.fsync(file.fileno())
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.replace(place)

            try:
                yield file, keep
            finally:
                path.unlink(missing_ok=True)

    # points ---------------------------------------------------------------------------------------------

    def points(self) -> list[Point]:
        """The latest last."""
        paths = sorted((self.folder / POINTS).glob("*"))
        return [Point(name=form[1], path=path) for path in paths if (form := POINT.fullmatch(path.name))]

    def add_point(self, manifest: Manifest) -> Point:
        """From here on there is this backup. Raises OSError."""
        for folder in (self.folder / CONTENTS).iterdir():
            _sync(folder)
        plain = Hashed(source=BytesIO(manifest.model_dump_json(indent=1).encode()))
        with self._new_file() as (file, keep):
            self._sealing.seal(plain, file)
            name = manifest.made.strftime(POINT_TIME)
            path = self.folder / POINTS / f"{name}-{self._sealing.name(plain.digest)[:16]}"
            path = path.with_name(path.name + self._sealing.suffix)
            keep(path)
        _sync(path.parent)
        (self.folder / JOURNAL).unlink(missing_ok=True)
        return Point(name=name, path=path)

    def manifest(self, point: Point) -> Manifest:
        """Raises Damaged, BackupError where it is of a newer SVQ, OSError."""
        plain = BytesIO()
        passed = Hashed(target=plain)
        with _opened(point.path) as file:
            self._sealing.open(file, passed)
        if f"-{self._sealing.name(passed.digest)[:16]}" not in point.path.name:
            raise Damaged(f"The manifest {point.path} is damaged.")
        found = Manifest.read(plain.getvalue())
        if found.made.strftime(POINT_TIME) != point.name:
            raise Damaged(f"{point.path} is an older backup under the name of a later one.")
        return found

    # what a backup has copied before it was ended --------------------------------------------------------

    def copied(self) -> dict[str, Content]:
        """By what each is the content of. A line that a kill has cut short is left out."""
        found: dict[str, Content] = {}
        try:
            lines = (self.folder / JOURNAL).read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return found
        for line in lines:
            try:
                of, content, size = json.loads(line)
            except ValueError:
                continue
            found[of] = Content(content=content, size=size)
        return found

    def note_copied(self, of: str, content: Content) -> None:
        with (self.folder / JOURNAL).open("a") as file:
            file.write(json.dumps([of, content.content, content.size]) + "\n")


def opened(folder: Path, passphrase: str = "") -> Store:
    """To read a backup folder, which may be on a disk that can't be written to. Raises BackupError."""
    try:
        form = json.loads((folder / FORM).read_bytes())["svq_backup"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder} is no backup folder of SVQ. Nothing was changed.") from error
    if form != VERSION:
        raise BackupError(
            f"{folder} was made by a newer version of SVQ. Nothing was changed. Use that version."
        )
    return Store(folder, sealing_of(folder, passphrase))


@contextmanager
def writing(folder: Path, passphrase: str = "") -> Iterator[Store]:
    """To write into a backup folder, one process at a time. A folder that is missing or empty becomes one,
    encrypted if there is a pass phrase. Raises BackupError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BackupError(
            f"Another backup is being written into {folder}. Nothing was changed. Wait until it has ended."
        ) from error
    try:
        for path in folder.glob(f"{UNFINISHED}*"):  # of a process that was killed
            path.unlink()
        if not (folder / FORM).exists():
            _make(folder, passphrase)
        yield opened(folder, passphrase)
    finally:
        lock.release()


def _make(folder: Path, passphrase: str) -> None:
    if any(path.name not in (LOCK, KEY) for path in folder.iterdir()):
        raise BackupError(
            f"{folder} holds files and is no backup folder of SVQ. Nothing was changed. Name an empty folder."
        )
    folder.chmod(0o700)
    if passphrase:
        _write(folder / KEY, new_key(passphrase))
    else:
        (folder / KEY).unlink(missing_ok=True)
    _write(folder / FORM, json.dumps({"svq_backup": VERSION}).encode())


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, for this account alone."""
    fresh = path.with_name(f"{UNFINISHED}{path.name}")
    fresh.touch(mode=0o600)
    fresh.write_bytes(content)
    fresh.replace(path)


def _sync(folder: Path) -> None:
    """So that a name outlives a crash of the machine."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _opened(path: Path) -> BinaryIO:
    """Raises FileNotFoundError, and Damaged for what is no ordinary file and might never end."""
    if path.exists() and not path.is_file():
        raise Damaged(f"{path} is no ordinary file.")
    return path.open("rb")
