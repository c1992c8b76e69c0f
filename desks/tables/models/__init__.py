"""Tables of documents by questions, their rows and cells."""

from desks.tables.models.cells import BLANK, LONGEST_VALUE, OPEN, SETTLED, Cell, CellState, PaidReply, Row
from desks.tables.models.tables import UNDO, Column, ReviewTable, TableStatus

__all__ = [
    "BLANK",
    "LONGEST_VALUE",
    "OPEN",
    "SETTLED",
    "UNDO",
    "Cell",
    "CellState",
    "Column",
    "PaidReply",
    "ReviewTable",
    "Row",
    "TableStatus",
]
