"""Which of the documents that a turn has found change which others, as the beginnings of them say."""

from collections.abc import Callable, Collection, Iterable

from django.db.models.functions import Substr

from english.contracts.amendments import BEGINNING, changed_by_each
from ingestion.models import Page

Titled = tuple[str, str]  # a document's title, and how it begins


def beginnings_of(documents: Collection[int]) -> Iterable[Titled]:
    """Of documents by their ids. Asks the database."""
    first = Page.objects.filter(document__in=documents, number=1).order_by("document")
    return first.annotate(begins=Substr("text", 1, BEGINNING)).values_list("document__title", "begins")


class Relations:
    """`changes`: of the titles those of documents that change others, each with these."""

    def __init__(
        self, beginnings: Callable[[Collection[int]], Iterable[Titled]] = lambda documents: ()
    ) -> None:
        """beginnings: of documents by their ids; without it nothing is known of any."""
        self.changes: dict[str, tuple[str, ...]] = {}
        self._beginnings = beginnings
        self._texts: dict[str, list[str]] = {}
        self._read: set[int] = set()

    def learn(self, documents: Collection[int]) -> None:
        """Read how these documents begin, each once. Blocks."""
        new = set(documents) - self._read
        if not new:
            return
        self._read |= new
        for title, text in self._beginnings(new):
            self._texts.setdefault(title, []).append(text)
        self.changes = changed_by_each(self._texts) if len(self._texts) > 1 else {}

    def told_of(self, title: str) -> str:
        """A document's title, and how it begins."""
        return "\n".join((title, *self._texts.get(title, ())))
