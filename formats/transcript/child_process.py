"""The program that opens transcripts. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.base.errors import ExtractionError
from formats.plain_text.decoding import decode_as
from formats.rendition.typesetting import Frame, answer_blocks
from formats.transcript.reading import blocks_of

MAX_BYTES = 20 * 1024 * 1024
STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = Path(request["path"]).read_bytes()
    if len(content) > MAX_BYTES:
        raise ExtractionError(
            "too_large", f"This text has {len(content):,} bytes; {MAX_BYTES:,} are allowed."
        )
    return answer_blocks(request, blocks_of(decode_as(content)[0]))
