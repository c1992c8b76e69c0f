"""Where a quote stands, in words: its pages, and what is said instead of a place or beside it."""

from collections.abc import Sequence

# Instead of a place, in a file with pages of its own: the quote is the value of a form's field; the page does
# not show all of it; the page shows other letters; nobody has compared it with the page.
FILLED_IN, NOT_VISIBLE, OTHER_LETTERS = "filled in", "not visible on the page", "printed in other letters"
NOT_COMPARED = "not compared with the page"
DOUBTFUL = {NOT_VISIBLE, OTHER_LETTERS, NOT_COMPARED}


def where(pages: Sequence[int], place_in_file: str) -> str:
    """“page 3”, “page 3, filled in”, or what the file calls the place; empty without either."""
    on = on_pages(pages) if pages else ""
    is_remark = place_in_file in {FILLED_IN, *DOUBTFUL}
    return f"{on}, {place_in_file}" if on and is_remark else place_in_file or on


def on_pages(numbers: Sequence[int]) -> str:
    """“page 3”, “pages 3 and 4”."""
    return f"page{'s' * (len(numbers) > 1)} {' and '.join(map(str, numbers))}"
