"""The quotes of a memo on their pages, found there again and drawn for its appendix."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.models import Citation
from chat.web.files.quote_pictures import Picture, QuotePictures, may_show_personal_data
from citations.match import locate
from citations.place import text_around
from datasources.masking import masked
from ingestion.models import Page
from memos.models import Memo
from memos.sources import ShownSource
from reader import page_images

MOST_PICTURES = 100
MOST_PICTURE_BYTES = 24 * 1024 * 1024  # together
NO_PAGES = gettext_noop("The document has no pages that can be shown.")
HIDDEN = gettext_noop("The page is not shown, as there may be personal data on it.")
NOT_FOUND = gettext_noop("The words were not found on the page again.")
NOT_DRAWN = gettext_noop("The page could not be drawn here. The words are there as text.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """said: why a cited source has no picture, or what became of its document, in sentences."""

    source: ShownSource
    pictures: Sequence[Picture]
    said: str


def crops_of(memo: Memo, sources: Iterable[ShownSource], asker: int) -> Iterator[Crop]:
    """One for each source that names a document. asker: the id of the person for whom pages are drawn."""
    drawn = QuotePictures(MOST_PICTURES, MOST_PICTURE_BYTES, asker=asker)
    hides = bool(masked([memo.datasource_id]))
    for shown in sources:
        if shown.source["title"]:
            pictures, said = _pictures(shown, drawn, hides=hides)
            yield Crop(
                source=shown, pictures=pictures, said=" ".join(filter(None, [shown.since, said and _(said)]))
            )


def _pictures(shown: ShownSource, drawn: QuotePictures, *, hides: bool) -> tuple[Sequence[Picture], str]:
    """hides: whether personal data is masked here."""
    if shown.document is None:
        return [], ""
    if not drawn.may_draw:  # nor looked for
        return [], NOT_DRAWN
    if not page_images.has_pages(shown.document):
        return [], NO_PAGES
    if hides and may_show_personal_data(shown.document, shown.source["pages"]):
        return [], HIDDEN
    citation = placed(shown)
    if citation is None:
        return [], NOT_FOUND
    pictures = drawn.of(citation)
    return pictures, "" if pictures else NOT_DRAWN


def placed(shown: ShownSource) -> Citation | None:
    """The quote with its place in the document as it was read last; the row is not stored. None where its
    pages do not have the words.
    """
    document, quote = shown.document, shown.source["quote"]
    assert document is not None
    pages = Page.objects.filter(document=document, number__in=shown.source["pages"]).order_by("number")
    spans = [(start, start + len(text)) for start, text in pages.values_list("start", "text")]
    if not spans:
        return None
    first, last = spans[0][0], spans[-1][1]
    text, begin = text_around(document.pk, first, last)
    located = locate(quote, text, (first - begin, last - begin), slips=False)
    if located is None:
        return None
    start, end = begin + located.start, begin + located.end
    boxes = page_images.place(document, start, end)
    if not any(boxes.values()):
        return None
    return Citation(
        document=document,
        quote=located.quote,
        start=start,
        end=end,
        pages=sorted(boxes),
        boxes={str(page): rects for page, rects in boxes.items()},
    )
