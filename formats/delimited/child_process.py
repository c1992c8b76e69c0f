"""The program that opens CSV files. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.base.characters import clean_text
from formats.base.errors import ExtractionError, gettext_noop
from formats.delimited.reading import SEPARATORS, read
from formats.plain_text.decoding import content_within, decode_as
from formats.rendition.blocks import Address, Block
from formats.rendition.grid import table_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does
MAX_BYTES = 60 * 1024 * 1024


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = content_within(Path(request["path"]), MAX_BYTES)
    text, encoding = decode_as(content)
    return answer_blocks(request, _blocks(text.replace("\f", "\n"), encoding))


def _blocks(text: str, encoding: str) -> Iterator[Block]:
    sheet = read(text)
    if not sheet.rows:
        raise ExtractionError(
            "empty", gettext_noop("This file has no cell with words: there is nothing to read in it.")
        )
    yield Address(
        text="", note=f"Read as {encoding} text with cells parted by a {SEPARATORS[sheet.separator]}"
    )
    yield table_of(
        [[clean_text(cell) for cell in cells] for _, cells in sheet.rows],
        heads=sheet.heads,
        numbers=[number for number, _ in sheet.rows],
    )
