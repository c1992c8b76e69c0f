"""Files made from others: made at the first call, kept beside their kind, written whole or not at all."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(path: Path, make: Callable[[], bytes]) -> Path:
    """`path`, which holds what `make` gave when the file was first asked for."""
    if not path.exists():
        content = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            _put(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    return path


def _put(temporary: str, path: Path) -> None:
    """Where two made the file at once, the first one stays: a reader may be open to that one and, as it is
    confined, to no other file that takes its name.
    """
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        os.replace(temporary, path)
