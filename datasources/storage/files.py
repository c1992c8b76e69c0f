"""The stored files of documents: as a path on this machine wherever they are kept, and their end."""

import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage

from datasources.models import Document
from datasources.models.documents import content_of
from datasources.storage.errors import as_os_errors
from formats.base.values import SourceFile

HASH = 64  # letters of a SHA-256


def store_file(document: Document, content: File) -> None:
    """Put a file into the storage and name it in the document, which is not saved.

    Raises OSError; nothing of the file is left then, as when the disk was full in the middle of it.
    """
    field = document.file.field
    name = field.generate_filename(document, document.filename)
    try:
        with as_os_errors():
            document.file = field.storage.save(name, content, max_length=field.max_length)
    except BaseException:
        with suppress(OSError), as_os_errors():
            field.storage.delete(name)
        raise


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
            yield SourceFile(path=path, derived=derived_folder(document.content))
    finally:
        delete_derived_files([document.content])


def derived_folder(content: str) -> Path:
    """Keeps what is made from a content: its PDF rendition, page images, crops, cut PDFs."""
    return Path(settings.CACHE_DIR) / "pages" / content[-HASH:][:2] / content


def unshared(contents: Collection[str], besides: Collection[int] = ()) -> set[str]:
    """Those of these contents that no document has, apart from `besides`."""
    hashes = {content[-HASH:] for content in contents}
    others = Document.objects.filter(sha256__in=hashes).exclude(pk__in=besides)
    return set(contents) - {content_of(*row) for row in others.values_list("datasource", "sha256")}


def delete_derived_files(contents: Collection[str]) -> None:
    """Delete what was made from these contents, but for those that a document still has.

    Called after a purge, and by whoever has just made something: the purge may have come in between.
    """
    for content in unshared(contents):
        shutil.rmtree(derived_folder(content), ignore_errors=True)


def unused(names: Collection[str], besides: Collection[int] = ()) -> set[str]:
    """Those of these stored files to which no row refers, apart from `besides`: passages share one."""
    others = Document.objects.filter(file__in=names).exclude(pk__in=besides)
    return set(names) - set(others.values_list("file", flat=True))


def delete_stored(names: Collection[str]) -> None:
    """Delete these stored files, but for those that a row refers to. Raises OSError."""
    storage = documents_storage()
    for name in sorted(unused(names)):
        with as_os_errors():
            storage.delete(name)


def delete_folder(datasource_id: int) -> None:
    """Delete the folder of a datasource's files, if the storage has folders and nothing is in it."""
    with suppress(NotImplementedError, OSError):
        Path(documents_storage().path(str(datasource_id))).rmdir()


def count_stored(names: Collection[str]) -> int:
    """How many of these files are in the storage though no row refers to them. Raises OSError."""
    storage = documents_storage()
    with as_os_errors():
        return sum(storage.exists(name) for name in unused(names))


def documents_storage() -> Storage:
    storage: Storage = Document._meta.get_field("file").storage
    return storage
