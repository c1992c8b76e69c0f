"""A table being filled: row after row, part after part, each written down as soon as it is read.

It goes on from what is written, so a worker that is killed costs the part it was at.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet

from datasources.editors import no_editor
from datasources.models import Document
from jobs.failures import Failure
from jobs.runs import FencedRun, claim
from jobs.slices import is_over, side_by_side, work_a_slice
from jobs.threads import Pool
from providers.language_models import structured_model
from providers.openai.tokens import estimated_request
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from providers.roles import ModelRole
from providers.spending.allowance import Allowance, OverLimit
from providers.spending.metering import Payer
from providers.spending.models import Purpose
from providers.spending.prices import Prices
from tables.filling.by_model import LONGEST_CELL, asked, read_part
from tables.filling.by_search import found_by_search
from tables.filling.parts import PART_CHARACTERS, Part, part_from
from tables.filling.proof import Found, put
from tables.filling.queueing import defer_filling
from tables.models import OPEN, Cell, CellState, ReviewTable, Row, TableStatus

WORK = Pool("tables", 3, niceness=5)  # people who wait for an answer come first
AT_ONCE = 3  # rows with a model, which waits most of the time
PARTS = (PART_CHARACTERS, 8_000, 3_000)  # characters; the smaller ones for models with little room
UNPROVEN = "The model gave an answer whose quote is not on the page, so it was left out."


class Filling(FencedRun[ReviewTable]):
    """Created by `begin`. model: None where passages are searched without one."""

    activity = "Filling this table"
    advice = "The cells that are filled are kept. Fill the rest"
    deadly = "This stopped its worker several times, so it is not tried again."
    max_deaths = 5

    def __init__(self, row: ReviewTable) -> None:
        super().__init__(row)
        self.payer = Payer(
            person=row.made_by_id or row.datasource.owner_id,
            datasource=row.datasource_id,
            purpose=Purpose.TABLES,
        )
        self.by_model = self._model() is not None
        self.paid_before = row.money
        self.is_held = False
        self._allowance = Allowance(tokens=max(1, row.token_budget - row.tokens) if row.token_budget else 0)

    @property
    def money(self) -> Decimal | None:
        """What the table has cost in all; None while no price is known."""
        if self.payer.money is None:
            return self.paid_before
        return (self.paid_before or Decimal(0)) + self.payer.money

    def _model(self) -> StructuredModel | None:
        return structured_model(self.row.datasource, ModelRole.AGENT, self.payer)

    def own_model(self) -> StructuredModel | None:
        """One for each row that is read at the same time."""
        return self._model()

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""

    @contextlib.contextmanager
    def room_for(self, messages: Sequence[Message], columns: int) -> Iterator[None]:
        """For reading a part, beside the parts that are being read now. Raises OverLimit where the table's
        limit of tokens leaves none; then no more is begun by whoever asked, and the table is held.
        """
        sent, reply, before = estimated_request(messages), columns * LONGEST_CELL, self.payer.usage
        room = self._allowance.reserved(sent, before, Decimal(0), Prices(), least=reply, most=reply)
        try:
            with room:
                yield
        except OverLimit:
            self.is_held = True
            raise

    def learn(self, messages: Sequence[Message], usage: Usage) -> None:
        """How many tokens the server counts for what was sent."""
        self._allowance.learn(estimated_request(messages), usage.prompt_tokens)


@transaction.atomic
def begin(table_id: int) -> Filling | None:
    """Take over the table from any other worker; None if it needs no filling or was deleted."""
    rows = ReviewTable.objects.select_related("datasource__owner", "made_by")
    row = claim(rows.filter(pk=table_id).order_by())
    if row is None:
        return None
    filling = Filling(row)
    if filling.gives_up():
        return None
    if refused := no_editor(row.datasource, row.made_by, "Another editor can fill it."):
        filling.fail(refused)
        return None
    model = filling.own_model()
    row.write(
        status=TableStatus.RUNNING, quotes_only=not filling.by_model, reader=model.name if model else ""
    )
    return filling


async def carry_on(table_id: int, seconds: float | None = None) -> None:
    """Fill for so many seconds, then the job is queued again and others have a turn. None: to the end.

    Raises what `FencedRun.settle` raises while another attempt may help, and CancelledError.
    """
    await work_a_slice(WORK, partial(begin, table_id), _fill_all, _end, seconds)


async def _fill_all(filling: Filling, deadline: float | None) -> None:
    waiting = iter(await WORK.run(_open_rows, filling.row))
    at_once = AT_ONCE if filling.by_model else 1
    await side_by_side(at_once, lambda: _fill_in_turn(filling, waiting, deadline))


def _open_rows(table: ReviewTable) -> list[Row]:
    rows: list[Row] = list(table.listed_rows.shown().select_related("document", "table__datasource"))
    still_open = set(_open_cells(table).values_list("row", flat=True))
    return [row for row in rows if row.pk in still_open]


def _open_cells(table: ReviewTable) -> QuerySet[Cell]:
    return Cell.objects.shown(table).filter(state__in=OPEN)


async def _fill_in_turn(filling: Filling, waiting: Iterator[Row], deadline: float | None) -> None:
    model = await WORK.run(filling.own_model)
    async with model or contextlib.nullcontext():
        for row in waiting:
            while True:
                if is_over(deadline):
                    return
                try:
                    if not await _step(filling, row, model):
                        break
                except OverLimit:
                    return


async def _step(filling: Filling, row: Row, model: StructuredModel | None) -> bool:
    """One part for the columns that were read as far as each other, or one cell; False once none is open.

    Raises OverLimit where the table's limit leaves no room for a part.
    """
    cells = await WORK.run(_next_cells, filling, row, None if model else 1)
    if not cells:
        return False
    if model is None:
        found = await WORK.run(found_by_search, cells[0])
        await WORK.run(_write_searched, filling, cells[0], found)
        return True
    document = cells[0].row.document  # as it is now: a newer version may have taken the place of another
    for most in PARTS:
        part = await WORK.run(part_from, document, cells[0].read_to, most)
        if part is None:
            await WORK.run(_write_part, filling, cells, None, {}, Usage())
            return True
        messages = asked(document.title, cells, part)
        try:
            with filling.room_for(messages, len(cells)):
                told, usage = await read_part(model, messages, cells, part)
        except OverLimit:
            raise
        except ProviderError as error:
            if error.too_long and most != PARTS[-1]:
                continue
            if error.transient:
                raise
            await WORK.run(_write_failed, filling, cells, error.message)
            return True
        filling.learn(messages, usage)
        await WORK.run(_write_part, filling, cells, part, told, usage)
        return True
    return False


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
    usage: Usage,
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
        ReviewTable.objects.filter(pk=filling.row.pk).update(
            tokens=F("tokens") + usage.prompt_tokens + usage.completion_tokens, money=filling.money
        )


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


def _write_failed(filling: Filling, cells: list[Cell], message: str) -> None:
    with filling.writing():
        Cell.objects.filter(pk__in=[cell.pk for cell in cells]).update(
            state=CellState.FAILED, reason=message[:500]
        )


def _end(filling: Filling) -> None:
    """Done, held by its budget, or queued again for another turn."""
    with filling.writing():
        values: dict[str, object] = {"attempts": 0, "unended": 0}
        if not _open_cells(filling.row).exists():
            values |= {"status": TableStatus.DONE}
        elif filling.is_held:
            _open_cells(filling.row).filter(state=CellState.READING).update(state=CellState.WAITING)
            values |= {"status": TableStatus.HELD}
        else:
            values |= {"job_id": defer_filling(filling.row)}
        filling.close(**values)
