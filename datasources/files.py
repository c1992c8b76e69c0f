"""The stored files of documents: as a path on this machine wherever they are kept, and their end."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from datasources.models import Document
from formats.base.values import SourceFile


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


@contextmanager
def source_file(document: Document) -> Iterator[SourceFile]:
    """The file as formats take it. Raises OSError when it is gone."""
    with local_path(document) as path:
        yield SourceFile(path=path, derived=derived_folder(document.sha256))


def derived_folder(sha256: str) -> Path:
    """Keeps what is made from a content: its PDF rendition, page images, crops, cut PDFs."""
    return Path(settings.CACHE_DIR) / "pages" / sha256[:2] / sha256


def delete_files(documents: Sequence[Document]) -> None:
    """Delete the files of these documents, but for those that a remaining row refers to.

    Called once the rows are gone: passages share a file, and a version may have come to nothing.
    """
    names = {document.file.name for document in documents if document.file.name}
    kept = set(Document.objects.filter(file__in=names).values_list("file", flat=True))
    storage = Document._meta.get_field("file").storage
    for name in names - kept:
        storage.delete(name)
