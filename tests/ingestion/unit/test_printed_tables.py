"""Tables found by what is printed: each figure in its own cell, each cell under the name of its column."""

import time
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import PageText
from formats.pdf.reader import read_pdf
from ingestion.structure.printed_tables import printed_tables
from ingestion.structure.values import RowKind, Table, cell_text

Line = list[tuple[float, str]]


def drawn(path: Path, lines: list[Line]) -> tuple[str, list[Table]]:
    """Figures end at their place, words begin there."""
    canvas = Canvas(str(path), pagesize=letter)
    canvas.setFont("Helvetica", 10)
    for number, line in enumerate(lines):
        for x, words in line:
            draw = canvas.drawRightString if x > 250 else canvas.drawString
            draw(x, 720 - 16 * number, words)
    canvas.save()
    (page,) = [item for item in read_pdf(path) if isinstance(item, PageText)]
    return page.text, printed_tables(page.text, page.boxes, page.width, page.height)


def rows_of(text: str, table: Table) -> list[dict[int, str]]:
    return [
        {
            column: cell_text(text, [cell for cell in row.cells if cell.column == column])
            for column in sorted({cell.column for cell in row.cells})
        }
        for row in table.rows
        if row.kind == RowKind.DATA
    ]


STATEMENT: list[Line] = [
    [
        (
            60,
            "The table below shows what was sold in the quarter and in the year before it, by product.",
        )
    ],
    [(60, "Net sales by kind")],
    [(60, "(In millions)")],
    [(430, "Three Months Ended")],
    [(360, "July 1,"), (460, "July 2,")],
    [(360, "2023"), (460, "2022")],
    [(60, "Products:")],
    [(60, "Phones"), (310, "$"), (360, "39,669"), (410, "$"), (460, "40,665")],
    [
        (60, "Pads and wearables, home and"),
    ],
    [(60, "accessories"), (360, "(6,840)"), (460, "—")],
    [(60, "Total products"), (360, "32,829"), (460, "40,665")],
    [(60, "Services"), (360, "12.5%"), (460, "7 %")],
    [
        (
            60,
            "Services grew because more people paid for them; prices were the same as in the year before.",
        )
    ],
]


def test_a_statement_is_read_cell_by_cell(tmp_path: Path) -> None:
    text, (table,) = drawn(tmp_path / "a.pdf", STATEMENT)
    assert table.heads == ("", "Three Months Ended July 1, 2023", "Three Months Ended July 2, 2022")
    assert table.caption == "Net sales by kind"
    assert table.unit == "(In millions)"
    assert rows_of(text, table) == [
        {0: "Phones", 1: "$39,669", 2: "$40,665"},
        {0: "Pads and wearables, home and accessories", 1: "(6,840)", 2: "—"},
        {0: "Total products", 1: "32,829", 2: "40,665"},
        {0: "Services", 1: "12.5%", 2: "7%"},
    ]
    groups = [row.group for row in table.rows if row.kind == RowKind.DATA]
    assert groups == ["Products:", "Products:", "Products:", ""]


def test_heads_that_stand_over_two_columns_name_both(tmp_path: Path) -> None:
    lines: list[Line] = [
        [(364, "Gross margin"), (520, "Net margin")],
        [(310, "2024"), (370, "2023"), (470, "2024"), (530, "2023")],
        [(60, "Europe"), (310, "12"), (370, "13"), (470, "4"), (530, "5")],
        [(60, "Asia"), (310, "22"), (370, "23"), (470, "14"), (530, "15")],
    ]
    _, (table,) = drawn(tmp_path / "a.pdf", lines)
    assert table.heads[1:] == ("Gross margin 2024", "Gross margin 2023", "Net margin 2024", "Net margin 2023")


def test_an_empty_cell_moves_no_figure_into_its_column(tmp_path: Path) -> None:
    lines: list[Line] = [
        [(310, "2024"), (400, "2023"), (490, "2022")],
        [(60, "Europe"), (310, "12"), (400, "13"), (490, "14")],
        [(60, "Asia"), (310, "22"), (490, "24")],
        [(60, "Africa"), (490, "34")],
    ]
    text, (table,) = drawn(tmp_path / "a.pdf", lines)
    assert rows_of(text, table)[1:] == [{0: "Asia", 1: "22", 3: "24"}, {0: "Africa", 3: "34"}]


def test_columns_that_stand_close_are_parted(tmp_path: Path) -> None:
    lines: list[Line] = [
        [(60, "Europe"), (300, "12,345"), (340, "13,456"), (380, "14,567")],
        [(60, "Asia"), (300, "22,345"), (340, "23,456"), (380, "24,567")],
    ]
    text, (table,) = drawn(tmp_path / "a.pdf", lines)
    assert rows_of(text, table)[0] == {0: "Europe", 1: "12,345", 2: "13,456", 3: "14,567"}


def test_two_tables_below_each_other_stay_two(tmp_path: Path) -> None:
    lines: list[Line] = [
        [(360, "2023"), (460, "2022")],
        [(60, "Phones"), (360, "39,669"), (460, "40,665")],
        [(60, "Services"), (360, "21,213"), (460, "19,604")],
        [(60, "The costs of both were as follows:")],
        [(310, "2021"), (410, "2020")],
        [(60, "Phones"), (310, "9,669"), (410, "10,665")],
        [(60, "Services"), (310, "1,213"), (410, "9,604")],
    ]
    _, tables = drawn(tmp_path / "a.pdf", lines)
    assert [table.heads[1:] for table in tables] == [("2023", "2022"), ("2021", "2020")]


@pytest.mark.parametrize(
    "line",
    [
        [(60, "In 2023 the company sold 12 ships and 14 lorries, which is more than in 2022.")],
        [(60, "1."), (90, "The first of the obligations of the supplier.")],
        [(60, "Report of the year"), (460, "Page 3 of 7")],
    ],
)
def test_prose_is_no_table(tmp_path: Path, line: Line) -> None:
    _, tables = drawn(tmp_path / "a.pdf", [line, [(60, "And so on.")]])
    assert tables == []


def test_a_page_full_of_cells_is_read_in_time() -> None:
    started = time.process_time()
    rows = "\n".join("\t".join(str(cell % 10) for cell in range(70)) for _ in range(300))
    heads = "\n".join("\t".join("abcdefghij"[cell % 10] for cell in range(70)) for _ in range(20))
    assert printed_tables(f"{heads}\n{rows}\n{heads}\n{rows}", b"", 595, 842)
    printed_tables(
        "\t".join("7" for _ in range(40_000)) + "\n" + "\t".join("7" for _ in range(40_000)), b"", 1, 1
    )
    assert time.process_time() - started < 20
