"""Temporary folders that are seen to be left behind: whoever works in one holds a lock on it, which ends with
its process, however that ends.
"""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

YOUNG = 60  # seconds for which a folder that nobody holds may be one that is being made


class HeldFolder:
    def __init__(self, beginning: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=beginning))
        self._handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._handle)


def remove_left(beginning: str) -> None:
    """Those whose names begin so and that no process on this machine holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{beginning}*"):
        with suppress(OSError):  # gone meanwhile, held, or of another account
            if time.time() - folder.stat().st_mtime > YOUNG:
                _remove_unheld(folder)


def _remove_unheld(folder: Path) -> None:
    """Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
    finally:
        os.close(handle)
