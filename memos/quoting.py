"""Where a memo quotes its sources in other words than theirs: people may change the text. Pure."""

from collections.abc import Iterable, Iterator, Mapping

from lxml import html

from chat.citations.match import locate
from chat.marks import MARK
from chat.web.rendering import blocks
from memos.citing import Source, marked

QUOTATION = "<blockquote>"  # what a block that is one begins with


def changed_in(text: str, sources: Iterable[Source]) -> set[int]:
    """The numbers of the sources that the Markdown quotes in other words."""
    quotes = quotes_by_number(sources)
    return {n for block in blocks(marked(text)) for n in changed_in_block(block, quotes)}


def changed_in_block(block: str, quotes: Mapping[int, str]) -> set[int]:
    """The same for a block of HTML with citation marks; without any for one that is no quotation.

    Spaces, quote marks and case may differ, and words be left out at the ends, or where an ellipsis says so.
    """
    if not block.startswith(QUOTATION):
        return set()
    return {
        n
        for n, words in _quotations(html.fromstring(block).text_content())
        if n in quotes and locate(words, quotes[n], slips=False) is None
    }


def quotes_by_number(sources: Iterable[Source]) -> dict[int, str]:
    return {source["n"]: source["quote"] for source in sources}


def _quotations(text: str) -> Iterator[tuple[int, str]]:
    """Each number with the words before it: those of the one before, where none stand between them."""
    words = ""
    between = MARK.split(text)
    for before, n in zip(between[::2], between[1::2], strict=False):
        words = before.strip() or words
        if words:
            yield int(n), words
