"""Takes the protection off an Office file, in the sandbox."""

from pathlib import Path

from formats.base import sandbox
from formats.base.errors import ExtractionError
from formats.base.values import Limits

SECONDS = 60.0  # a file may ask for ten million rounds of a hash
_PROGRAM = Path(__file__).with_name("child_process.py")


def without_password(path: Path, password: str, limits: Limits | None = None) -> bytes:
    """The file as it was before it got the password. Raises ExtractionError, "encrypted" for a wrong one."""
    if not password:
        raise ExtractionError("encrypted")
    limits = limits or Limits()
    request = {"path": str(path), "password": password}
    frames = sandbox.frames(
        _PROGRAM, request, memory_bytes=limits.memory_bytes, frame_seconds=SECONDS, cpu_seconds=SECONDS
    )
    return b"".join(frame.body for frame in frames)
