"""The program that opens notebooks. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.base.errors import too_large
from formats.base.values import MEGABYTE
from formats.notebook.reading import blocks_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does
MOST_MEGABYTES = 64


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = Path(request["path"]).read_bytes()
    if len(content) > MOST_MEGABYTES * MEGABYTE:
        raise too_large("This notebook has more than {n} MB.", n=MOST_MEGABYTES)
    return answer_blocks(request, blocks_of(content))
