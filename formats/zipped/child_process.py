"""The program that opens archives. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.rendition.typesetting import Frame, answer_blocks
from formats.zipped.reading import attached, blocks_of

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    path = Path(request["path"])
    if request["do"] == "attachments":
        return attached(path, most=request["most"], largest=request["largest"])
    return answer_blocks(request, blocks_of(path))
