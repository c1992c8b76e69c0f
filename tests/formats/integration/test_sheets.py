"""Workbooks and CSV: values as they are displayed, rows with their numbers, heads on each page."""

import io
import zipfile
import zlib

import numpy as np
import pypdf
import pytest

from benchmarks.office_files import row, xlsx
from formats import ExtractionError, Limits, SourceFile
from formats.delimited.format import CSV
from formats.rendition import format as rendition_format
from formats.rendition import paging
from formats.sheets.format import SHEETS
from tests.formats.old_office import xls
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


def test_rows_and_columns_that_are_hidden_are_read_and_named_on_the_page(tmp_path):
    shown = row(1, "Item", "Cost", "Margin") + row(2, "Rent", 900, 12)
    hidden = "".join(row(n, f"Secret {n}", n, n).replace("<row ", '<row hidden="1" ') for n in (3, 4, 7))
    columns = '<cols><col min="3" max="3" hidden="true"/><col min="9" max="16384" hidden="1"/></cols>'
    path = tmp_path / "book"
    with (
        zipfile.ZipFile(io.BytesIO(xlsx({"Fees": shown + hidden}))) as given,
        zipfile.ZipFile(path, "w") as made,
    ):
        for name in given.namelist():
            made.writestr(name, given.read(name).replace(b"<sheetData>", f"{columns}<sheetData>".encode()))
    (page,) = pages_of(SHEETS, path.read_bytes(), tmp_path)
    assert "Secret 4\t4\t4" in page.text
    drawn = SHEETS.as_pdf(SourceFile(path=path, derived=tmp_path / "derived-file"))
    said = pypdf.PdfReader(drawn).pages[0].extract_text()
    assert "Rows 3 to 4, 7 and column C are hidden in the file" in said


def test_a_line_above_a_table_is_not_its_heads(tmp_path):
    (page,) = pages_of(CSV, b"Stanley Cups,,\nTeam,Town,Cups\nBlues,STL,1\nFlyers,PHI,2\n", tmp_path)
    blocks = page.layout.block_lines or ()
    heads = [page.text[line.start : line.end] for line in blocks if line.is_head]
    assert heads == ["Team\tTown\tCups"]


@pytest.mark.parametrize(("password", "code"), [("", ""), ("hunter2", "encrypted")])
def test_a_workbook_of_before_2007_is_read_or_asks_for_its_password(tmp_path, password, code):
    content = xls([(f"Rent {number}", 475.0 + number) for number in range(130)], password)
    if code:
        with pytest.raises(ExtractionError) as refused:
            pages_of(SHEETS, content, tmp_path)
        assert refused.value.code == code
    else:
        assert pages_of(SHEETS, content, tmp_path)[0].text.startswith("Rent 0\t475\nRent 1\t476\n")


def test_merged_cells_are_told_once(tmp_path):
    rows = row(1, "Fees of 2025", "", "") + row(2, "Item", "Net", "Gross") + row(3, "Rent", 100, 119)
    content = xlsx({"Fees": rows}, merged='<mergeCell ref="A1:C1"/>')
    assert text_of(SHEETS, content, tmp_path) == "Fees of 2025\nItem\tNet\tGross\nRent\t100\t119"


def test_cells_stay_in_their_columns_beside_merged_ones(tmp_path):
    rows = row(1, "Region", "Item", "Fee") + row(2, "North", "a", 1) + row(3, "", "b", 2)
    rows += row(6, "", "c", 3) + row(7, "South", "d", 4)
    content = xlsx({"Fees": rows}, merged='<mergeCell ref="A2:A6"/>')
    (page,) = pages_of(SHEETS, content, tmp_path)
    assert page.text == "Region\tItem\tFee\nNorth\ta\t1\n\tb\t2\n\n\tc\t3\nSouth\td\t4"
    left = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4)[:, 0].astype(int)
    for above, below in (("North", "South"), ("a\t1", "d\t4")):
        assert left[page.text.index(below)] == pytest.approx(left[page.text.index(above)], abs=200)


def test_a_cell_far_away_costs_nothing(tmp_path):
    far = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    page = pages_of(SHEETS, xlsx({"Far": row(1, "Start", 1) + far}), tmp_path)[-1]
    assert page.text.endswith("7")
    assert page.address.endswith("1,048,576")


def test_cells_merged_into_a_whole_sheet_are_refused_with_a_reason(tmp_path):
    far = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    merged = '<mergeCell ref="A2:XFD1048575"/>'
    with pytest.raises(ExtractionError, match="The sheet “Far” has more than 1,000,000 cells merged"):
        pages_of(SHEETS, xlsx({"Far": row(1, "Start", 1) + far}, merged=merged), tmp_path)
    (page,) = pages_of(SHEETS, xlsx({"Near": row(1, "Start", 1) + row(2, "End", 2)}, merged=merged), tmp_path)
    assert page.text == "Start\t1\nEnd"


def test_text_of_a_million_rows_is_refused_before_it_fills_the_memory(tmp_path):
    with pytest.raises(ExtractionError, match="more than 250,000 rows"):
        pages_of(CSV, b'a,b\n"' + b"never closed,\n" * 300_000, tmp_path)


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
        ('a,b\n"never closed,2\n3,4', "utf-8", 'a\tb\n"never closed\t2\n3\t4'),
        ('a,b\n"open,2\n3,4\n5,"six, 7"', "utf-8", 'a\tb\n"open\t2\n3\t4\n5\tsix, 7'),
        ('a,b\n"open,2\n3,4\n5,6\n7",8', "utf-8", 'a\tb\n"open\t2\n3\t4\n5\t6\n7"\t8'),
        ('a,b\n"x\u2028y",2\n3,"12"x\n5,6', "utf-8", "a\tb\nx y\t2\n3\t12x\n5\t6"),
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


LONG_HEADS = ",".join(f"Head {number} " + "x" * 1_000 for number in range(12))


@pytest.mark.parametrize("number", [1_048_577, 1_999_001, 4_294_967_290])
def test_a_row_beyond_the_last_is_a_damaged_file(tmp_path, number):
    with pytest.raises(ExtractionError) as failure:
        text_of(SHEETS, xlsx({"Fees": row(1, "Item") + row(number, "Beyond")}), tmp_path)
    assert failure.value.code == "corrupt"


def test_long_heads_are_not_sent_with_each_row(tmp_path):
    path = tmp_path / "fees.csv"
    path.write_text(LONG_HEADS + "\n" + "\n".join(f"{n},b" for n in range(1_000)))
    file = SourceFile(path=path, derived=tmp_path)
    assert sum(len(frame.body) for frame in CSV._run(file, {"do": "text"}, Limits())) < 200_000


def test_a_file_of_too_much_text_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(rendition_format, "MOST_TEXT", 1_000)
    with pytest.raises(ExtractionError) as caught:
        text_of(CSV, ("Id,Town\n" + "\n".join(f"{n},Town {n}" for n in range(100))).encode(), tmp_path)
    assert caught.value.code == "too_large"


def test_pages_are_the_same_however_far_is_read_ahead(tmp_path, monkeypatch):
    content = ("Id,Town\n" + "\n".join(f"{n},Town {n}" for n in range(2, 300))).encode()
    at_once = pages_of(CSV, content, tmp_path)
    monkeypatch.setattr(paging, "READ_AHEAD", 100)
    assert pages_of(CSV, content, tmp_path) == at_once
    assert "\n299\tTown 299" in at_once[-1].text


def test_an_open_quote_costs_no_row(tmp_path):
    rows = [f"{n},Town {n},{'x' * 40}" for n in range(4_000)]
    rows[100] = '100,"Town 100,x'
    text = text_of(CSV, ("id,town,x\n" + "\n".join(rows)).encode(), tmp_path)
    assert all(f"\n{n}\t" in text for n in range(1, 4_000))
