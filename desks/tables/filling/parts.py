"""A document's text in parts that a model reads one after the other, from any place to the end."""

from dataclasses import dataclass

from django.db.models import Max

from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER

PART_CHARACTERS = 24_000  # about 6,000 tokens, which every model of today has room for


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """text: the document's from offset `start` on. last: nothing comes after it."""

    text: str
    start: int
    first_page: int
    last_page: int
    last: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def part_from(document: Document, start: int, most: int = PART_CHARACTERS) -> Part | None:
    """The part that begins at the offset; it ends with a page where it can, else with a line.

    most: characters. None at the end of the text.
    """
    pages = document.pages.order_by("number").values_list("number", "start", "text")
    first = pages.filter(start__lte=start).aggregate(start=Max("start"))["start"] or 0
    near = pages.filter(start__gte=first, start__lte=start + most)  # all that can be in it
    following = [page for page in near if page[1] + len(page[2]) > start]
    if not following:
        return None
    number, begins, text = following[0]
    taken, last_page = text[max(0, start - begins) :], number
    begin = max(start, begins)
    for number, _, text in following[1:]:
        if len(taken) + len(PAGE_JOINER) + len(text) > most:
            break
        taken += PAGE_JOINER + text
        last_page = number
    if len(taken) > most:
        cut = taken.rfind("\n", most // 2, most) + 1 or most
        taken = taken[:cut]
    _, last_start, last_text = pages.reverse()[0]
    return Part(
        text=taken,
        start=begin,
        first_page=following[0][0],
        last_page=last_page,
        last=begin + len(taken) >= last_start + len(last_text),
    )


def tokens_of(characters: int) -> int:
    """About how many a model counts."""
    return characters // 4
