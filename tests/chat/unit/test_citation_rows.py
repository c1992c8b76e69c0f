"""What is known of a checked quote is in its row, and is read from there again."""

from dataclasses import replace

from chat.citation_rows.store import quote_of, row_of, write
from chat.models import Turn
from citations.checked import CheckedQuote
from citations.choices import ConfirmedBy, OnPage, Support

CHECKED = CheckedQuote(
    n=3,
    claim="Backups are kept for 35 days",
    written="kept for 35  days",
    document_id=7,
    document_title="Agreement",
    cited_as="Agreement 2024",
    chunk=11,
    heading="Backups",
    quote="kept for 35 days",
    start=20,
    end=36,
    pages=[1, 2],
    place_in_file="Slide 7",
    boxes={"1": [[0, 0, 10, 10]]},
    on_page=OnPage.NORMALISED,
    support=Support.SUPPORTED,
    confirmed_by=ConfirmedBy.READER,
    reader="qwen3:14b",
    reason="",
    checks=[{"name": "figures", "passed": True}],
    objections=("Other words.",),
    judge={"supported": True},
    masked=["e-mail address"],
    before="Each backup is",
    after="and no longer.",
)


def test_a_row_keeps_all_but_what_only_readers_are_told() -> None:
    row = row_of(Turn(), CHECKED)
    assert (row.n, row.chunk_id_hint, row.document_id, row.pages) == (3, 11, 7, [1, 2])
    assert quote_of(row) == replace(CHECKED, heading="", objections=())


def test_what_has_never_been_found_is_stored_as_empty_lists() -> None:
    row = row_of(Turn(), CheckedQuote(n=1, written="x", on_page=OnPage.ABSENT))
    assert (row.pages, row.checks, row.masked, row.boxes, row.judge) == ([], [], [], {}, {})


def test_a_place_that_masking_has_made_too_long_still_fits() -> None:
    row = row_of(Turn(), CHECKED)
    write(row, replace(CHECKED, place_in_file="‹e-mail address masked› " * 20))
    assert len(row.place_in_file) == 300
