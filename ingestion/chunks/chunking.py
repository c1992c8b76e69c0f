"""From a document's pages to one text, and from that text to the pieces that are searched. Pure, linear
time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ingestion.chunks.paragraphs import Group, Rows, groups
from text.normal_forms.spaceless import CLOSING, ENDS, LATIN_LETTERS, count_letters

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
    rf"[{ENDS}]+[{CLOSING}]*\s*",  # the same in Chinese
    r"\n",  # line
    r"\s",  # word
    r"[，、：]",
    "",
]
_FRESH_START = re.compile(rf"(?<=[.!?;:])\s+|[{ENDS}]+[{CLOSING}]*\s*|\n")
_WORD_START = re.compile(r"\s+|[，、：]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """text is exactly the document's text[start:end]; pages count from 1 and may be equal.

    own: where it begins to say what the piece before it does not. is_table: it is one, or part of a long one.
    """

    index: int
    text: str
    start: int
    end: int
    own: int
    first_page: int
    last_page: int
    is_table: bool = False


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


def split(
    text: str,
    page_starts: Sequence[int],
    *,
    size: int = SIZE,
    overlap: int = OVERLAP,
    by_paragraph: bool = False,
    tables: Sequence[Rows] = (),
) -> list[Piece]:
    """Pieces of at most `size` characters, each repeating up to `overlap` characters of the text before it.
    Both are less where the text is Chinese, which says as much with fewer characters.

    by_paragraph: by paragraphs and sentences; a table is one piece, however long, and shares nothing. Every
    character that is not white space is in some piece; no piece begins or ends with white space.
    tables: where the rows of known ones are in the text, in order; others are told by their lines.
    """
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and less than size")
    pieces: list[Piece] = []
    is_table = False
    most = round(overlap * _density(text))
    for start, end, is_whole in _spans(text, size - overlap, by_paragraph, tables):
        after_table, is_table = is_table, is_whole
        if pieces and not (is_table or after_table):
            start -= _overlap(text[max(0, start - most) : start])
        start, end = _trim(text, start, end)
        piece = Piece(
            index=len(pieces),
            text=text[start:end],
            start=start,
            end=end,
            own=max(start, pieces[-1].end) if pieces else start,
            first_page=page_at(page_starts, start),
            last_page=page_at(page_starts, end - 1),
            is_table=is_table,
        )
        pieces.append(piece)
    return pieces


def _spans(
    text: str, size: int, by_paragraph: bool, tables: Sequence[Rows]
) -> Iterator[tuple[int, int, bool]]:
    """Spans that follow each other without overlap, and whether each is kept as it is."""
    position = 0
    for block in _blocks(text):
        most = max(1, round(size * _density(block)))
        known = list(_within(tables, position, position + len(block)))
        for group in groups(block, most, known) if by_paragraph else [Group(start=0, end=len(block))]:
            if group.whole or (by_paragraph and group.end - group.start <= most):
                yield position + group.start, position + group.end, group.whole
                continue
            start = position + group.start
            for length, has_text in _recursive(block[group.start : group.end], most):
                if has_text:
                    yield start, start + length, False
                start += length
        position += len(block)


def _within(tables: Sequence[Rows], start: int, end: int) -> Iterator[Rows]:
    """Those that are whole in text[start:end], with places in it."""
    for rows in tables:
        if start <= rows[0][0] and rows[-1][1] <= end:
            yield [(first - start, last - start) for first, last in rows]


def _recursive(text: str, size: int) -> Iterator[tuple[int, bool]]:
    """The lengths of parts without gap or overlap, so their places are known by counting."""
    # Loading it takes a sixth of every program's start, and only a worker that reads documents divides one.
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        separators=SEPARATORS,
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
        chunk_size=size,
        chunk_overlap=0,
    )
    for part in splitter.split_text(text):
        yield len(part), bool(part.strip())


def _blocks(text: str) -> Iterator[str]:
    """Blocks that end with a line where there is one: a splitter takes many times the memory of its text."""
    start = 0
    while len(text) - start > BLOCK:
        end = text.rfind("\n", start, start + BLOCK) + 1 or start + BLOCK
        yield text[start:end]
        start = end
    yield text[start:]


def _density(text: str) -> float:
    """How many characters of the text say as much as one of English does, 1/LATIN_LETTERS to 1."""
    share = count_letters(text) / max(1, len(text))
    return 1 / (1 + share * (LATIN_LETTERS - 1))


def _overlap(before: str) -> int:
    """How many of the characters before a piece it repeats: from a sentence or line start, else from a
    word start.
    """
    match = _FRESH_START.search(before) or _WORD_START.search(before)
    return len(before) - match.end() if match else 0


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
