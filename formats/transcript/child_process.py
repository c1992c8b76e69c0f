"""The program that opens transcripts. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.plain_text.decoding import content_within, decode_as
from formats.rendition.typesetting import Frame, answer_blocks
from formats.transcript.reading import blocks_of

MAX_BYTES = 20 * 1024 * 1024
STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = content_within(Path(request["path"]), MAX_BYTES)
    return answer_blocks(request, blocks_of(decode_as(content)[0]))
