"""The program that opens text files. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.base.errors import ExtractionError, too_many_bytes
from formats.plain_text.decoding import decode
from formats.plain_text.layout import lay_out
from formats.rendition.typesetting import Frame, answer

MAX_BYTES = 20 * 1024 * 1024
STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    path = Path(request["path"])
    size = path.stat().st_size
    if size == 0:
        raise ExtractionError("empty")
    if size > MAX_BYTES:
        raise too_many_bytes(size, MAX_BYTES)
    return answer(request, lay_out(decode(path.read_bytes())))
