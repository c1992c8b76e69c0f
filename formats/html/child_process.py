"""The program that opens HTML files. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.embedded.pictures import Pictures
from formats.html.properties import properties_of
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    root = parse_html(Path(request["path"]).read_bytes())
    return answer_blocks(request, blocks_of(root, Pictures()), properties_of(root))
