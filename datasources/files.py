"""The stored files of documents: as a path on this machine wherever they are kept, and their end."""

import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files import File

from datasources.models import Document
from datasources.storage_errors import as_os_errors
from formats.base.values import SourceFile


def store_file(document: Document, content: File) -> None:
    """Put a file into the storage and name it in the document, which is not saved. Raises OSError."""
    with as_os_errors():
        document.file.save(document.filename, content, save=False)


@contextmanager
def local_path(document: Document) -> Iterator[Path]:
    """The file on disk: itself under local storage, else a temporary copy. Raises OSError when it is gone."""
    storage = document.file.storage
    try:
        path = Path(storage.path(str(document.file.name)))
    except NotImplementedError:  # a remote storage has no paths
        pass
    else:
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=Path(document.filename).suffix) as copy:
        with as_os_errors(), document.file.open("rb") as source:
            shutil.copyfileobj(source, copy, 1 << 20)
        copy.flush()
        yield Path(copy.name)


@contextmanager
def source_file(document: Document) -> Iterator[SourceFile]:
    """The file as formats take it, which may make a rendition of it. Raises OSError when it is gone."""
    try:
        with local_path(document) as path:
            yield SourceFile(path=path, derived=derived_folder(document.sha256))
    finally:
        delete_derived_files([document.sha256])


def derived_folder(sha256: str) -> Path:
    """Keeps what is made from a content: its PDF rendition, page images, crops, cut PDFs."""
    return Path(settings.CACHE_DIR) / "pages" / sha256[:2] / sha256


def delete_derived_files(contents: Collection[str]) -> None:
    """Delete what was made from these contents (SHA-256), but for those that a document still has.

    Called after a purge, and by whoever has just made something: the purge may have come in between.
    """
    kept = Document.objects.filter(sha256__in=contents).values_list("sha256", flat=True)
    for sha256 in set(contents) - set(kept):
        shutil.rmtree(derived_folder(sha256), ignore_errors=True)


def delete_files(documents: Sequence[Document]) -> None:
    """Delete the files of these documents, but for those that a remaining row refers to.

    Called once the rows are gone: passages share a file, and a version may have come to nothing.
    """
    names = {document.file.name for document in documents if document.file.name}
    kept = set(Document.objects.filter(file__in=names).values_list("file", flat=True))
    storage = Document._meta.get_field("file").storage
    for name in names - kept:
        storage.delete(name)
