"""The program that opens Markdown files. Run in the sandbox, never imported."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from formats.base.characters import clean_text
from formats.base.errors import ExtractionError
from formats.embedded.pictures import Pictures
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of
from formats.plain_text.decoding import decode_as
from formats.rendition.blocks import Block, Paragraph
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does
MAX_BYTES = 5 * 1024 * 1024  # ten seconds of a processor
DEEPEST = 40  # nested quotes and lists, of which each counts twice; what is deeper is a paragraph
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = Path(request["path"]).read_bytes()
    if len(content) > MAX_BYTES:
        raise ExtractionError(
            "too_large", f"This text has {len(content):,} bytes; {MAX_BYTES:,} are allowed."
        )
    return answer_blocks(request, list(_blocks(decode_as(content)[0].replace("\f", "\n"))))


def _blocks(text: str) -> Iterator[Block]:
    if found := _FRONT_MATTER.match(text):
        yield Paragraph(text=clean_text(found[1]), code=True)
        text = text[found.end() :]
    reader = MarkdownIt("commonmark", {"html": True, "maxNesting": 2 * DEEPEST}).enable(
        ["table", "strikethrough"]
    )
    reader.block.ruler.before("table", "deepest", _as_paragraph)
    if text.strip():
        yield from blocks_of(parse_html(f"<body>{reader.render(text)}</body>"), Pictures())


def _as_paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """What is nested too deep as one paragraph, where the reader would drop it."""
    if state.level < DEEPEST:
        return False
    state.push("paragraph_open", "p", 1)
    words = state.push("inline", "", 0)
    words.content = state.getLines(start, end, state.blkIndent, False).strip()
    words.map, words.children = [start, end], []
    state.push("paragraph_close", "p", -1)
    state.line = end
    return True
