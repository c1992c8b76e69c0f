"""Packs that tests make without an answer: a few files, sealed with a key."""

import hashlib
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from exchange.packs import archive
from exchange.packs.archive import ArchiveWriter, Entry
from exchange.packs.keys import own_key, signed
from exchange.packs.manifest import MANIFEST, SIGNATURE, SignatureFile
from exchange.packs.sealing import seal

FILES = {
    "pack.json": b'{"title": "Backups", "written": "2026-01-31"}\n',
    "pictures/a1-c1-p1.png": b"\x89PNG picture",
}


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """An archive that is laid out as packs are, with nothing signed in it."""
    file = io.BytesIO()
    writer = ArchiveWriter(file)
    for name, content in files.items():
        writer.add(name, content)
    writer.close()
    return file.getvalue()


def sealed(files: Mapping[str, bytes] = FILES) -> bytes:
    """A pack that is signed by this deployment's key."""
    file = io.BytesIO()
    writer = ArchiveWriter(file)
    for name, content in files.items():
        writer.add(name, content)
    seal(writer)
    return file.getvalue()


def laid_out(files: Sequence[tuple[str, bytes]]) -> bytes:
    """An archive with these files, whatever their names, as somebody without SVQ's code can lay it out."""
    entries: list[Entry] = []
    made = b""
    for name, content in files:
        header = archive._local(name, len(content), zlib.crc32(content))
        start = len(made) + len(header)
        digest = hashlib.sha256(content).hexdigest()
        entries.append(
            Entry(name=name, size=len(content), crc=zlib.crc32(content), start=start, sha256=digest)
        )
        made += header + content
    return made + archive._directory(entries, len(made))


def signed_as(manifest: bytes, files: Mapping[str, bytes] = FILES) -> bytes:
    """A pack with that manifest, whatever it says, and this deployment's signature of it."""
    signature = SignatureFile(key=own_key(), signature=signed(manifest)).as_bytes()
    return archive_of({**files, MANIFEST: manifest, SIGNATURE: signature})


def damaged() -> dict[str, bytes]:
    """Packs in which something is not as SVQ writes it, by what. All verifiers must say the same of them."""
    pack = sealed()
    files = contents_of(pack)
    manifest, signature = files[MANIFEST], files[SIGNATURE]
    mark = b"\xef\xbb\xbf"  # of the byte order
    listed = json.loads(manifest)

    def saying(**values: Any) -> bytes:
        return signed_as(json.dumps({**listed, **values}, indent=1).encode() + b"\n")

    first, *others = listed["files"]
    return {
        "a byte of a file": pack.replace(b"Backups", b"Backupz"),
        "cut off": pack[:-7],
        "something behind": pack + b"\0",
        "something before": b"\0" + pack,
        "no manifest": archive_of({name: files[name] for name in files if name != MANIFEST}),
        "no signature": archive_of({name: files[name] for name in files if name != SIGNATURE}),
        "a file taken out": archive_of({name: files[name] for name in files if name != "pack.json"}),
        "a file added": archive_of(files | {"extra.txt": b"more"}),
        "a file twice": laid_out([*files.items(), ("pack.json", files["pack.json"])]),
        "a name that leads out": laid_out([*files.items(), ("../evil.txt", b"")]),
        "a mark before the signature": archive_of(files | {SIGNATURE: mark + signature}),
        "a space behind the signature": archive_of(files | {SIGNATURE: signature + b" "}),
        "a large signature": archive_of(files | {SIGNATURE: signature + b" " * 2_000}),
        "a large manifest": signed_as(manifest + b" " * (1 << 20)),
        "a mark before the manifest": signed_as(mark + manifest),
        "a manifest in another form": signed_as(json.dumps(listed).encode()),
        "a manifest that is no JSON": signed_as(b"["),
        "a manifest with more": saying(more=1),
        "a manifest of something else": saying(format="other"),
        "a manifest of a newer SVQ": saying(version=2, more=1),
        "a manifest of no version": saying(version=0),
        "a version that is text": saying(version="1"),
        "a size that is none": saying(files=[first | {"size": -1}, *others]),
        "a size that is text": saying(files=[first | {"size": "44"}, *others]),
        "a hash in capitals": saying(files=[first | {"sha256": first["sha256"].upper()}, *others]),
        "a hash in a list": saying(files=[first | {"sha256": [first["sha256"]]}, *others]),
        "a name in a list": saying(files=[first | {"name": [first["name"]]}, *others]),
        "a file listed twice": saying(files=[first, first, *others]),
        "files that are no list": saying(files={}),
        "a manifest that was changed": archive_of(files | {MANIFEST: manifest.replace(b"3", b"4", 1)}),
    }


def contents_of(pack: bytes) -> dict[str, bytes]:
    """The files of a pack, by name, as another program reads them."""
    import zipfile

    with zipfile.ZipFile(io.BytesIO(pack)) as read:
        return {name: read.read(name) for name in read.namelist()}


def as_file(pack: bytes) -> BinaryIO:
    return io.BytesIO(pack)
