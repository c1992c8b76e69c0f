"""From a document's pages to one text, and from that text to the pieces that are searched. Pure, linear
time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from langchain_text_splitters import RecursiveCharacterTextSplitter

SIZE = 1000
OVERLAP = 100
BLOCK = 500_000  # characters split in one go
# One line end: a sentence that runs over the page's edge stays one sentence.
PAGE_JOINER = "\n"
# Tried in this order; a piece still too long goes on to the next. Sentences come before lines because a
# line of a PDF ends where the paper does.
SEPARATORS = [
    r"\n[ ]*\n\s*",  # paragraph
    r"(?<=[.!?;:])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\W_a-z])",  # sentence, clause: a capital or a figure follows
    r"\n",  # line
    r"\s",  # word
    "",
]
_FRESH_START = re.compile(r"(?<=[.!?;:])\s+|\n")
_WORD_START = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """text is exactly the document's text[start:end]; pages count from 1 and may be equal."""

    index: int
    text: str
    start: int
    end: int
    first_page: int
    last_page: int


def join_pages(pages: Iterable[str]) -> tuple[str, list[int]]:
    """The document's text, and for each page the offset at which it starts there."""
    texts = list(pages)
    starts, position = [], 0
    for text in texts:
        starts.append(position)
        position += len(text) + len(PAGE_JOINER)
    return PAGE_JOINER.join(texts), starts


def page_at(page_starts: Sequence[int], offset: int) -> int:
    """The page (from 1) that holds the character at `offset`."""
    return max(1, bisect_right(page_starts, offset))


def split(text: str, page_starts: Sequence[int], *, size: int = SIZE, overlap: int = OVERLAP) -> list[Piece]:
    """Pieces of at most `size` characters, each repeating up to `overlap` characters of the text before it.

    Every character that is not white space is in some piece; no piece begins or ends with white space.
    """
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and less than size")
    pieces: list[Piece] = []
    for start, end in _spans(text, size - overlap):
        if pieces:
            start -= _overlap(text[max(0, start - overlap) : start])
        start, end = _trim(text, start, end)
        piece = Piece(
            index=len(pieces),
            text=text[start:end],
            start=start,
            end=end,
            first_page=page_at(page_starts, start),
            last_page=page_at(page_starts, end - 1),
        )
        pieces.append(piece)
    return pieces


def _spans(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Spans that follow each other without gap or overlap, so their places are known by counting."""
    splitter = RecursiveCharacterTextSplitter(
        separators=SEPARATORS,
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
        chunk_size=size,
        chunk_overlap=0,
    )
    position = 0
    for block in _blocks(text):
        for part in splitter.split_text(block):
            if part.strip():
                yield position, position + len(part)
            position += len(part)


def _blocks(text: str) -> Iterator[str]:
    """Blocks that end with a line where there is one: a splitter takes many times the memory of its text."""
    start = 0
    while len(text) - start > BLOCK:
        end = text.rfind("\n", start, start + BLOCK) + 1 or start + BLOCK
        yield text[start:end]
        start = end
    yield text[start:]


def _overlap(before: str) -> int:
    """How many of the characters before a piece it repeats: from a sentence or line start, else from a
    word start.
    """
    match = _FRESH_START.search(before) or _WORD_START.search(before)
    return len(before) - match.end() if match else 0


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
