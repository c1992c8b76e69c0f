"""What tools give of tables: rows under the names of their columns, also in the midst of a table."""

import pytest

from accounts.models import User
from datasources.models import Datasource
from ingestion.models import Chunk
from retrieval.evidence import evidence_of
from retrieval.tables import markdown, with_tables
from tests.factories import make_document

pytestmark = pytest.mark.django_db

STATEMENT = (
    "The table shows the net sales of the company.\n"
    "Net sales by category (in millions):\n"
    "Three Months Ended\n"
    "\tJuly 1, 2023\tJune 25, 2022\n"
    "Products:\n"
    "iPhone\t$ 39,669\t$ 40,665\n"
    "Mac\t6,840\t7,382\n"
    "Total products\t46,509\t48,047\n"
    "Services\t21,213\t19,604\n"
    "\nServices grew in the quarter."
)


@pytest.fixture
def whole(contracts: Datasource) -> Chunk:
    document = make_document(contracts, "Report", STATEMENT)
    return document.chunks.get()


def test_rows_stand_under_the_names_of_their_columns(whole: Chunk) -> None:
    (passage,) = with_tables([evidence_of(whole, 1.0)])
    assert markdown(passage, passage.text).splitlines() == [
        "Net sales by category (in millions):",
        "|  | Three Months Ended July 1, 2023 | Three Months Ended June 25, 2022 |",
        "| --- | --- | --- |",
        "| **Products:** |  |  |",
        "| iPhone | $ 39,669 | $ 40,665 |",
        "| Mac | 6,840 | 7,382 |",
        "| Total products | 46,509 | 48,047 |",
        "| Services | 21,213 | 19,604 |",
    ]
    assert passage.table_heads == ""


def test_a_passage_in_the_midst_of_a_table_has_its_heads(whole: Chunk) -> None:
    start = STATEMENT.index("Services\t")
    rest = Chunk.objects.create(
        datasource=whole.datasource,
        document=whole.document,
        index=1,
        text=STATEMENT[start:],
        start=start,
        end=len(STATEMENT),
        first_page=1,
        last_page=1,
    )
    (passage,) = with_tables([evidence_of(rest, 1.0)])
    assert passage.table_heads == "Three Months Ended July 1, 2023 | Three Months Ended June 25, 2022"
    assert "| Services | 21,213 | 19,604 |" in markdown(passage, passage.text)
    assert "iPhone" not in markdown(passage, passage.text)


def test_rows_that_were_left_out_of_the_text_are_left_out_of_the_table(whole: Chunk) -> None:
    (passage,) = with_tables([evidence_of(whole, 1.0)])
    told = markdown(passage, "Mac\t6,840\t7,382")
    assert "Mac" in told
    assert "iPhone |" not in told
    assert markdown(passage, "Services grew in the quarter.") == ""


def test_prose_has_no_table(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Prose", "A sentence.\tAnother one, longer than that.")
    (passage,) = with_tables([evidence_of(document.chunks.get(), 1.0)])
    assert passage.table == ()
