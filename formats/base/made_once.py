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
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    return path
