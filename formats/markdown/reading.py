"""From Markdown to blocks, by way of HTML."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from formats.base.characters import clean_text
from formats.embedded.pictures import Pictures
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of as blocks_of_html
from formats.rendition.blocks import Block, Paragraph

DEEPEST = 40  # nested quotes and lists, of which each counts twice; what is deeper is a paragraph
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)


def blocks_of(text: str, pictures: Pictures) -> Iterator[Block]:
    """Raises ExtractionError."""
    if found := _FRONT_MATTER.match(text):
        yield Paragraph(text=clean_text(found[1]), code=True)
        text = text[found.end() :]
    reader = MarkdownIt("commonmark", {"html": True, "maxNesting": 2 * DEEPEST}).enable(
        ["table", "strikethrough"]
    )
    reader.block.ruler.before("table", "deepest", _as_paragraph)
    if text.strip():
        yield from blocks_of_html(parse_html(f"<body>{reader.render(text)}</body>"), pictures)


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
