"""A folder of the server's own file system, below one that its operator has released."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from django.conf import settings
from django.utils.translation import gettext as _

from exchange.connectors.sources.source import Entry, FileRefused, SourceError, keep, too_large
from localization.stored import said

MOST_FOLDERS, DEEPEST = 20_000, 100
BLOCK = 2**20  # bytes
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def released(place: str) -> Path | None:
    """The folder, if it is one of SVQ_CONNECTOR_FOLDERS or lies in one, links followed."""
    try:
        path = Path(place).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_dir() and any(path.is_relative_to(root) for root in _roots()) else None


class FolderSource:
    """Links in it are not followed: they could lead out of what was released. Whoever may write there could
    put one in the place of any folder at any moment, so each part of a path is opened by itself.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._folders = 0

    def try_it(self) -> None:
        root, parts = self._where()
        try:
            with _opened(root, parts) as handle:
                os.listdir(handle)
        except OSError as error:
            raise SourceError(
                "unreadable", said("It can't be read: {why}.", why=str(error.strerror))
            ) from None

    def entries(self) -> Iterator[Entry]:
        self._folders = 0
        root, parts = self._where()
        try:
            with _opened(root, parts) as handle:
                yield from self._within(handle, PurePosixPath())
        except OSError as error:  # half a folder would look as if the other half had been deleted
            raise SourceError(
                "unreadable", said("A folder in it can't be read: {why}.", why=str(error.strerror))
            ) from None

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        path = PurePosixPath(entry.path)
        root, parts = self._where()
        try:
            with _opened(root, [*parts, *path.parent.parts]) as folder:
                handle = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        except OSError as error:
            raise FileRefused(said("It can't be read: {why}.", why=str(error.strerror))) from None
        with open(handle, "rb") as opened:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise FileRefused(_("It is not a file."))
            if found.st_size > most:
                raise too_large(most)
            _copy(opened, file, most)
        return ""

    def close(self) -> None:
        """Nothing is held open."""

    def _within(self, handle: int, below: PurePosixPath) -> Iterator[Entry]:
        self._folders += 1
        if self._folders > MOST_FOLDERS:
            raise SourceError(
                "many_folders",
                said("There are more than {n} folders in it.", n=MOST_FOLDERS),
                _("Nothing was changed. Connect folders in it, one by one."),
            )
        for name in sorted(os.listdir(handle)):
            try:
                found = os.stat(name, dir_fd=handle, follow_symlinks=False)
            except OSError:  # deleted since its folder was read
                continue
            if stat.S_ISREG(found.st_mode):
                yield _entry(below / name, found)
            elif stat.S_ISDIR(found.st_mode) and not name.startswith(".") and len(below.parts) < DEEPEST:
                inner = os.open(name, FOLDER, dir_fd=handle)
                try:
                    yield from self._within(inner, below / name)
                finally:
                    os.close(inner)

    def _where(self) -> tuple[Path, Sequence[str]]:
        """The folder that the operator has released, and the way from there."""
        place = released(self._place)
        root = next((root for root in _roots() if place is not None and place.is_relative_to(root)), None)
        if place is None or root is None:
            raise SourceError(
                "not_there",
                _(
                    "This server has no such folder, or its administrator has not allowed it "
                    "(SVQ_CONNECTOR_FOLDERS; SVQ reads that when it starts)."
                ),
            )
        return root, place.relative_to(root).parts


def _roots() -> list[Path]:
    return [Path(root).resolve() for root in settings.CONNECTOR_FOLDERS]


@contextmanager
def _opened(root: Path, parts: Sequence[str]) -> Iterator[int]:
    """The folder at the end of these parts. Raises OSError where one of them is a link."""
    with ExitStack() as opened:
        handle = os.open(root, FOLDER)
        opened.callback(os.close, handle)
        for part in parts:
            handle = os.open(part, FOLDER, dir_fd=handle)
            opened.callback(os.close, handle)
        yield handle


def _copy(opened: BinaryIO, file: BinaryIO, most: int) -> None:
    """It may grow meanwhile. Raises FileRefused."""
    keep(iter(lambda: opened.read(BLOCK), b""), file, most)


def _entry(path: PurePosixPath, found: os.stat_result) -> Entry:
    version = f"{found.st_mtime_ns}-{found.st_size}-{found.st_ino}"
    name = os.fsencode(path).decode("utf-8", "replace")
    refusal = "" if name == str(path) else _("Its name is not in UTF-8. Give it another one.")
    return Entry(path=name, version=version, size=found.st_size, refusal=refusal)
