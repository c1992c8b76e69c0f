"""Comments and tracked changes of a document, as the reader lists them beside the pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

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
    AnnotationKind.COMMENT: gettext_lazy("Comment"),
    AnnotationKind.INSERTED: gettext_lazy("Inserted"),
    AnnotationKind.DELETED: pgettext_lazy("tracked change", "Deleted"),
    AnnotationKind.MOVED_HERE: gettext_lazy("Moved here"),
    AnnotationKind.MOVED_AWAY: gettext_lazy("Moved away"),
}
MOST_LISTED = 200  # of a page; REST has all
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


def listed_on(page: Page) -> list[Listed]:
    """The first MOST_LISTED of the page."""
    words = FoldedText(page.text)
    return [_listed(words, each) for each in page.annotations.order_by("position")[:MOST_LISTED]]


def find(page: Page, position: str | None) -> Annotation | None:
    """The one at that position of the page, as an address has it."""
    number = number_in(position or "")
    return page.annotations.filter(position=number).first() if number is not None else None


def place(page: Page, annotation: Annotation) -> list[Hit]:
    """The words that it is on, where the page has them: at most one place."""
    found = FoldedText(page.text).place_of(annotation)
    if found is None:
        return []
    start, end = found
    return [Hit(number=page.number, start=start, end=end, before="", text=page.text[start:end], after="")]


class FoldedText:
    """A page's text with its white space folded, made once for all that is looked for on it."""

    def __init__(self, text: str) -> None:
        words = list(re.finditer(r"\S+", text))
        self._text = " ".join(word[0] for word in words)
        self._at = [place for word in words for place in (*range(word.start(), word.end()), word.end())]

    def place_of(self, annotation: Annotation) -> tuple[int, int] | None:
        """Where the words that it is on begin and end in the page's own text."""
        before = annotation.quote if annotation.kind != AnnotationKind.COMMENT else ""
        words = annotation.text if annotation.kind in IN_THE_TEXT else annotation.quote
        sought, behind = " ".join(words.split()), " ".join(before.split())
        for lead in (f"{behind} ", behind, "") if behind else ("",):
            at = self._text.find(f"{lead}{sought}") if sought else -1
            if at >= 0:
                start = at + len(lead)
                return self._at[start], self._at[start + len(sought) - 1] + 1
        return None


def head_of(kind: AnnotationKind, author: str) -> str:
    """“Deleted by Ann Lee”."""
    if author:
        return _("{what} by {author}").format(what=DONE[kind], author=author)
    return str(DONE[kind])


def _listed(words: FoldedText, annotation: Annotation) -> Listed:
    kind = AnnotationKind(annotation.kind)
    return Listed(
        position=annotation.position,
        icon=ICONS[kind],
        head=head_of(kind, annotation.author),
        when=moment_in_words(annotation.made) if annotation.made else "",
        text=annotation.text,
        quote=annotation.quote,
        is_comment=kind == AnnotationKind.COMMENT,
        is_gone=kind not in (*IN_THE_TEXT, AnnotationKind.COMMENT),
        has_place=words.place_of(annotation) is not None,
    )
