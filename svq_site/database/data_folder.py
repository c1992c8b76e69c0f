"""The data folder, which is closed to other users, and the secrets in it."""

import os
import tempfile
from pathlib import Path

PRIVATE, PASSABLE = 0o700, 0o710


def make(folder: Path, *, passable_for: int | None = None) -> None:
    """Make the folder where it is missing, for its owner alone. One that is there and empty is closed too;
    the rights of one in use are its owner's affair, and `doctor` tells of them.

    passable_for: a group that may go through it to a folder of its own, but not look around.
    """
    if folder.exists() and (any(folder.iterdir()) or folder.stat().st_uid != os.geteuid()):
        return
    folder.mkdir(parents=True, exist_ok=True)
    if passable_for is not None:
        os.chown(folder, -1, passable_for)
    folder.chmod(PRIVATE if passable_for is None else PASSABLE)


def keep_secret(path: Path, text: str) -> bool:
    """Write a file that only its owner may read, whole or not at all. False when there is one already."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # readable only by its owner
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return True


def open_to_others(folder: Path) -> bool:
    """Whether anybody on this machine may look into it."""
    return bool(folder.stat().st_mode & 0o077 & ~0o010)
