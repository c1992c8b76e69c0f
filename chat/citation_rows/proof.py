"""The proof of a citation on its pages: its words, the rest of the sentence, and a crop that shows both."""

from chat.citation_rows.table_heads import table_heads
from chat.models import Citation
from ingestion.models import Page
from reader import page_images


def rest_of_sentence(citation: Citation) -> dict[int, list[list[float]]]:
    """Boxes of the sentence's parts before and after the quote, by page, as far as they are located."""
    if citation.document is None or citation.start is None or citation.end is None:
        return {}
    boxes: dict[int, list[list[float]]] = {}
    for page in citation.document.pages.filter(number__in=citation.pages).order_by("number"):
        before = _before(page, citation.start - page.start, citation.before)
        after = _after(page, citation.end - page.start, citation.after)
        for start, end in filter(None, (before, after)):
            for number, rects in page_images.place(citation.document, start, end).items():
                boxes.setdefault(number, []).extend(rects)
    return boxes


def drawn_on(citation: Citation) -> list[int]:
    """The pages of which a crop may show the words: they have a place, and nothing is masked or deleted."""
    if citation.masked or not page_images.has_pages(citation.document):
        return []
    return [number for number in citation.pages if citation.boxes_on(number)]


def crop(citation: Citation, page: int, asker: int | None = None) -> bytes:
    """WebP of the words on that page with what surrounds them. asker: for whom it is drawn, if for somebody
    else than the asker.

    Raises Page.DoesNotExist, ExtractionError, Busy.
    """
    assert citation.document is not None
    rest = rest_of_sentence(citation).get(page, []) if citation.before or citation.after else []
    heads = table_heads(citation).boxes.get(page, [])
    return page_images.crop(
        citation.document,
        page,
        citation.boxes_on(page),
        rest,
        heads,
        asker=asker_of(citation) if asker is None else asker,
    )


def asker_of(citation: Citation) -> int:
    """The id of the person for whom its pages are drawn: the asker, who alone sees the answer."""
    return citation.turn.conversation.user_id


def _after(page: Page, end: int, words: str) -> tuple[int, int] | None:
    """Where the words are that follow a quote ending at `end` of the page, whatever the spaces."""
    letters = "".join(words.split())
    if not letters or not 0 < end <= len(page.text):
        return None
    position = end
    for letter in letters:
        while position < len(page.text) and page.text[position].isspace():
            position += 1
        if position >= len(page.text) or page.text[position] != letter:
            return None
        position += 1
    return page.start + end, page.start + position


def _before(page: Page, start: int, words: str) -> tuple[int, int] | None:
    """The same for words before a quote that begins at `start` of the page."""
    letters = "".join(words.split())
    if not letters or not 0 <= start < len(page.text):
        return None
    position = start
    for letter in reversed(letters):
        while position > 0 and page.text[position - 1].isspace():
            position -= 1
        if position == 0 or page.text[position - 1] != letter:
            return None
        position -= 1
    return page.start + position, page.start + start
