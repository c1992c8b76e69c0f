"""Temporary folders of processes that were killed before they could remove them."""

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def remove_left_folders(
    beginning: str, seconds: float, remove: Callable[[Path], object] = Path.rmdir
) -> None:
    """Remove those whose names begin so and that have not changed for so long; `rmdir` leaves filled ones."""
    for folder in Path(tempfile.gettempdir()).glob(f"{beginning}*"):
        with suppress(OSError):  # gone meanwhile, filled, or of another account
            if time.time() - folder.stat().st_mtime > seconds:
                remove(folder)
