"""Comments and tracked changes of a document, as the reader lists them beside the pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from datasources.models import Document
from datasources.numbers import number_in
from formats.base.annotations import AnnotationKind
from ingestion.models import Annotation, Page
from reader.from_file import moment_in_words
from reader.word_search import Hit

ICONS = {
    AnnotationKind.COMMENT: "message-square-text",
    AnnotationKind.INSERTED: "plus",
    AnnotationKind.DELETED: "minus",
    AnnotationKind.MOVED_HERE: "move-horizontal",
    AnnotationKind.MOVED_AWAY: "move-horizontal",
}
DONE = {
    AnnotationKind.COMMENT: "Comment",
    AnnotationKind.INSERTED: "Inserted",
    AnnotationKind.DELETED: "Deleted",
    AnnotationKind.MOVED_HERE: "Moved here",
    AnnotationKind.MOVED_AWAY: "Moved away",
}
IN_THE_TEXT = (AnnotationKind.INSERTED, AnnotationKind.MOVED_HERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """How many of each a document has, and on which pages how many of both."""

    comments: int
    changes: int
    pages: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One as it is listed. head: “Deleted by Ann Lee”. when: “5 March 2026, 10:30”, may be empty. has_place:
    whether its words can be marked on the page.
    """

    position: int
    icon: str
    head: str
    when: str
    text: str
    quote: str
    is_comment: bool
    is_gone: bool
    has_place: bool


def markup_of(document: Document) -> Markup | None:
    """None for a document without any."""
    of = Annotation.objects.filter(page__document=document)
    pages = list(of.order_by("page__number").values_list("page__number").annotate(Count("pk")))
    if not pages:
        return None
    comments = of.comments().count()
    return Markup(comments=comments, changes=sum(count for _, count in pages) - comments, pages=pages)


def on(page: Page) -> list[Listed]:
    return [_listed(page, each) for each in page.annotations.order_by("position")]


def find(page: Page, position: str | None) -> Annotation | None:
    """The one at that position of the page, as an address has it."""
    number = number_in(position or "")
    return page.annotations.filter(position=number).first() if number is not None else None


def place(page: Page, annotation: Annotation) -> list[Hit]:
    """The words that it is on, where the page has them: at most one place."""
    before = annotation.quote if annotation.kind != AnnotationKind.COMMENT else ""
    words = annotation.text if annotation.kind in IN_THE_TEXT else annotation.quote
    pattern = r"\s+".join(map(re.escape, words.split()))
    behind = r"\s+".join(map(re.escape, before.split()))
    for sought in (rf"{behind}\s*({pattern})" if behind else "", f"({pattern})"):
        if pattern and sought and (found := re.search(sought, page.text)):
            start, end = found.span(1)
            return [Hit(number=page.number, start=start, end=end, before="", text=found[1], after="")]
    return []


def _listed(page: Page, annotation: Annotation) -> Listed:
    kind = AnnotationKind(annotation.kind)
    return Listed(
        position=annotation.position,
        icon=ICONS[kind],
        head=f"{DONE[kind]} by {annotation.author}" if annotation.author else DONE[kind],
        when=moment_in_words(annotation.made) if annotation.made else "",
        text=annotation.text,
        quote=annotation.quote,
        is_comment=kind == AnnotationKind.COMMENT,
        is_gone=kind not in (*IN_THE_TEXT, AnnotationKind.COMMENT),
        has_place=bool(place(page, annotation)),
    )
