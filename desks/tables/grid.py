"""A table as its page shows it: rows in the order asked for, cells numbered from the top left, and counts."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Q
from django.http import QueryDict

from answering.extractive.answer_kinds import Kind
from answering.extractive.usual_words import asked_matters, places_asked
from citations.choices import Support
from datasources.models import Document, DocumentStatus
from datasources.numbers import number_in
from datasources.short_names import short_names
from desks.tables.models import BLANK, Cell, CellState, Column, ReviewTable, Row
from reader.changed_clauses import ChangedClause, ChangedClauses
from text.sentences import sentences

ROWS = 50  # on a page
NOT_CHECKED = "not_checked"  # the state of a cell in a file that leaves out what nobody has checked
SHORT = 120  # characters that fit into the five lines of a narrow column
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCell:
    """n: the number of its source; None for a cell without one. changes: of its documents."""

    cell: Cell
    column: Column
    n: int | None
    document: Document
    changes: ChangedClauses

    @property
    def changed(self) -> list[ChangedClause]:
        """What newer documents change of the clauses that are quoted."""
        return self.changes.within(self.document, self.cell.start, self.cell.end)

    @property
    def chip(self) -> str:
        """The CSS class of its number."""
        looks = {Support.FACTS_AGREE: "agr", Support.NEEDS_EYE: "unv", Support.CONTRADICTED: "bad"}
        return looks.get(Support(self.cell.support), "")

    @property
    def is_candidate(self) -> bool:
        """Whether it is a sentence that was found without a model: nobody has judged whether it answers."""
        return is_candidate(self.cell)

    @property
    def candidate(self) -> tuple[str, str, str]:
        """What stands before what the column asks for (a date, a sum, a law), that itself, and the rest. Of
        several sentences those before the one with it are left out, never the beginning of a sentence: "shall
        not" may stand there.
        """
        said, matters, kind = self.cell.said, asked_matters(self.column.question), Kind(self.column.question)
        # Another date than the one that is asked for, as far as the words say, is left out.
        start, end = next(places_asked(kind, matters, said), (0, 0))
        if (found := kind.sum_in(said)) and found[1] > SHORT:
            start = end = found[0]
        first = next(begins for begins, ends in sentences(said) if start < ends)
        return f"… {said[first:start]}" if first else said[:start], said[start:end], said[end:]

    @property
    def is_long(self) -> bool:
        """Whether what it says may take more than five lines; the others are shown on request."""
        return len(self.cell.said) > SHORT

    @property
    def words(self) -> tuple[str, str]:
        """What the cell says, its last word apart: number and last word stay on one line."""
        text = self.cell.said
        first, _, last = text.rpartition(" ")
        return (first, last) if len(last) < 40 else (text, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    row: Row
    cells: Sequence[ShownCell]
    short_name: str = ""  # as papers are cited; empty for other documents

    @property
    def is_replaced(self) -> bool:
        return self.row.document.status == DocumentStatus.SUPERSEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A column or row that can still come back. action: what the page posts for that."""

    pk: int
    name: str
    quotes: int
    action: str


class Grid:
    """?sort= is the number of a column, or "document"; ?down=1 turns the order round; ?page= from 1."""

    def __init__(self, table: ReviewTable, asked: QueryDict, *, candidates: bool = True) -> None:
        """`candidates`: whether cells that were found without a model are shown; else they are blank."""
        self.table = table
        self._candidates = candidates
        self.sort = asked.get("sort", "")
        self.down = asked.get("down") == "1"
        self._page_asked = number_in(asked.get("page")) or 1

    @cached_property
    def columns(self) -> list[Column]:
        return list(self.table.asked_columns.shown())

    @cached_property
    def rows(self) -> list[ShownRow]:
        """All rows, numbered in the order in which they are shown."""
        columns = self.columns
        listed = list(self.table.listed_rows.shown().select_related("document"))
        cells = {
            (cell.row_id, cell.column_id): cell if self._candidates else without_candidate(cell)
            for cell in Cell.objects.filter(row__in=listed).defer("boxes")
        }
        # A row or column that was deleted between these reads has no cells any more.
        listed = [row for row in listed if all((row.pk, each.pk) in cells for each in columns)]
        column = next((each for each in columns if str(each.pk) == self.sort), None)
        if column is not None:
            blank = [row for row in listed if cells[row.pk, column.pk].state != CellState.QUOTED]
            filled = [row for row in listed if cells[row.pk, column.pk].state == CellState.QUOTED]
            filled.sort(key=lambda row: _order(cells[row.pk, column.pk].said), reverse=self.down)
            listed = filled + blank  # whichever way
        elif self.sort == "document":
            listed.sort(key=lambda row: row.document.title.casefold(), reverse=self.down)
        changes = ChangedClauses(self.table.datasource_id)
        shown, n, short = [], 0, short_names([row.document_id for row in listed])
        for row in listed:
            across = []
            for each in columns:
                cell = cells[row.pk, each.pk]
                n += cell.state == CellState.QUOTED or bool(cell.quote)
                across.append(
                    ShownCell(
                        cell=cell,
                        column=each,
                        n=n if cell.quote else None,
                        document=row.document,
                        changes=changes,
                    )
                )
            shown.append(ShownRow(row=row, cells=across, short_name=short.get(row.document_id, "")))
        return shown

    @cached_property
    def removed(self) -> list[Removed]:
        """The last one first."""
        columns, rows = self.table.asked_columns.undoable(), self.table.listed_rows.undoable()
        with_quote = Count("filled_cells", filter=~Q(filled_cells__quote=""))
        both: list[Column | Row] = [
            *columns.annotate(quotes=with_quote),
            *rows.annotate(quotes=with_quote).select_related("document"),
        ]
        return [
            Removed(
                pk=each.pk,
                name=str(each),
                quotes=getattr(each, "quotes", 0),
                action="bring_back_column" if isinstance(each, Column) else "bring_back_row",
            )
            for each in sorted(both, key=lambda each: each.removed or self.table.updated, reverse=True)
        ]

    @property
    def papers(self) -> str:
        """The numbers of its papers, with commas between them."""
        return ",".join(str(each.row.document_id) for each in self.rows if each.short_name)

    @property
    def page_count(self) -> int:
        return max(1, -(-len(self.rows) // ROWS))

    @property
    def page(self) -> int:
        return min(max(1, self._page_asked), self.page_count)

    @property
    def on_page(self) -> list[ShownRow]:
        return self.rows[(self.page - 1) * ROWS : self.page * ROWS]

    @property
    def has_copied(self) -> bool:
        """Whether some cells have a sentence that was found without a model."""
        return bool(self.counts["candidates"])

    @cached_property
    def states(self) -> Counter[str]:
        return Counter(each.cell.state for row in self.rows for each in row.cells)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Of cells, by what they are."""
        cells = [each.cell for row in self.rows for each in row.cells]
        doubts = (Support.FACTS_AGREE, Support.NEEDS_EYE, Support.CONTRADICTED)
        return {
            "cells": len(cells),
            "quoted": sum(bool(cell.quote) for cell in cells),
            "candidates": sum(is_candidate(cell) or cell.state == NOT_CHECKED for cell in cells),
            "supported": sum(cell.support == Support.SUPPORTED for cell in cells),
            "doubtful": sum(cell.support in doubts for cell in cells),
            "not_stated": self.states[CellState.NOT_STATED],
            "not_found": self.states[CellState.NOT_FOUND],
            "open": self.states[CellState.WAITING] + self.states[CellState.READING],
            "failed": self.states[CellState.FAILED],
            "settled": sum(cell.is_settled for cell in cells),
        }

    def opened(self, pk: int | None) -> ShownCell | None:
        cells = (each for row in self.rows for each in row.cells)
        return next((each for each in cells if each.cell.pk == pk and each.cell.quote), None)


def is_candidate(cell: Cell) -> bool:
    return bool(cell.quote and not cell.value)


def without_candidate(cell: Cell) -> Cell:
    """The cell, blank where it only has a sentence that was found; it is not saved."""
    if is_candidate(cell):
        for name, value in (BLANK | {"state": NOT_CHECKED}).items():
            setattr(cell, name, value)
    return cell


def _order(text: str) -> tuple[int, float, str]:
    """Texts that begin with a figure by it, others by their letters."""
    figure = _NUMBER.match(text.lstrip("$€£¥ ~<>≈"))
    if figure is None:
        return (1, 0.0, text.casefold())
    digits = figure[0].replace(",", "")
    return (0, float(digits) if digits.count(".") < 2 else 0.0, text.casefold())
