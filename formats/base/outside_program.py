"""Programs of others that get what hostile files hold, such as LibreOffice and Tesseract.

Each runs in a folder of its own, without network, with limits on time, memory and what it writes
(launcher.py), and is ended with all that it has started.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from formats.base.errors import ExtractionError
from formats.base.values import MEGABYTE

LARGEST_FILE = 256 * MEGABYTE
_LAUNCHER = Path(__file__).with_name("launcher.py")
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """status: its exit status, below 0 where a signal ended it. output: what it wrote to standard output."""

    status: int
    output: bytes


def run(
    command: Sequence[str],
    folder: str,
    *,
    seconds: float,
    memory_bytes: int,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """How the program ended, whether it succeeded or not.

    memory_bytes: of address space. Raises ExtractionError "timeout".
    """
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    limits = (str(memory_bytes), str(LARGEST_FILE))
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", str(_LAUNCHER), *limits, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            env=kept | dict(environment or {}) | {"HOME": folder, "TMPDIR": folder},
            cwd=folder,
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise ExtractionError("timeout") from None
        finally:
            _end(process)
        output.seek(0)
        return Ended(status=status, output=output.read())


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With all processes of its session: LibreOffice starts another one that does the work."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
