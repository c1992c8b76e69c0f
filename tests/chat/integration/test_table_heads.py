"""The heads of the columns above a quoted row: told in the pane, and shown with the row on its page."""

import zlib

import numpy as np
import pytest

from accounts.models import User
from chat.citation_rows.as_read import as_read
from chat.citation_rows.table_heads import table_heads
from chat.models import Citation
from citations.choices import OnPage
from datasources.models import Datasource
from ingestion.models import Page
from reader import page_images
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

TABLE = (
    "Net sales of the company, in millions:\n\n"
    "Three Months Ended\n"
    "\tJuly 1, 2023\tJuly 2, 2022\n"
    "Products\t60,584\t63,355\n"
    "Services\t21,213\t19,604\n"
    "Total net sales\t81,797\t82,959\n\n"
    "The company sold more services than a year before."
)
ROW = "Total net sales\t81,797\t82,959"
LINE = 1 / 40  # of the page's height


def letters(text: str) -> bytes:
    """A box for each letter, each line of the text LINE below the one before."""
    boxes = np.zeros((len(text), 4))
    line = column = 0
    for at, letter in enumerate(text):
        if letter == "\n":
            line, column = line + 1, 0
            continue
        column += 1
        if not letter.isspace():
            boxes[at] = [column / 100, line * LINE, (column + 1) / 100, (line + 0.7) * LINE]
    return zlib.compress((boxes * 65535).astype("<u2").tobytes())


@pytest.fixture
def citation(contracts: Datasource, alice: User) -> Citation:
    """Of the last row of the table."""
    document = make_document(contracts, "Report", TABLE)
    Page.objects.filter(document=document).update(boxes=letters(TABLE))
    start = TABLE.index(ROW)
    return Citation.objects.create(
        turn=make_turn(alice, document, quotes_only=True),
        n=7,
        document=document,
        document_title="Report",
        pages=[1],
        quote=ROW,
        start=start,
        end=start + len(ROW),
        on_page=OnPage.EXACT,
        boxes={"1": page_images.place(document, start, start + len(ROW))[1]},
    )


def test_the_heads_of_a_row_are_found_above_it(citation: Citation) -> None:
    heads = table_heads(citation)
    assert heads.text == "Three Months Ended July 1, 2023 | Three Months Ended July 2, 2022"
    lines = {round(box[1] / 1000 / LINE) for box in heads.boxes[1]}
    assert lines == {2, 3}


def test_the_picture_of_a_row_has_room_for_its_heads(citation: Citation) -> None:
    assert citation.document is not None
    row = citation.boxes_on(1)
    _, alone = page_images.crop_size(citation.document, 1, row)
    _, with_heads = page_images.crop_size(citation.document, 1, row, table_heads(citation).boxes[1])
    assert with_heads > alone


def test_cells_of_two_lines_beside_each_other_are_shown_once(citation: Citation) -> None:
    assert citation.document is not None
    heads = [[120.0, 502.0, 226.0, 510.0], [445.0, 502.0, 495.0, 510.0]]
    first = [[122.0, 590.0, 419.0, 599.0], [168.0, 603.0, 204.0, 610.0]]
    second = [[446.0, 590.0, 867.0, 599.0], [445.0, 603.0, 507.0, 610.0]]
    _, one_cell = page_images.crop_size(citation.document, 1, second, heads)
    _, both = page_images.crop_size(citation.document, 1, [*first, *second], heads)
    assert both <= one_cell


def test_the_pane_says_which_words_are_the_heads(citation: Citation, alice: User) -> None:
    conversation = citation.turn.conversation
    address = f"/d/{conversation.datasource_id}/chat/{conversation.pk}/?cite=7"
    pane = text_of(browser_of(alice).get(address))
    assert "Column heads" in pane
    assert "Three Months Ended July 1, 2023 | Three Months Ended July 2, 2022" in pane


def test_a_row_reads_as_it_is_printed(citation: Citation) -> None:
    assert as_read(citation) == "Total net sales | 81,797 | 82,959"
    citation.quote = f"19,604\n{ROW}"
    citation.start = TABLE.index(citation.quote)
    assert as_read(citation) == "19,604\nTotal net sales | 81,797 | 82,959"


def test_a_sentence_has_no_heads(citation: Citation) -> None:
    citation.quote = "The company sold more services than a year before."
    citation.start = TABLE.index(citation.quote)
    citation.end = citation.start + len(citation.quote)
    assert table_heads(citation).text == ""
