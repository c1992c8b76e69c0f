"""Packs that tests make without an answer: a few files, sealed with a key."""

import io
from collections.abc import Mapping
from typing import BinaryIO

from packs.archive import ArchiveWriter
from packs.sealing import seal

FILES = {
    "pack.json": b'{"title": "Backups", "written": "2026-01-31"}\n',
    "pictures/a1-c1-p1.png": b"\x89PNG picture",
}


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """An archive that is laid out as packs are, with nothing signed in it."""
    file = io.BytesIO()
    archive = ArchiveWriter(file)
    for name, content in files.items():
        archive.add(name, content)
    archive.close()
    return file.getvalue()


def sealed(files: Mapping[str, bytes] = FILES) -> bytes:
    """A pack that is signed by this deployment's key."""
    file = io.BytesIO()
    archive = ArchiveWriter(file)
    for name, content in files.items():
        archive.add(name, content)
    seal(archive)
    return file.getvalue()


def contents_of(pack: bytes) -> dict[str, bytes]:
    """The files of a pack, by name, as another program reads them."""
    import zipfile

    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def as_file(pack: bytes) -> BinaryIO:
    return io.BytesIO(pack)
