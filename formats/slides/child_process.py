"""The program that opens presentations. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.embedded.parts import Package
from formats.rendition.typesetting import Frame, answer_blocks
from formats.slides.reading import blocks_of

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    path = Path(request["path"])
    return answer_blocks(request, blocks_of(path), Package(path).properties())
