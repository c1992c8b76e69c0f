"""Which pages of a document an answer must be from, by the figures in it."""

import re
from collections.abc import Iterator
from itertools import islice

from ingestion.models import Page

MOST_PAGES = 4  # an answer whose figures are on more is on none in particular
MOST_FIGURES = 100  # of an answer that are looked for
_FIGURE = re.compile(r"(?<![\d.,])\d[\d,]*(?:\.\d+)?")


class AnswerPages:
    """Each document's pages are read once."""

    def __init__(self) -> None:
        self._figures: dict[int, dict[int, set[str]]] = {}

    def of(self, document_id: int, answer: str) -> list[int]:
        """Those with most of its figures; none where figures tell no page."""
        asked = set(islice(_telling(answer), MOST_FIGURES))
        if not asked:
            return []
        counts = {number: len(asked & figures) for number, figures in self._of(document_id).items()}
        most = max(counts.values(), default=0)
        best = [number for number, count in counts.items() if count == most]
        return best if most and len(best) <= MOST_PAGES else []

    def _of(self, document_id: int) -> dict[int, set[str]]:
        """The telling figures of each page, also without what stands behind their point."""
        if document_id not in self._figures:
            pages = Page.objects.filter(document=document_id).order_by("number").values_list("number", "text")
            self._figures[document_id] = {
                number: {form for figure in _telling(text) for form in (figure, figure.partition(".")[0])}
                for number, text in pages.iterator(chunk_size=100)
            }
        return self._figures[document_id]


def _telling(text: str) -> Iterator[str]:
    """Figures that do not stand on every page."""
    for written in _FIGURE.findall(text):
        figure = written.rstrip(",")
        digits = sum(map(str.isdigit, figure))
        if "." in figure or ("," in figure and digits >= 4):
            yield figure
