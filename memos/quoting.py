"""Where a memo quotes its sources in other words than theirs: people may change the text. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import html

from chat.web.answers.rendering import blocks
from citations.marks import MARK
from citations.match import locate
from memos.citing import Source, marked

_REMARK = re.compile(
    r"[(\[](?:emphasis|italics|underlining)[^()\[\]\d]{0,30}[)\]]|[(\[](?:sic|translation|omitted)[)\]]",
    re.IGNORECASE,
)
# “— Lease, clause 4”
_SOURCE = re.compile(
    r"[-–—]?\s*[^.;:!?]{0,60}\b(?:clause|section|article|paragraph|page|p\.|schedule|para)\s*[\w.()]{1,8}\W*",
    re.IGNORECASE,
)
QUOTATION = "<blockquote>"


def changed_in(text: str, sources: Iterable[Source]) -> set[int]:
    """The numbers of the sources that the Markdown quotes in other words. A paragraph of numbers alone is
    about the quotation before it.
    """
    return set().union(*(changed for _block, changed in by_block(text, sources)))


def by_block(text: str, sources: Iterable[Source]) -> Iterator[tuple[str, set[int]]]:
    """Each block of the text's HTML, with citation marks, and the numbers in it of sources that it quotes in
    other words.
    """
    quotes, before = _by_number(sources), ""
    for block in blocks(marked(text)):
        said = html.fromstring(block).text_content() if MARK.search(block) else ""
        alone = said and not MARK.sub("", said).strip()
        yield block, _changed_in_block(f"{before}{block}</blockquote>" if alone else block, quotes)
        before = block.removesuffix("</blockquote>") if block.startswith(QUOTATION) else ""


def _changed_in_block(block: str, quotes: Mapping[int, str]) -> set[int]:
    """The same for a block of HTML with citation marks; without any for one that holds no quotation.

    Spaces, quote marks and case may differ, and words be left out at the ends, or where an ellipsis says so.
    """
    if QUOTATION not in block:
        return set()
    outermost = html.fromstring(f"<div>{block}</div>").xpath("//blockquote[not(ancestor::blockquote)]")
    return {
        n
        for quotation in outermost
        for n, words in _quotations(_quoted(quotation))
        if n in quotes and locate(words, quotes[n], slips=False) is None
    }


def _quoted(quotation: html.HtmlElement) -> str:
    """The words of a quotation, without the names of a row's columns: the row alone is the quote."""
    for heads in quotation.xpath(".//thead"):
        heads.drop_tree()
    return str(quotation.text_content())


def _by_number(sources: Iterable[Source]) -> dict[int, str]:
    return {source["n"]: source["quote"] for source in sources}


def _quotations(text: str) -> Iterator[tuple[int, str]]:
    """Each number with the words before it: those of the one before, where none stand between them. Words
    behind the last number are its own, too, but for a remark such as “(emphasis added)”, and a line that
    names a clause or page of the source.
    """
    words, last = "", None
    *between, rest = MARK.split(text)
    for before, n in zip(between[::2], between[1::2], strict=True):
        words, last = before.strip() or words, int(n)
        if words:
            yield last, words
    for line in _REMARK.sub("", rest).splitlines():
        behind = line.strip()
        if last is not None and any(map(str.isalnum, behind)) and not _SOURCE.fullmatch(behind):
            yield last, behind
