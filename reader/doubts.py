"""Where pages and their text disagree, as the reader hatches them on the page and lists them beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources.models import Document
from formats.base.doubts import DoubtKind
from formats.base.values import Rect
from ingestion.models import Doubt, Page
from ingestion.page_numbers import named
from reader.page_boxes import Box, scaled

ICONS = {
    DoubtKind.UNSEEN: "eye-off",
    DoubtKind.LETTERS: "triangle-alert",
    DoubtKind.UNREAD: "eye",
    DoubtKind.SKIPPED: "clock",
}
HEADS = {
    DoubtKind.UNSEEN: gettext_lazy("Not visible on the page"),
    DoubtKind.LETTERS: gettext_lazy("Printed in other letters"),
    DoubtKind.UNREAD: gettext_lazy("Not read"),
    DoubtKind.SKIPPED: gettext_lazy("Not compared"),
}
MEANINGS = {
    DoubtKind.UNSEEN: gettext_lazy("The file has these words, but nobody can see them here."),
    DoubtKind.LETTERS: gettext_lazy(
        "The page shows other letters than the file's text has here. Compare them."
    ),
    DoubtKind.UNREAD: gettext_lazy(
        "There is print here that is not in the text, so it is neither searched nor quoted."
    ),
    DoubtKind.SKIPPED: gettext_lazy(
        "The page could not be drawn in time, so nobody knows whether it shows its text."
    ),
}
UNKNOWN = gettext_lazy(
    "The reader of scans does not know these letters, so nothing here is searched or quoted. Tesseract or an"
    " OCR server may: choose one in the settings of the datasource (Reading) and add the file again."
)
OUTSIDE = gettext_lazy("The file has these words, but they stand outside of the page.")
LONGEST = 300  # characters of the words that are shown
MOST_LISTED = 50  # of a page; REST has all
AROUND = 4.0  # of a hatched part, in 1/1000 of the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """How many a document has, on which pages how many, and which pages were not compared: “5-7, 9”."""

    count: int
    pages: Sequence[tuple[int, int]]
    skipped: str
    skipped_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """box: where it is on the page's drawing, in points; None outside of the page."""

    icon: str
    head: str
    meaning: str
    text: str
    box: Box | None


def doubts_of(document: Document) -> Doubts | None:
    """None for a document without any."""
    of = Doubt.objects.filter(page__document=document)
    is_skipped = Q(kind=DoubtKind.SKIPPED)
    counts = (
        of.order_by("page__number")
        .values_list("page__number")
        .annotate(found=Count("pk", filter=~is_skipped), skipped=Count("pk", filter=is_skipped))
    )
    rows = list(counts)
    pages = [(number, found) for number, found, _ in rows if found]
    skipped = [number for number, _, not_compared in rows if not_compared]
    if not rows:
        return None
    return Doubts(
        count=sum(found for _, found in pages),
        pages=pages,
        skipped=named(skipped) if skipped else "",
        skipped_count=len(skipped),
    )


def listed_on(page: Page) -> list[Listed]:
    """The first MOST_LISTED of the page."""
    return [_listed(page, doubt) for doubt in page.doubts.order_by("position")[:MOST_LISTED]]


def _listed(page: Page, doubt: Doubt) -> Listed:
    kind = DoubtKind(doubt.kind)
    x0, y0, x1, y1 = doubt.box or (0, 0, 0, 0)
    rect = Rect(x0=x0, y0=y0, x1=x1, y1=y1)
    longest = 0 if kind == DoubtKind.SKIPPED else LONGEST  # that is about all words of the page
    return Listed(
        icon=ICONS[kind],
        head=_head(kind, doubt),
        meaning=_meaning(kind, doubt),
        text=page.text[doubt.start : min(doubt.end, doubt.start + longest)],
        box=scaled(rect, width=page.width, height=page.height, margin=AROUND) if doubt.box else None,
    )


def _head(kind: DoubtKind, doubt: Doubt) -> str:
    if doubt.script:
        return _("{what}: {script} script").format(what=HEADS[kind], script=doubt.script)
    return str(HEADS[kind])


def _meaning(kind: DoubtKind, doubt: Doubt) -> str:
    if doubt.script:
        return str(UNKNOWN)
    return str(OUTSIDE if kind == DoubtKind.UNSEEN and not doubt.box else MEANINGS[kind])
