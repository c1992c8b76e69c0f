"""The program that opens books. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.epub.reading import Book
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    book = Book(Path(request["path"]))
    return answer_blocks(request, book.blocks(), book.properties())
