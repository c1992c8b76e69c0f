"""On which pages of a document an answer must be from, by the figures that it tells."""

import re
from collections.abc import Iterator

from ingestion.models import Page

MOST_PAGES = 4  # an answer whose figures are on more is on none in particular
_FIGURE = re.compile(r"\d[\d,]*\.?\d*")


def pages_of_answer(document_id: int, answer: str) -> list[int]:
    """Those with most of its figures; none where figures tell no page."""
    figures = set(_telling(answer))
    if not figures:
        return []
    pages = Page.objects.filter(document=document_id).order_by("number").values_list("number", "text")
    counts = {number: sum(_has(text, figure) for figure in figures) for number, text in pages}
    most = max(counts.values(), default=0)
    best = [number for number, count in counts.items() if count == most]
    return best if most and len(best) <= MOST_PAGES else []


def _telling(answer: str) -> Iterator[str]:
    """Figures that do not stand on every page."""
    for written in _FIGURE.findall(answer):
        figure = written.rstrip(".,")
        digits = sum(map(str.isdigit, figure))
        if "." in figure or ("," in figure and digits >= 4):
            yield figure


def _has(text: str, figure: str) -> bool:
    return bool(re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\d)(?!,\d)", text))
