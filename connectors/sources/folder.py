"""A folder of the server's own file system, below one that its operator has released."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from connectors.sources.source import Entry, FileRefused, SourceError, too_large

MOST_FOLDERS = 20_000


def released(place: str) -> Path | None:
    """The folder, if it is one of SVQ_CONNECTOR_FOLDERS or lies in one, links followed."""
    try:
        path = Path(place).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    roots = [Path(root).resolve() for root in settings.CONNECTOR_FOLDERS]
    return path if path.is_dir() and any(path.is_relative_to(root) for root in roots) else None


class FolderSource:
    """Links in it are not followed: they could lead out of what was released."""

    def __init__(self, place: str) -> None:
        self._place = place

    def entries(self) -> Iterator[Entry]:
        root = self._root()
        for number, (folder, folders, names) in enumerate(os.walk(root, onerror=_unreadable)):
            if number > MOST_FOLDERS:
                raise SourceError(
                    "many_folders",
                    f"There are more than {MOST_FOLDERS:,} folders in it.",
                    "Nothing was changed. Connect folders in it, one by one.",
                )
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in names:
                path = Path(folder, name)
                try:
                    found = path.lstat()
                except OSError:  # deleted since its folder was read
                    continue
                if stat.S_ISREG(found.st_mode):
                    yield Entry(
                        path=path.relative_to(root).as_posix(),
                        version=f"{found.st_mtime_ns}-{found.st_size}-{found.st_ino}",
                        size=found.st_size,
                    )

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> None:
        root = self._root()
        try:
            path = (root / entry.path).resolve(strict=True)
            if not path.is_relative_to(root):
                raise FileRefused("It is a link that leads out of the folder.")
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise FileRefused(f"It can't be read: {error.strerror}.") from None
        with open(handle, "rb") as opened:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise FileRefused("It is no file.")
            if found.st_size > most:
                raise too_large(most)
            shutil.copyfileobj(opened, file)

    def close(self) -> None:
        """Nothing is held open."""

    def _root(self) -> Path:
        root = released(self._place)
        if root is None:
            raise SourceError(
                "not_there",
                "This server has no such folder, or its operator has not released it "
                "(SVQ_CONNECTOR_FOLDERS).",
            )
        return root


def _unreadable(error: OSError) -> None:
    """Half a folder would look as if the other half had been deleted."""
    raise SourceError("unreadable", f"A folder in it can't be read: {error.strerror}.")
