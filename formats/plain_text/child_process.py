"""The program that opens text files. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.base.errors import ExtractionError
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
        raise ExtractionError("too_large", f"This text has {size:,} bytes; {MAX_BYTES:,} are allowed.")
    return answer(request, lay_out(decode(path.read_bytes())))
