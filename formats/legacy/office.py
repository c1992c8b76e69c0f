"""Converting old and open Office files with LibreOffice, where that is installed.

It is a program of others that opens hostile files: it runs in a folder of its own, without network, with
limits on time, memory and what it writes (launcher.py), and is ended with all that it has started.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from formats.base.errors import ExtractionError
from formats.base.values import MEGABYTE

SECONDS = 120.0  # for one file
LARGEST = 256 * MEGABYTE  # of what it may write
_LAUNCHER = Path(__file__).with_name("launcher.py")
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


def soffice() -> str | None:
    """Where LibreOffice is; None when it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def converted(path: Path, suffix: str, into: str) -> bytes:
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
        _run(
            [
                program, "--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck",
                f"-env:UserInstallation={Path(folder, 'profile').as_uri()}",
                "--convert-to", into.removeprefix("."), "--outdir", str(made), str(source),
            ],
            folder,
        )  # fmt: skip
        result = made / f"source{into}"
        if not result.is_file() or result.is_symlink() or not 0 < result.stat().st_size <= LARGEST:
            raise ExtractionError("corrupt", "LibreOffice could not convert this file.")
        return result.read_bytes()


def _run(command: list[str], folder: str) -> None:
    environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    process = subprocess.Popen(
        [sys.executable, "-I", str(_LAUNCHER), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment | {"HOME": folder, "TMPDIR": folder},
        cwd=folder,
        start_new_session=True,
    )
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        raise ExtractionError("timeout") from None
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With all processes of its session: LibreOffice starts another one that does the work."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
