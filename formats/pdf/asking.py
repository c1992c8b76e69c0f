"""Asks the child process that opens PDFs (child_process.py)."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from formats.base import sandbox
from formats.base.errors import ExtractionError
from formats.base.values import Limits

_CHILD = Path(__file__).with_name("child_process.py")


def ask(request: dict[str, Any], limits: Limits) -> Generator[sandbox.Frame]:
    """All that it answers. Raises ExtractionError."""
    return sandbox.frames(
        _CHILD,
        request,
        memory_bytes=limits.memory_bytes,
        frame_seconds=limits.page_seconds,
        cpu_seconds=limits.document_seconds + limits.pages * limits.document_seconds_per_page,
    )


def answer(request: dict[str, Any], limits: Limits) -> sandbox.Frame:
    """Its first answer. Raises ExtractionError."""
    for frame in ask(request, limits):
        return frame
    raise ExtractionError("corrupt")
