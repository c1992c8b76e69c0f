"""Tables whose cells are sentences: read row by row, each word in its place; columns of prose stay prose."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

from formats import PageText
from formats.boxes import boxes_of
from tests.formats.pdfs import pages_of

HEADS = ["No.", "Question", "Answer"]
ROWS = [
    [
        "1",
        "Is customer data encrypted where it is kept, and who holds the keys to it?",
        "Yes, with AES-256. The keys are held in a hardware module by the team alone, and replaced yearly.",
    ],
    [
        "2",
        "How long are backups kept?",
        "Thirty days. After that they are overwritten, and no copy is left in any region or with any "
        "supplier.",
    ],
    ["3", "Which suppliers can see our data while they work for you, and under what contract?", "None."],
    [
        "4",
        "When was the last test by outsiders, and were its findings closed?",
        "In March. It had two findings, both closed within a month; the report can be read at our office.",
    ],
]
WIDTHS = [35.0, 190.0, 230.0]
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9.5, leading=12)
GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
PROSE = (
    "The committee met on four days and heard from people of every region that the plan would touch. Most "
    "of them asked for more time, and some for less noise. It was agreed to write down what had been said, "
    "to send it to all who had come, and to meet again in spring when figures would be known to everybody. "
)


def set_pdf(
    path: Path,
    rows: Sequence[Sequence[str]],
    *styles: tuple,
    head: Sequence[str] = HEADS,
    widths: Sequence[float] = WIDTHS,
) -> PageText:
    """The first page. Cells are drawn one after the other, and their words are wrapped."""
    cells = [[Paragraph(words, BODY) for words in row] for row in rows]
    if head:
        cells.insert(0, [Paragraph(f"<b>{words}</b>", BODY) for words in head])
    table = Table(
        cells,
        colWidths=widths,
        repeatRows=1,
        style=[("VALIGN", (0, 0), (-1, -1), "TOP"), *styles],
    )
    story: list[Flowable] = [
        Paragraph(PROSE, BODY),
        Spacer(1, 20),
        table,
        Spacer(1, 20),
        Paragraph(PROSE, BODY),
    ]
    SimpleDocTemplate(str(path), pagesize=A4).build(story)
    return pages_of(path)[0]


def rows_in(page: PageText) -> list[list[str]]:
    """What the cells of each row say."""
    return [page.text[row.start : row.end].split("\t") for row in page.layout.rows]


def drawn_by_lines(path: Path, step: float) -> PageText:
    """Line after line across all columns, as old programs draw; step: points more between two rows."""
    canvas = Canvas(str(path), pagesize=A4)
    y = 700.0
    for row in [HEADS, *ROWS]:
        wrapped = [
            simpleSplit(words, "Helvetica", 9, width - 14) for words, width in zip(row, WIDTHS, strict=True)
        ]
        for number in range(max(map(len, wrapped))):
            canvas.setFont("Helvetica", 9)
            for column, lines in enumerate(wrapped):
                if number < len(lines):
                    canvas.drawString(60 + sum(WIDTHS[:column]), y, lines[number])
            y -= 11
        y -= step
    canvas.save()
    return pages_of(path)[0]


STYLES = {
    "ruled": (GRID,),
    "ruled and centred": (GRID, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")),
    "lines across": (("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black),),
    "shaded": (("ROWBACKGROUNDS", (0, 0), (-1, -1), [colors.white, colors.lightgrey]),),
    "shaded and centred": (
        ("ROWBACKGROUNDS", (0, 0), (-1, -1), [colors.lightgrey, colors.white]),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
    ),
    "without lines": (),
}


@pytest.mark.parametrize("look", STYLES)
def test_a_row_is_a_line_with_its_cells_in_their_order(tmp_path: Path, look: str) -> None:
    page = set_pdf(tmp_path / "table.pdf", ROWS, *STYLES[look])
    assert rows_in(page) == [HEADS, *ROWS]
    assert [row.is_head for row in page.layout.rows] == [True, False, False, False, False]
    assert page.text.startswith("The committee"), "what stands around the table stays where it is"
    assert page.text.rstrip().endswith("everybody.")


@pytest.mark.parametrize("look", STYLES)
def test_the_words_of_a_cell_are_marked_tightly_in_all_of_their_lines(tmp_path: Path, look: str) -> None:
    page = set_pdf(tmp_path / "table.pdf", ROWS, *STYLES[look])
    answer = ROWS[0][2]
    start = page.text.index(answer)
    boxes = boxes_of(start, start + len(answer), page.boxes, len(page.text))
    assert len(boxes) == len(simpleSplit(answer, "Helvetica", 9.5, WIDTHS[2] - 12))
    left = (A4[0] - sum(WIDTHS)) / 2 + WIDTHS[0] + WIDTHS[1]
    for box in boxes:
        assert left < box.x0 / 1000 * A4[0] < left + 10
        assert box.x1 / 1000 * A4[0] < left + WIDTHS[2]
        assert (box.y1 - box.y0) / 1000 * A4[1] < 10
    assert [box.y0 for box in boxes] == sorted(box.y0 for box in boxes)


def test_a_table_that_is_drawn_line_by_line_is_told_by_wider_steps_between_its_rows(tmp_path: Path) -> None:
    assert rows_in(drawn_by_lines(tmp_path / "table.pdf", step=8)) == [HEADS, *ROWS]


def test_a_cell_over_several_rows_stands_in_the_first_of_them(tmp_path: Path) -> None:
    rows = [[*row] for row in ROWS]
    rows[1][0] = ""
    page = set_pdf(tmp_path / "table.pdf", rows, GRID, ("SPAN", (0, 1), (0, 2)))
    assert rows_in(page)[1][0] == "1"
    assert rows_in(page)[2] == rows[1]


def test_definitions_in_two_columns_need_no_heads(tmp_path: Path) -> None:
    terms = [["Affiliate", ROWS[0][2]], ["Business day", ROWS[1][2]], ["Service", ROWS[3][2]]]
    page = set_pdf(
        tmp_path / "table.pdf",
        [[term, f"means {words}"] for term, words in terms],
        head=(),
        widths=(120, 330),
    )
    assert rows_in(page) == [[term, f"means {words}"] for term, words in terms]
    assert not any(row.is_head for row in page.layout.rows)


def test_the_rest_of_a_table_on_the_next_page_takes_no_row_for_its_heads(tmp_path: Path) -> None:
    path = tmp_path / "table.pdf"
    many = [[level, ROWS[0][1], ROWS[1][2]] for level in ("High", "Medium", "Low", "None") * 9]
    cells = [[Paragraph(words, BODY) for words in row] for row in [["Level", "Meaning", "Answer"], *many]]
    SimpleDocTemplate(str(path), pagesize=A4).build([Table(cells, colWidths=[60, 190, 200], style=[GRID])])
    first, second = pages_of(path)[:2]
    assert [row.is_head for row in first.layout.rows].count(True) == 1
    assert not any(row.is_head for row in second.layout.rows)
    assert first.layout.rows[0].table != second.layout.rows[0].table


@pytest.mark.parametrize("columns", [2, 3])
def test_prose_in_columns_is_no_table(tmp_path: Path, columns: int) -> None:
    canvas = Canvas(str(tmp_path / "article.pdf"), pagesize=A4)
    width = 480 / columns
    for column in range(columns):
        for number, line in enumerate(simpleSplit(PROSE * 6, "Helvetica", 9, width - 16)[:55]):
            canvas.drawString(60 + column * width, 760 - 12 * number - 8 * (number // 7), line)
    canvas.save()
    (page,) = pages_of(tmp_path / "article.pdf")
    assert page.layout.rows == ()
    assert "\t" not in page.text


def test_a_list_with_its_numbers_set_apart_is_no_table(tmp_path: Path) -> None:
    rows = [[f"{number}.", PROSE] for number in range(1, 5)]
    assert set_pdf(tmp_path / "list.pdf", rows, head=(), widths=(30, 420)).layout.rows == ()


def test_a_page_of_very_many_lines_is_read_in_time(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "hostile.pdf"), pagesize=A4)
    for number in range(30_000):
        canvas.line(number % 500, 0, number % 500, 800)
        canvas.line(0, number % 800, 500, number % 800)
    canvas.drawString(60, 700, "Between a great many lines.")
    canvas.save()
    started = time.monotonic()
    (page,) = pages_of(tmp_path / "hostile.pdf")
    assert page.text.strip() == "Between a great many lines."
    assert time.monotonic() - started < 20


def test_a_page_of_very_many_cells_is_read_in_time(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "cells.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 3)
    for row in range(180):
        canvas.line(20, 20 + 4.4 * row, 580, 20 + 4.4 * row)
        for column in range(40):
            canvas.drawString(21 + 14 * column, 21 + 4.4 * row, "ab c")
    for column in range(41):
        canvas.line(20 + 14 * column, 20, 20 + 14 * column, 812)
    canvas.save()
    started = time.monotonic()
    pages_of(tmp_path / "cells.pdf")
    assert time.monotonic() - started < 20
