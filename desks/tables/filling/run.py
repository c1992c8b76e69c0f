"""A table being filled: row after row, part after part, each written down as soon as it is read.

It goes on from what is written, so a worker that is killed costs the part it was at.
"""

import contextlib
from collections.abc import Iterator, Mapping
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from batches.budget import prices_now
from batches.replies import Replies
from batches.run import BatchRun, each
from batches.run import begin as begin_batch
from datasources.editors import no_editor
from datasources.models import Document
from desks.tables.filling.by_model import LONGEST_CELL, asked, read_part
from desks.tables.filling.by_search import found_by_search
from desks.tables.filling.parts import PART_CHARACTERS, Part, part_from
from desks.tables.filling.proof import Found, put
from desks.tables.filling.queueing import defer_filling
from desks.tables.models import OPEN, Cell, CellState, PaidReply, ReviewTable, Row, TableStatus
from jobs.failures import Failure
from jobs.slices import is_over, work_a_slice
from jobs.threads import Pool
from localization.stored import LONGEST, words_of
from providers.language_models import structured_model
from providers.protocols import ProviderError, StructuredModel
from providers.roles import ModelRole
from providers.spending.models import Purpose
from providers.spending.prices import Prices

WORK = Pool("tables", 3, niceness=5)  # people who wait for an answer come first
AT_ONCE = 3  # rows with a model, which waits most of the time
PARTS = (PART_CHARACTERS, 8_000, 3_000)  # characters; the smaller ones for models with little room
UNPROVEN = gettext_noop("The model gave an answer whose quote is not on the page, so it was left out.")


class Filling(BatchRun[ReviewTable]):
    """Created by `begin`. model: None where passages are searched without one."""

    safe = gettext_noop("The cells that are filled are kept.")
    purpose = Purpose.TABLES

    def __init__(self, row: ReviewTable) -> None:
        datasource, prices = row.datasource, prices_now(row.datasource, ModelRole.AGENT)
        person = row.made_by_id or datasource.owner_id
        reply = max(1, row.asked_columns.shown().count()) * LONGEST_CELL
        super().__init__(row, person=person, datasource=datasource.pk, reply=reply, prices=prices)
        self.model = structured_model(datasource, ModelRole.AGENT, self.payer)
        self.prices = prices[0] if prices else Prices()

    @property
    def at_once(self) -> int:
        return AT_ONCE if self.model else 1

    def refusal(self) -> Failure | None:
        return no_editor(self.row.datasource, self.row.made_by, gettext_noop("Another editor can fill it."))


@transaction.atomic
def begin(table_id: int) -> Filling | None:
    """Take over the table from any other worker; None if it needs no filling or was deleted."""
    rows = ReviewTable.objects.select_related("datasource__owner", "made_by")
    filling = begin_batch(rows.filter(pk=table_id).order_by(), Filling)
    if filling:
        model = filling.model
        filling.row.write(quotes_only=model is None, reader=model.name if model else "")
    return filling


async def carry_on(table_id: int, seconds: float | None = None) -> None:
    """Fill for so many seconds, then the job is queued again and others have a turn. None: to the end.

    Raises what `FencedRun.settle` raises while another attempt may help, and CancelledError.
    """
    await work_a_slice(WORK, partial(begin, table_id), _fill_all, _end, seconds)


async def _fill_all(filling: Filling, deadline: float | None) -> None:
    waiting = await WORK.run(_open_rows, filling.row)
    total = await WORK.run(filling.row.listed_rows.shown().count)
    async with filling.model or contextlib.nullcontext():
        await each(filling, WORK, waiting, partial(_fill, filling, deadline), deadline, total)


def _open_rows(table: ReviewTable) -> list[Row]:
    rows: list[Row] = list(table.listed_rows.shown().select_related("document", "table__datasource"))
    still_open = set(_open_cells(table).values_list("row", flat=True))
    return [row for row in rows if row.pk in still_open]


def _open_cells(table: ReviewTable) -> QuerySet[Cell]:
    return Cell.objects.shown(table).filter(state__in=OPEN)


async def _fill(filling: Filling, deadline: float | None, row: Row) -> bool:
    """Whether it was read to its end. Raises UsedUp where the table's limit leaves no room for a part."""
    while not is_over(deadline) and not filling.is_held:
        if not await _step(filling, row):
            return True
    return False


async def _step(filling: Filling, row: Row) -> bool:
    """One part for the columns that were read as far as each other, or one cell; False once none is open."""
    model = filling.model
    cells = await WORK.run(_next_cells, filling, row, None if model else 1)
    if not cells:
        return False
    if model is None:
        found = await WORK.run(found_by_search, cells[0])
        await WORK.run(_write_searched, filling, cells[0], found)
        return True
    kept = Replies(PaidReply, table=filling.row, row=row)
    try:
        part, told = await _read(kept.structured(model, filling.prices), cells)
    except ProviderError as error:
        filling.failed(error)
        await WORK.run(_write_failed, filling, cells, error.message, kept)
    else:
        filling.succeeded()
        await WORK.run(_write_part, filling, cells, part, told, kept)
    return True


async def _read(model: StructuredModel, cells: list[Cell]) -> tuple[Part | None, Mapping[int, Found | None]]:
    """The next part, None at the end of the text, and what the model found in it. Raises ProviderError."""
    document = cells[0].row.document  # as it is now: a newer version may have taken the place of another
    for most in PARTS:
        part = await WORK.run(part_from, document, cells[0].read_to, most)
        if part is None:
            break
        try:
            told, _ = await read_part(model, asked(document.title, cells, part), cells, part)
        except ProviderError as error:
            if not error.too_long or most == PARTS[-1]:
                raise
        else:
            return part, told
    return None, {}


def _next_cells(filling: Filling, row: Row, most: int | None) -> list[Cell]:
    """Those that were read least far, and as far as each other, at most so many; now they are being read."""
    with filling.writing():
        cells = list(
            _open_cells(filling.row)
            .filter(row=row)
            .select_related("column", "row__table__datasource", "row__document")
            .order_by("read_to", "column__place", "pk")
        )
        first = [cell for cell in cells if cell.read_to == cells[0].read_to][:most]
        Cell.objects.filter(pk__in=[cell.pk for cell in first]).update(state=CellState.READING)
    return first


def _write_part(
    filling: Filling,
    cells: list[Cell],
    part: Part | None,
    told: Mapping[int, Found | None],
    kept: Replies,
) -> None:
    """What the part gave; at the end of the text what is still empty is a blank."""
    with filling.writing():
        for cell, document in _still_read(cells):
            found = told.get(cell.pk)
            if found is not None:
                put(cell, found, document)
            elif cell.pk in told and not cell.quote:
                cell.reason = UNPROVEN
            ended = part is None or part.last
            cell.read_to = part.end if part else cell.read_to
            cell.state = _state(cell, ended=ended)
            cell.save()
        kept.forget()


def _state(cell: Cell, *, ended: bool) -> CellState:
    if not ended:
        return CellState.READING
    if cell.quote:
        return CellState.QUOTED
    return CellState.NOT_FOUND if cell.reason else CellState.NOT_STATED


def _write_searched(filling: Filling, cell: Cell, found: Found | None) -> None:
    with filling.writing():
        for row, document in _still_read([cell]):
            if found is None:
                row.state = CellState.NOT_FOUND
            else:
                put(row, found, document)
            row.save()


def _still_read(cells: list[Cell]) -> Iterator[tuple[Cell, Document]]:
    """With their document, both locked. Without cells that were emptied meanwhile, or got another document:
    what was read is not about them any more.
    """
    before = {cell.pk: (cell.read_to, cell.row.document_id) for cell in cells}
    documents = Document.objects.select_for_update(no_key=True).order_by("pk")
    there = documents.in_bulk({document for _, document in before.values()})
    rows = Cell.objects.select_for_update(of=("self",)).filter(pk__in=before, state=CellState.READING)
    for cell in rows.select_related("row"):
        if (cell.read_to, cell.row.document_id) == before[cell.pk] and cell.row.document_id in there:
            yield cell, there[cell.row.document_id]


def _write_failed(filling: Filling, cells: list[Cell], message: str, kept: Replies) -> None:
    with filling.writing():
        kept.forget()
        Cell.objects.filter(pk__in=[cell.pk for cell in cells]).update(
            state=CellState.FAILED, reason=message[:LONGEST], reason_words=words_of(message)
        )


def _end(filling: Filling) -> None:
    """Done, held by its budget, or queued again for another turn."""
    with filling.writing():
        status = filling.end(not _open_cells(filling.row).exists(), defer_filling)
        if status == TableStatus.HELD:
            _open_cells(filling.row).filter(state=CellState.READING).update(state=CellState.WAITING)
        if status == TableStatus.DONE:
            PaidReply.objects.filter(table=filling.row).delete()
