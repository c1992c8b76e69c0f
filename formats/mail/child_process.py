"""The program that opens messages. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.mail.reading import blocks_of, message_of, subject_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    message = message_of(Path(request["path"]).read_bytes())
    return answer_blocks(request, blocks_of(message), subject_of(message))
