"""The program that opens workbooks. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.rendition.typesetting import Frame, answer_blocks
from formats.sheets.properties import properties_of
from formats.sheets.reading import blocks_of

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    path = Path(request["path"])
    return answer_blocks(request, blocks_of(path), properties_of(path))
