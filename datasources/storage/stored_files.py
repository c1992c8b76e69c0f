"""Whether the file storage and the documents agree: files without a row, rows without a file."""

import posixpath
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from datasources.models import Deletion, Document
from datasources.storage.errors import as_os_errors
from datasources.storage.files import documents_storage, unshared, unused

UNDER_WAY = timedelta(hours=1)  # a file is stored before its row: a younger one may belong to an upload
AT_ONCE = 1000  # names that one query looks up


def orphans() -> list[str]:
    """Stored files to which no row refers, apart from those of uploads and deletions. Raises OSError."""
    # The names first, then the rows, then the deletions: a file is in one of these until it is deleted.
    own = (name for name in stored_names() if name.partition("/")[0].isdigit())  # in a datasource's folder
    names = [name for portion in _portions(own) for name in unused(portion)]
    orphaned = sorted(set(names) - _pending("files"))
    return [name for name in orphaned if is_older(name, UNDER_WAY)]


def _pending(column: str) -> set[str]:
    """The `files` or `contents` of deletions that are not finished."""
    return {name for names in Deletion.objects.unfinished().values_list(column, flat=True) for name in names}


def is_older(name: str, age: timedelta) -> bool:
    """Whether the file is there and was written longer ago. Raises OSError."""
    try:
        with as_os_errors():
            return documents_storage().get_modified_time(name) < timezone.now() - age
    except FileNotFoundError:
        return False


def documents_without_file() -> list[Document]:
    """Documents whose file is not in the storage. Raises OSError."""
    there = set(stored_names())
    named = Document.objects.exclude(file="").only("pk", "title", "file").order_by("pk").iterator()
    return [document for document in named if document.file.name not in there]


def orphaned_folders() -> list[Path]:
    """Folders of pictures and other files that were made from a content that no document has."""
    folders = {path.name: path for path in (Path(settings.CACHE_DIR) / "pages").glob("??/*") if path.is_dir()}
    left = {content for portion in _portions(folders) for content in unshared(portion)}
    return [folders[content] for content in sorted(left - _pending("contents"))]


def stored_names(folder: str = "") -> Iterator[str]:
    """The names of all files in the storage. Raises OSError."""
    try:
        with as_os_errors():
            folders, files = documents_storage().listdir(folder)
    except FileNotFoundError:  # nothing was ever stored
        return
    yield from (posixpath.join(folder, name) for name in files)
    for inner in folders:
        yield from stored_names(posixpath.join(folder, inner))


def _portions(names: Collection[str] | Iterator[str]) -> Iterator[list[str]]:
    every = list(names)
    for first in range(0, len(every), AT_ONCE):
        yield every[first : first + AT_ONCE]
