"""Tables of files that say which lines are rows."""

from pathlib import Path

from benchmarks.office_files import row, xlsx
from formats.html.format import HTML
from formats.sheets.format import SHEETS
from ingestion.structure.block_tables import block_tables
from ingestion.structure.values import RowKind
from tests.formats.reading import pages_of


def tables_of(rows: str, folder: Path) -> list[tuple[tuple[str, ...], list[str]]]:
    """Of a sheet's first page: the names of the columns, and each row with its cells."""
    page = pages_of(SHEETS, xlsx({"Fees": rows}), folder)[0]
    assert page.layout.block_lines is not None
    return [
        (table.heads, [page.text[row.start : row.end] for row in table.rows])
        for table in block_tables(page.text, page.layout.block_lines)
    ]


def test_tables_below_each_other_have_heads_of_their_own(tmp_path: Path) -> None:
    rows = row(1, "Item", "Price") + row(2, "Rent", 100) + row(3, "Fee", 20)
    rows += row(5, "Staff") + row(6, "Name", "Salary") + row(7, "Ann", 3000) + row(8, "Bob", 2500)
    assert tables_of(rows, tmp_path) == [
        (("Item", "Price"), ["Item\tPrice", "Rent\t100", "Fee\t20"]),
        (("Name", "Salary"), ["Staff", "Name\tSalary", "Ann\t3000", "Bob\t2500"]),
    ]


def test_heads_end_where_other_columns_are_filled_behind_an_empty_row(tmp_path: Path) -> None:
    rows = row(1, "Package", "", "Document", "", "", "Revision") + row(2, 1315, "", 1445, "", "", "A")
    rows += row(4, "Power") + row(5, "1.01", "Voltage", "", "kV", 130) + row(6, "1.02", "Phases", "", "", 3)
    first, second = tables_of(rows, tmp_path)
    assert first[0] == ("Package", "", "Document", "", "", "Revision")
    assert not any(second[0])
    assert second[1] == ["Power", "1.01\tVoltage\t\tkV\t130", "1.02\tPhases\t\t\t3"]


def test_heads_above_typed_measures_are_found(tmp_path: Path) -> None:
    page = (
        b"<html><body><table><tr><td>Grade<td>C<td>P</tr>"
        b"<tr><td>SNB22<td>0.39 - 0.46<td>max 0.025</tr></table></body></html>"
    )
    (read,) = pages_of(HTML, page, tmp_path)
    assert read.layout.block_lines is not None
    (table,) = block_tables(read.text, read.layout.block_lines)
    assert table.heads == ("Grade", "C", "P")


def test_an_empty_row_within_a_table_ends_no_heads(tmp_path: Path) -> None:
    rows = row(1, "Item", "Net", "Gross") + row(2, "Rent", 100, 119) + row(4, "Fee", 20, 23.8)
    rows += row(6, "Total", "", 142.8)
    ((heads, said),) = tables_of(rows, tmp_path)
    assert heads == ("Item", "Net", "Gross")
    assert len(said) == 4


def test_a_title_in_the_first_cell_is_no_row_under_the_heads_below_it(tmp_path: Path) -> None:
    rows = row(1, "Cups since 1967") + row(2, "Team", "Place", "Cups") + row(3, "Blues", "STL", 1)
    page = pages_of(SHEETS, xlsx({"Cups": rows + row(4, "Flyers", "PHI", 2)}), tmp_path)[0]
    assert page.layout.block_lines is not None
    (table,) = block_tables(page.text, page.layout.block_lines)
    assert table.heads == ("Team", "Place", "Cups")
    assert table.caption == "Cups since 1967"
    assert [row.kind for row in table.rows] == [RowKind.GROUP, RowKind.HEAD, RowKind.DATA, RowKind.DATA]
