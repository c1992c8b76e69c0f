"""Where a quote stands, in words: its pages, and what is said instead of a place or beside it."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from localization.lists import listed

# Instead of a place, in a file with pages of its own: the quote is the value of a form's field; the page does
# not show all of it; the page shows other letters; nobody has compared it with the page.
FILLED_IN, NOT_VISIBLE = gettext_noop("filled in"), gettext_noop("not visible on the page")
OTHER_LETTERS, NOT_COMPARED = (
    gettext_noop("printed in other letters"),
    gettext_noop("not compared with the page"),
)
DOUBTFUL = {NOT_VISIBLE, OTHER_LETTERS, NOT_COMPARED}
REMARKS = {FILLED_IN, *DOUBTFUL}


def where(pages: Sequence[int], place_in_file: str, clause: str = "") -> str:
    """“page 3, clause 12.2”, “page 3, filled in”, or what the file calls the place; empty without either."""
    on = on_pages(pages) if pages else ""
    place = f"{on}, {shown(place_in_file)}" if on and place_in_file in REMARKS else shown(place_in_file) or on
    return _("{place}, clause {number}").format(place=place, number=clause) if place and clause else place


def shown(place_in_file: str) -> str:
    """As pages say it: SVQ's own remarks are translated, words of the file are not."""
    return _(place_in_file) if place_in_file in REMARKS else place_in_file


def on_pages(numbers: Sequence[int]) -> str:
    """“page 3”, “pages 3 and 4”."""
    told = ngettext("page {pages}", "pages {pages}", len(numbers))
    return told.format(pages=listed([str(number) for number in numbers]))
