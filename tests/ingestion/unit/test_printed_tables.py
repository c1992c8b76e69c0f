"""Tables found by what is printed: each figure in its own cell, each cell under the name of its column."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import PageText
from formats.pdf.reader import read_pdf
from ingestion.structure.printed_tables import printed_tables
from ingestion.structure.values import Cell, RowKind, Table

Line = list[tuple[float, str]]


def cell_text(text: str, cells: Sequence[Cell]) -> str:
    """What stands in the cells of one column of a row, on one line; a sign of money belongs to its figure."""
    said = " ".join(" ".join(text[cell.start : cell.end].split()) for cell in cells)
    for sign in "$€£¥":
        said = said.replace(f"{sign} ", sign)
    return said.replace(" %", "%").replace(" )", ")")


def drawn(path: Path, lines: list[Line]) -> tuple[str, list[Table]]:
    """Figures end at their place, words begin there."""
    return placed(path, [(x, number, words) for number, line in enumerate(lines) for x, words in line])


def drawn_by_columns(path: Path, lines: list[Line], above: int, below: int) -> tuple[str, list[Table]]:
    """above, below: the number of the first line of the table, and of the first line behind it."""
    cells = [(x, number, words) for number, line in enumerate(lines) for x, words in line]
    table = sorted((cell for cell in cells if above <= cell[1] < below), key=lambda cell: cell[0])
    before, behind = [c for c in cells if c[1] < above], [c for c in cells if c[1] >= below]
    return placed(path, [*before, *table, *behind])


def placed(path: Path, cells: Sequence[tuple[float, float, str]], bold: int = -1) -> tuple[str, list[Table]]:
    """bold: the number of the line that is."""
    canvas = Canvas(str(path), pagesize=letter)
    for x, line, words in cells:
        canvas.setFont("Helvetica-Bold" if line == bold else "Helvetica", 10)
        draw = canvas.drawRightString if x > 250 else canvas.drawString
        draw(x, 720 - 16 * line, words)
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


def test_a_table_that_is_drawn_column_by_column_is_read_in_rows(tmp_path: Path) -> None:
    drawn_in_rows, by_columns = (
        drawn(tmp_path / "a.pdf", STATEMENT),
        drawn_by_columns(tmp_path / "b.pdf", STATEMENT, 4, 12),
    )
    assert by_columns[0] == drawn_in_rows[0]
    assert by_columns[1] == drawn_in_rows[1]


def test_each_of_two_tables_drawn_column_by_column_keeps_its_place(tmp_path: Path) -> None:
    lines: list[Line] = [
        [(60, "Europe"), (310, "12"), (400, "4 May 2021")],
        [(60, "Asia"), (310, "22"), (400, "5 May 2021")],
        [(60, "The second table says what the offices of the company cost in the two years before it.")],
        [(60, "London"), (310, "1,200"), (400, "1,300")],
        [(60, "Tokyo"), (310, "2,200"), (400, "2,300")],
    ]
    first = sorted((x, number, words) for number in (0, 1) for x, words in lines[number])
    second = sorted((x, number, words) for number in (3, 4) for x, words in lines[number])
    text, (one, two) = placed(tmp_path / "a.pdf", [*first, (60, 2, lines[2][0][1]), *second])
    assert rows_of(text, one) == [
        {0: "Europe", 1: "12", 2: "4 May 2021"},
        {0: "Asia", 1: "22", 2: "5 May 2021"},
    ]
    assert rows_of(text, two) == [{0: "London", 1: "1,200", 2: "1,300"}, {0: "Tokyo", 1: "2,200", 2: "2,300"}]


def test_words_under_bold_heads_drawn_column_by_column_are_rows(tmp_path: Path) -> None:
    columns = [
        (60, ["Name", "Ann Miller", "Bo Chen", "Cy Young"]),
        (180, ["Office", "Rome", "Oslo", "Bonn"]),
        (240, ["Role", "Clerk", "Cook", "Pilot"]),
    ]
    cells = [(x, number, word) for x, words in columns for number, word in enumerate(words)]
    text, (table,) = placed(tmp_path / "a.pdf", cells, bold=0)
    assert table.heads == ("Name", "Office", "Role")
    assert rows_of(text, table)[1] == {0: "Bo Chen", 1: "Oslo", 2: "Cook"}


@pytest.mark.parametrize(
    "columns",
    [
        [
            ["The tenant pays the rent on the", "first day of each month and the", "costs of heat with it."],
            [
                "A landlord may end the lease in",
                "2031 if 12 months have passed by",
                "then and they were told so.",
            ],
        ],
        [["Buyer:", "Ann Miller", "12 High Street", "Leeds"], ["Seller:", "Bo Chen", "7 Low Road", "York"]],
        [["Albania", "Algeria", "Andorra"], ["Brazil", "Canada", "Chile"], ["Fiji", "France", "Gabon"]],
    ],
    ids=["prose", "addresses", "a list"],
)
def test_columns_that_are_no_table_are_read_one_after_the_other(
    tmp_path: Path, columns: list[list[str]]
) -> None:
    xs = (60, 220, 250) if len(columns) == 3 else (60, 249)
    text, _ = placed(
        tmp_path / "a.pdf",
        [
            (x, number, said)
            for x, column in zip(xs, columns, strict=True)
            for number, said in enumerate(column)
        ],
    )
    assert text.split("\n") == [said for column in columns for said in column]


def test_raised_letters_are_no_column(tmp_path: Path) -> None:
    cells = [
        (60, 0, "We set x"),
        (102, -0.3, "2"),
        (102, 0.3, "1"),
        (108, 0, "and y"),
        (134, -0.3, "2"),
        (134, 0.3, "1"),
    ]
    text, tables = placed(tmp_path / "a.pdf", [*cells, (60, 2, "and so on.")])
    assert tables == []
    assert "\t" not in text


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
