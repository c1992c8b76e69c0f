"""The program that opens Markdown files. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.embedded.pictures import Pictures
from formats.markdown.reading import blocks_of
from formats.plain_text.decoding import content_within, decode_as
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does
MAX_BYTES = 5 * 1024 * 1024  # ten seconds of a processor


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = content_within(Path(request["path"]), MAX_BYTES)
    text = decode_as(content)[0].replace("\f", "\n")
    return answer_blocks(request, list(blocks_of(text, Pictures())))
