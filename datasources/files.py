"""A document's file as a path on this machine, wherever the storage keeps it."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datasources.models import Document


@contextmanager
def local_path(document: Document) -> Iterator[Path]:
    """The file on disk: itself under local storage, else a temporary copy. Raises OSError when it is gone."""
    storage = document.file.storage
    try:
        yield Path(storage.path(str(document.file.name)))
        return
    except NotImplementedError:  # a remote storage has no paths
        pass
    with tempfile.NamedTemporaryFile(suffix=Path(document.filename).suffix) as copy:
        with document.file.open("rb") as source:
            shutil.copyfileobj(source, copy, 1 << 20)
        copy.flush()
        yield Path(copy.name)
