"""The program that opens Word documents. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.embedded.parts import Package
from formats.rendition.typesetting import Frame, answer_blocks
from formats.word.reading import blocks_of

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    package = Package(Path(request["path"]))
    return answer_blocks(request, blocks_of(package), package.properties())
