"""Workbooks and CSV: values as they are displayed, rows with their numbers, heads on each page."""

import pytest

from benchmarks.office_files import row, xlsx
from formats import ExtractionError
from formats.delimited.format import CSV
from formats.sheets.format import SHEETS
from tests.formats.reading import pages_of, text_of

PERCENT = (
    '<numFmts count="1"><numFmt numFmtId="170" formatCode="#,##0.00&quot; EUR&quot;"/></numFmts>'
    "<fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>"
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="10" applyNumberFormat="1"/>'
    '<xf numFmtId="170" applyNumberFormat="1"/></cellXfs>'
)


def test_values_are_those_that_are_displayed(tmp_path):
    rows = row(1, "Item", "Share") + row(2, "Rent", 0.25, style=1) + row(3, "Fee", 1250, style=2)
    assert text_of(SHEETS, xlsx({"Fees": rows}, styles=PERCENT), tmp_path) == (
        "Item\tShare\nRent\t25.00%\nFee\t1,250.00 EUR"
    )


def test_sheets_have_pages_and_rows_have_numbers(tmp_path):
    rows = row(1, "Budget") + row(3, "Item", "Cost") + "".join(row(n, f"Item {n}", n) for n in range(4, 160))
    pages = pages_of(SHEETS, xlsx({"Fees": rows, "Notes": row(5, "Confidential")}, hidden="Notes"), tmp_path)
    assert pages[0].address.startswith("Sheet “Fees”, rows 1 to ")
    assert pages[0].text.startswith("Budget\n\nItem\tCost\nItem 4\t4\n")
    assert pages[1].text.startswith("Item\tCost\nItem ")  # the heads again
    assert pages[-2].address.endswith(" to 159")
    assert (pages[-1].address, pages[-1].text) == ("Sheet “Notes”, row 5", "Confidential")


def test_merged_cells_are_told_once(tmp_path):
    rows = row(1, "Fees of 2025", "", "") + row(2, "Item", "Net", "Gross") + row(3, "Rent", 100, 119)
    content = xlsx({"Fees": rows}, merged='<mergeCell ref="A1:C1"/>')
    assert text_of(SHEETS, content, tmp_path) == "Fees of 2025\nItem\tNet\tGross\nRent\t100\t119"


def test_a_cell_far_away_costs_nothing(tmp_path):
    far = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    page = pages_of(SHEETS, xlsx({"Far": row(1, "Start", 1) + far}), tmp_path)[-1]
    assert page.text.endswith("7")
    assert page.address.endswith("1,048,576")


@pytest.mark.parametrize(
    ("text", "encoding", "cells"),
    [
        ("name;fee\nAnn;1,5\nBob;2,5", "utf-8", "name\tfee\nAnn\t1,5\nBob\t2,5"),
        ("name|fee\nAnn|1,5|x", "utf-16", "name\tfee\nAnn\t1,5\tx"),
        ('name\tfee\n"Ann\tB"\t1', "utf-8", "name\tfee\nAnn B\t1"),
        (
            'name,note\nAnn,"said ""no"", twice\nand left"',
            "utf-8",
            'name\tnote\nAnn\tsaid "no", twice and left',
        ),
        ("Straße,Größe\nMüller,3", "cp1252", "Straße\tGröße\nMüller\t3"),
        ("sep=;\na;b\n1;2", "utf-8", "a\tb\n1\t2"),
        ('a,b\n"never closed,2\n3,4', "utf-8", "a\tb\nnever closed,2 3,4"),
    ],
)
def test_separators_and_encodings_are_found_out(tmp_path, text, encoding, cells):
    assert text_of(CSV, text.encode(encoding), tmp_path) == cells


def test_numbers_of_rows_and_heads_of_csv(tmp_path):
    lines = ["Id,Town", *(f"{n},Town {n}" for n in range(2, 200))]
    pages = pages_of(CSV, "\n".join(lines).encode(), tmp_path)
    assert pages[0].address.startswith("Rows 1 to ")
    assert pages[-1].address.endswith(" to 199")
    assert all(page.text.startswith("Id\tTown\n") for page in pages)


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "empty"), (b",,\n,,", "empty"), (b"\0\1\2" * 500, "unsupported")]
)
def test_what_has_no_cells_says_so(tmp_path, content, code):
    with pytest.raises(ExtractionError) as caught:
        text_of(CSV, content, tmp_path)
    assert caught.value.code == code
