"""Tables of documents by questions, their rows and cells."""

from tables.models.cells import BLANK, LONGEST_VALUE, OPEN, SETTLED, Cell, CellState, Row
from tables.models.tables import UNDO, Column, ReviewTable, TableStatus

__all__ = [
    "BLANK",
    "LONGEST_VALUE",
    "OPEN",
    "SETTLED",
    "UNDO",
    "Cell",
    "CellState",
    "Column",
    "ReviewTable",
    "Row",
    "TableStatus",
]
