"""Converting Office files with LibreOffice, where that is installed."""

import shutil
import tempfile
from pathlib import Path

from formats.base import outside_program
from formats.base.errors import ExtractionError, gettext_noop
from formats.base.values import MEGABYTE

SECONDS = 120.0  # for one file
LARGEST = 256 * MEGABYTE  # of what it may write
FAILED_AT_THE_FILE = (0, 1)  # exit status without a result; others are LibreOffice's own troubles
MEMORY_BYTES = 4096 * MEGABYTE  # of address space: LibreOffice maps far more than it uses


def soffice() -> str | None:
    """Where LibreOffice is; None when it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def converted(path: Path, suffix: str, into: str, *, seconds: float | None = None) -> bytes:
    """The file as LibreOffice saves it in another format. suffix, into: such as ".doc" and ".docx".

    Raises ExtractionError.
    """
    program = soffice()
    if program is None:
        raise ExtractionError("unsupported")
    with tempfile.TemporaryDirectory(prefix="svq-office-") as folder:
        source, made = Path(folder, f"source{suffix}"), Path(folder, "made")
        shutil.copyfile(path, source)
        made.mkdir()
        ended = outside_program.run(
            [
                program,
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nolockcheck",
                f"-env:UserInstallation={Path(folder, 'profile').as_uri()}",
                "--convert-to",
                into.removeprefix("."),
                "--outdir",
                str(made),
                str(source),
            ],
            folder,
            seconds=seconds or SECONDS,
            memory_bytes=MEMORY_BYTES,
        )
        result = made / f"source{into}"
        if not result.is_file() and ended.status not in FAILED_AT_THE_FILE:
            raise ExtractionError(
                "memory",
                gettext_noop("LibreOffice stopped while it converted this file."),
                gettext_noop(
                    "Try again when the server is less busy, or save the file in a newer format and add that."
                ),
            )
        if not result.is_file() or result.is_symlink() or not 0 < result.stat().st_size <= LARGEST:
            raise ExtractionError("corrupt", gettext_noop("LibreOffice could not convert this file."))
        return result.read_bytes()
