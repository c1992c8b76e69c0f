"""The files that a host needs beside its database, and how they are put into an empty one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files import File as DjangoFile
from django.utils._os import safe_join

from datasources.models import Document
from datasources.storage import stored_files
from datasources.storage.errors import as_os_errors
from datasources.storage.files import documents_storage
from providers.local_models import store as local_models
from svq_site.backup.errors import BackupError
from svq_site.backup.manifest import Area

SECRET_KEY = "secret_key"
KEYS = (SECRET_KEY, "signing_key")
REPLACED = ".before-restore"  # behind the name of a key in whose place another came


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFile:
    """changes: whether another content may come under the same name."""

    area: Area
    name: str
    changes: bool

    @property
    def key(self) -> str:
        return f"{self.area}/{self.name}"

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Raises OSError, FileNotFoundError where it is gone."""
        with as_os_errors():
            if self.area == Area.DOCUMENTS:
                with documents_storage().open(self.name) as file:
                    yield file
            else:
                with _path(self.area, self.name).open("rb") as file:
                    yield file


def files_of_host() -> list[HostFile]:
    """What rows name, the installed models, and the keys in the data folder."""
    return [*_documents(), *_models(), *_keys()]


def _documents() -> Iterator[HostFile]:
    names = Document.objects.exclude(file="").values_list("file", flat=True).order_by("file").distinct()
    for name in names.iterator():
        yield HostFile(area=Area.DOCUMENTS, name=name, changes=False)


def _models() -> Iterator[HostFile]:
    """A model's folder is named after the hash of its files; its record also says when it was installed."""
    for model in local_models.installed():
        for path in sorted(path for path in model.folder.rglob("*") if path.is_file()):
            name = path.relative_to(local_models.root()).as_posix()
            changes = path.name == local_models.RECORD
            yield HostFile(area=Area.MODELS, name=name, changes=changes)


def _keys() -> Iterator[HostFile]:
    for name in KEYS:
        if (settings.DATA_DIR / name).exists():
            yield HostFile(area=Area.KEYS, name=name, changes=True)


def secret_key_in_folder() -> bool:
    """Whether the key that is in use is that of the data folder, and not of SVQ_SECRET_KEY."""
    path = settings.DATA_DIR / SECRET_KEY
    return path.exists() and path.read_text() == settings.SECRET_KEY


def foreign_documents(expected: set[str]) -> list[str]:
    """Files in the storage of documents besides these. Raises OSError."""
    return [name for name in stored_files.stored_names() if name not in expected]


def put(area: Area, name: str, write: Callable[[Any], None], same: Callable[[IO[bytes]], bool]) -> None:
    """Write a file of a backup to its place. write: writes its content to what it is given. same: whether a
    file has that content.

    A document that is there already, because a restore was ended in the middle, stays if it is the same.
    A key that is there and another one is kept beside it: it may be all that is left of another host's.
    Raises BackupError, OSError.
    """
    if area == Area.DOCUMENTS:
        _put_document(name, write, same)
        return
    path = _path(area, name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.restored")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    with fresh.open("wb") as file:
        write(file)
    if area == Area.KEYS and path.exists() and path.read_bytes() != fresh.read_bytes():
        path.replace(_unused(path.with_name(path.name + REPLACED)))
    fresh.replace(path)


def _unused(path: Path) -> Path:
    """The path, with a number behind it where there is such a file."""
    numbered = (path.with_name(f"{path.name}-{n}") for n in count(2))
    return path if not path.exists() else next(each for each in numbered if not each.exists())


def _put_document(name: str, write: Callable[[Any], None], same: Callable[[IO[bytes]], bool]) -> None:
    storage = documents_storage()
    with as_os_errors():
        if storage.exists(name):
            with storage.open(name) as file:
                if same(file):
                    return
            storage.delete(name)  # cut short: all others were refused before
        with TemporaryFile() as file:
            write(file)
            file.seek(0)
            storage.save(name, DjangoFile(file), max_length=200)


def check_name(area: Area, name: str) -> None:
    """Raises BackupError for a name that leads out of its place."""
    if area == Area.KEYS and name not in KEYS:
        raise BackupError(f"The backup names a key that SVQ does not have ({name!r}). Nothing was changed.")
    if not PurePosixPath(name).name or name.endswith(("/", "/.")):  # a folder
        raise BackupError(f"The backup names a file without a name ({name!r}). Nothing was changed.")
    try:
        safe_join("/somewhere", name)
    except SuspiciousFileOperation as error:
        raise BackupError(
            f"The backup names a file outside of its folder ({name!r}). Nothing was changed."
        ) from error


def _path(area: Area, name: str) -> Path:
    root = settings.DATA_DIR if area == Area.KEYS else local_models.root()
    return Path(safe_join(root, name))
