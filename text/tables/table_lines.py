"""Which lines of a text are rows of a table: a wide gap within a line is a tab."""

import re

FIGURE = r"(?:\(?[$€£¥]?\s?\d[\d.,]*\s?%?\)?\s?%?|\(?[—–-]+\)?)"
MOST_IN_CELL = 60  # characters; longer cells are prose in columns

_FIGURE_CELL = re.compile(rf"(?:[$€£¥%)]|{FIGURE}|N/?[AM])(?:\s?[$€£¥%)])*")
_ITEM = re.compile(r"(?:[-•▪●◦*–]|\(?(?:[A-Za-z]|[ivxlc]+|\d{1,2})[.)])$")
_PROSE_END = re.compile(r"[.?!;:]$")


def cells(line: str) -> list[str]:
    """The cells of a row, each currency sign with its figure."""
    row: list[str] = []
    sign = ""
    for cell in filter(None, map(str.strip, line.replace("\n", " ").split("\t"))):
        figure = f"{sign}{cell}"
        sign = ""
        if figure in {"$", "€", "£", "¥"}:
            sign = figure
            continue
        if row and figure in {"%", ")", ")%"}:
            row[-1] += figure
            continue
        if len(figure) > 2 and figure[-2:] in {" $", " €", " £", " ¥"}:
            figure, sign = figure[:-2], figure[-1]
        row.append(figure)
    return row


def cell(words: str) -> str:
    """The words of one cell; a currency sign stands with its figure."""
    parts = cells("\t".join(words.split()))
    return parts[0] if len(parts) == 1 else " ".join(words.split())


def is_table_line(line: str) -> bool:
    """Whether the line is a row: figures in its columns, or several short cells that are no prose."""
    row = [cell for cell in line.strip().split("\t") if cell.strip()]
    if len(row) < 2 or (_ITEM.match(row[0].strip()) and len(row) == 2):
        return False
    if is_figure_row(line):
        return True
    return len(row) > 2 and all(
        len(cell) <= MOST_IN_CELL and not _PROSE_END.search(cell.strip()) for cell in row[1:]
    )


def is_figure_row(line: str) -> bool:
    """Whether all cells but the first are figures."""
    row = [cell.strip() for cell in line.strip().split("\t") if cell.strip()]
    return len(row) > 1 and all(_FIGURE_CELL.fullmatch(cell) for cell in row[1:])


def lacks_label(line: str) -> bool:
    """Whether the line is a row whose label stands on the line before: its first cell is a figure, too."""
    row = [cell.strip() for cell in line.strip().split("\t") if cell.strip()]
    return len(row) > 1 and is_figure_row(line) and bool(_FIGURE_CELL.fullmatch(row[0]))
