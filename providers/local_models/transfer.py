"""Downloads one file of a model: resumes an earlier try, and is accepted only if its hash is right."""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from localization.stored import said
from providers.local_models.errors import NotInstalled
from providers.local_models.sources import Source, SourceFile

TRIES = 4  # of a file whose transfer breaks off, one after the other
PAUSE = 1.0  # seconds before the next
SLOWEST = 2_000  # bytes a second, over LOOKED_AT seconds: below that a transfer is given up
LOOKED_AT = 60.0
PARTIAL, VERSION = ".part", ".version"


def fetch(source: Source, file: SourceFile, target: Path, most: int, told: Callable[[int], None]) -> str:
    """Download a file of at most `most` bytes to `target`; returns its SHA-256.

    `told` is called with the bytes fetched so far, and may raise to stop. Raises NotInstalled.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PARTIAL)
    if target.exists() and file.size and file.expected_hash:
        target.replace(part)  # of an earlier try: only its hash is left to be checked
    for left in range(TRIES - 1, -1, -1):
        try:
            _continued(source, file, part, most, told)
            break
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            if isinstance(error, OSError) and not isinstance(error, ConnectionError | TimeoutError):
                raise NotInstalled(
                    said(
                        "{file} cannot be read or written: {reason}.",
                        file=file.path,
                        reason=error.strerror or str(error),
                    )
                ) from error
            if not left:
                here = part.stat().st_size if part.exists() else 0
                raise NotInstalled(
                    said(
                        "The transfer of {file} broke off after {n} bytes. Install it again: it goes on from "
                        "there.",
                        file=file.path,
                        n=here,
                    ),
                    transient=True,
                ) from error
            time.sleep(PAUSE)
    digest = _checked(file, part)
    part.replace(target)
    _version_of(part).unlink(missing_ok=True)
    return digest


def _continued(source: Source, file: SourceFile, part: Path, most: int, told: Callable[[int], None]) -> None:
    """The rest of the file. Raises NotInstalled, httpx.HTTPError, OSError."""
    version = _version_of(part)
    pinned = bool(file.expected_hash)
    known = version.read_text() if version.exists() else ""
    start = part.stat().st_size if part.exists() and (pinned or known) else 0
    if start and start == file.size:
        return
    begun, here = time.monotonic(), 0
    with source.opened(file.path, start, "" if pinned else known) as opened:
        if opened.start > start:
            raise NotInstalled(
                said("The server does not send {file} from where it was asked for.", file=file.path)
            )
        version.write_text(opened.version)
        size = file.size if file.size is not None else opened.size
        if (size or 0) > most:
            raise NotInstalled(said("{file} is larger than {n} MB.", file=file.path, n=most // 1024**2))
        with part.open("r+b" if opened.start else "wb") as out:
            out.seek(opened.start)
            out.truncate()
            for piece in opened.pieces:
                out.write(piece)
                here += len(piece)
                if out.tell() > min(most, size if size is not None else most):
                    raise NotInstalled(said("{file} is longer than it was said to be.", file=file.path))
                told(out.tell())
                seconds = time.monotonic() - begun
                if seconds > LOOKED_AT and here / seconds < SLOWEST:
                    raise NotInstalled(
                        said(
                            "{file} arrives at under {n} bytes a second. Install it again later: it goes on "
                            "from there.",
                            file=file.path,
                            n=SLOWEST,
                        ),
                        transient=True,
                    )
            length = out.tell()
        if size is not None and length < size:
            raise httpx.ReadError("the answer ended too soon")


def _version_of(part: Path) -> Path:
    return part.with_name(part.name + VERSION)


def _checked(file: SourceFile, part: Path) -> str:
    """The SHA-256 of the content, which is that of the source. Raises NotInstalled."""
    sha256, blob = hashlib.sha256(), hashlib.sha1(f"blob {part.stat().st_size}\0".encode())
    with part.open("rb") as content:
        while piece := content.read(1024**2):
            sha256.update(piece)
            blob.update(piece)
    expected = file.expected_hash
    if expected and expected not in (sha256.hexdigest(), blob.hexdigest()):
        part.unlink()
        raise NotInstalled(
            said(
                "{file} is not what its source says it is: its hash is {found}..., where {expected}... was "
                "announced. Nothing of it is kept.",
                file=file.path,
                found=sha256.hexdigest()[:12],
                expected=expected[:12],
            )
        )
    return sha256.hexdigest()
