"""Finds words in one document: all their places, and a page's text with the places marked."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from datasources.models import Document
from ingestion.models import Page
from text.normal_forms.clean_form import clean_form, cleaned
from text.normal_forms.normal_form import lower_in_place
from text.search import fuzzy_match
from text.search.stretches import Stretch

SHORTEST = 4  # characters; shorter queries resemble everything, so only exact matches count
MAX_HITS = 500
CONTEXT = 48  # characters shown before and after a place


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Words found: page.text[start:end] of page `number`, and the text around them."""

    number: int
    start: int
    end: int
    before: str
    text: str
    after: str


def find(document: Document, words: str) -> list[Hit]:
    """All places of the words in reading order; on pages without them, the most similar place."""
    sought = lower_in_place(clean_form(words)).split()
    if not sought:
        return []
    rows = list(document.pages.order_by("number").values_list("number", "text"))
    forms = [cleaned(text) for _, text in rows]
    folded = [lower_in_place(form.text) for form in forms]
    pattern = re.compile(r"\s+".join(map(re.escape, sought)))
    spans = [[match.span() for match in pattern.finditer(text)] for text in folded]
    others = [index for index, places in enumerate(spans) if not places]
    if len("".join(sought)) >= SHORTEST:
        texts, lowered = [forms[i].text for i in others], [folded[i] for i in others]
        for match in fuzzy_match.search(words, texts, limit=len(texts), folded=lowered):
            spans[others[match.index]] = [(match.start, match.end)]
    hits = [
        _hit(*row, *form.before(*span))
        for row, form, places in zip(rows, forms, spans, strict=True)
        for span in places
    ]
    return hits[:MAX_HITS]


def within(
    page: Page, start: int, end: int, spans_in: Callable[[str], Sequence[tuple[int, int]]]
) -> list[Hit]:
    """The spans of the part of the page that lies between two offsets in the document's text."""
    first = max(0, start - page.start)
    part = page.text[first : max(first, end - page.start)]
    return [_hit(page.number, page.text, first + a, first + b) for a, b in spans_in(part)]


def _hit(number: int, text: str, start: int, end: int) -> Hit:
    return Hit(
        number=number,
        start=start,
        end=end,
        before=_from_a_word(text[max(0, start - CONTEXT - 1) : start]) if start > CONTEXT else text[:start],
        text=text[start:end],
        after=_to_a_word(text[end : end + CONTEXT + 1]) if end + CONTEXT < len(text) else text[end:],
    )


def _from_a_word(text: str) -> str:
    """Without the rest of a word that begins before it; text without spaces stays as it is."""
    return re.sub(r"^\S+\s+", "", text)


def _to_a_word(text: str) -> str:
    return re.sub(r"\s+\S+$", "", text)


def marked(text: str, hits: Sequence[Hit]) -> list[Stretch]:
    """The page's text, cut where the hits begin and end."""
    parts, position = [], 0
    for hit in hits:
        parts.append(Stretch(text=text[position : hit.start], marked=False))
        parts.append(Stretch(text=text[hit.start : hit.end], marked=True))
        position = hit.end
    parts.append(Stretch(text=text[position:], marked=False))
    return [part for part in parts if part.text]
