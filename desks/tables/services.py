"""What people do with tables: make them, add columns and documents, have them filled, stop that, delete."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q, Sum
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext

from accounts import quotas
from accounts.models import UsageKind
from batches.budget import Budget, check_priced, prices_now
from batches.models import begin_again, locked_row
from batches.models import stop as stop_batch
from datasources.models import Datasource, Document
from desks.tables.filling.parts import PART_CHARACTERS, tokens_of
from desks.tables.filling.queueing import defer_filling
from desks.tables.models import BLANK, OPEN, UNDO, Cell, CellState, Column, ReviewTable, Row, TableStatus
from formats.base.characters import one_line, visible_name
from ingestion.models import Page
from localization.typed import around_colon
from providers.language_models import playing
from providers.roles import ModelRole

if TYPE_CHECKING:
    from accounts.models import User

MAX_COLUMNS = 12
MAX_ROWS = 500
MAX_TABLES = 100  # of a datasource
LONGEST_NAME = 120
LONGEST_HEAD = 60
LONGEST_QUESTION = 300
PROMPT_TOKENS = 600  # of each call beside the part's text, and of its answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A column as a person writes it."""

    name: str
    question: str


def columns_from(text: str) -> list[Asked]:
    """One on each line: “Name: question”, or just a name. Raises ValidationError."""
    columns = []
    for line in filter(None, map(one_line, text.splitlines())):
        name, question = around_colon(line)
        if len(name) > LONGEST_HEAD or len(question) > LONGEST_QUESTION:
            raise ValidationError(
                gettext(
                    "The column “{name}” is too long: a name has at most {longest_head} characters, what "
                    "it asks {longest_question}. Nothing was added."
                ).format(
                    name=name[:LONGEST_HEAD], longest_head=LONGEST_HEAD, longest_question=LONGEST_QUESTION
                ),
                code="column_long",
            )
        if not name:
            raise ValidationError(
                gettext("A column needs a name before the colon. Nothing was added."), code="no_name"
            )
        columns.append(Asked(name=name, question=question or f"What is the {name[0].lower()}{name[1:]}?"))
    return columns


def create_table(
    person: "User", datasource: Datasource, name: str, columns: Sequence[Asked], documents: Iterable[int]
) -> ReviewTable:
    """The caller has checked that the person may edit here. Raises ValidationError."""
    name = visible_name(name)
    if not name or len(name) > LONGEST_NAME:
        raise ValidationError(
            gettext("A table needs a name of at most {longest_name} characters.").format(
                longest_name=LONGEST_NAME
            ),
            code="name",
        )
    if not columns:
        raise ValidationError(
            gettext("A table needs a column: something to ask of each document."), code="no_columns"
        )
    with transaction.atomic():
        Datasource.objects.select_for_update().get(pk=datasource.pk)
        if datasource.review_tables.count() >= MAX_TABLES:
            raise ValidationError(
                gettext("A datasource has at most {max_tables} tables. Delete one first.").format(
                    max_tables=MAX_TABLES
                ),
                code="many_tables",
            )
        table = ReviewTable.objects.create(datasource=datasource, name=name, made_by=person)
        add_columns(table, columns)
        add_documents(table, documents)
        if not table.listed_rows.exists():
            raise ValidationError(gettext("Choose at least one document that is ready."), code="no_documents")
    return table


def rename(table: ReviewTable, name: str) -> None:
    """Raises ValidationError."""
    name = visible_name(name)
    if not name or len(name) > LONGEST_NAME:
        raise ValidationError(
            gettext("A table needs a name of at most {longest_name} characters.").format(
                longest_name=LONGEST_NAME
            ),
            code="name",
        )
    table.write(name=name)


@contextmanager
def _changing(table: ReviewTable) -> Iterator[ReviewTable]:
    """The table, locked. Cells that this opens while it is being filled are read at once, so they are charged
    to who has it filled. Raises QuotaUsedUp, and then nothing is changed.
    """
    with transaction.atomic():
        row = locked_row(table)
        open_cells = Cell.objects.shown(row).filter(state__in=OPEN)
        before = open_cells.count()
        yield row
        more = open_cells.count() - before
        if row.is_unfinished and row.made_by and more > 0:
            quotas.use(row.made_by, {UsageKind.QUESTIONS: more})


def add_columns(table: ReviewTable, columns: Sequence[Asked]) -> None:
    """To the right, with their cells waiting; a removed one that asks the same comes back with its cells.

    Raises ValidationError.
    """
    with _changing(table):
        _add_columns(table, columns)


def _add_columns(table: ReviewTable, columns: Sequence[Asked]) -> None:
    if not all(column.name and column.question for column in columns):
        raise ValidationError(
            gettext("A column needs a name and a question. Nothing was added."), code="no_name"
        )
    names = {column.name.casefold() for column in table.asked_columns.shown()}
    for column in columns:
        if column.name.casefold() in names:
            raise ValidationError(
                gettext("There are two columns called “{name}”. Nothing was added.").format(name=column.name),
                code="name_taken",
            )
        names.add(column.name.casefold())
    if len(names) > MAX_COLUMNS:
        raise ValidationError(
            gettext("A table has at most {max_columns} columns. Nothing was added.").format(
                max_columns=MAX_COLUMNS
            ),
            code="many_columns",
        )
    removed = table.asked_columns.filter(removed__isnull=False)
    new = [
        each
        for each in columns
        if not removed.filter(name=each.name, question=each.question).update(removed=None)
    ]
    last = table.asked_columns.aggregate(last=Max("place"))["last"]
    place = 0 if last is None else last + 1
    Column.objects.bulk_create(
        Column(table=table, place=place + step, name=column.name, question=column.question)
        for step, column in enumerate(new)
    )
    _add_cells(table)


def add_documents(table: ReviewTable, documents: Iterable[int]) -> None:
    """Those of the datasource that are ready, below the others; a removed one comes back with its cells.

    Raises ValidationError.
    """
    with _changing(table):
        _add_documents(table, documents)


def _add_documents(table: ReviewTable, documents: Iterable[int]) -> None:
    there = set(table.listed_rows.filter(removed=None).values_list("document", flat=True))
    ready = Document.objects.filter(datasource=table.datasource_id, pk__in=set(documents) - there).ready()
    new = list(ready.order_by("title", "pk").values_list("pk", flat=True))
    if len(there) + len(new) > MAX_ROWS:
        raise ValidationError(
            gettext("A table has at most {max_rows} documents. Nothing was added.").format(max_rows=MAX_ROWS),
            code="many_rows",
        )
    removed = table.listed_rows.filter(removed__isnull=False, document__in=new)
    back = set(removed.values_list("document", flat=True))
    removed.update(removed=None)
    new = [document for document in new if document not in back]
    last = table.listed_rows.aggregate(last=Max("place"))["last"]
    place = 0 if last is None else last + 1
    Row.objects.bulk_create(
        Row(table=table, document_id=document, place=place + step) for step, document in enumerate(new)
    )
    _add_cells(table)


@transaction.atomic
def remove_column(table: ReviewTable, column: int) -> None:
    """Its cells are kept for a while, to be undone. Raises ValidationError for the last one."""
    locked_row(table)
    if table.asked_columns.shown().count() < 2:
        raise ValidationError(gettext("A table keeps at least one column."), code="last_column")
    table.asked_columns.shown().filter(pk=column).update(removed=timezone.now())
    _forget_removed(table)
    table.write()


@transaction.atomic
def remove_row(table: ReviewTable, row: int) -> None:
    """Its cells are kept for a while, to be undone."""
    locked_row(table)
    table.listed_rows.filter(pk=row, removed=None).update(removed=timezone.now())
    _forget_removed(table)
    table.write()


def bring_back_column(table: ReviewTable, column: int) -> None:
    """Raises ValidationError if there is no room for it any more."""
    with _changing(table):
        gone = table.asked_columns.undoable().filter(pk=column).first()
        if gone is None:
            return
        shown = table.asked_columns.shown()
        if shown.count() >= MAX_COLUMNS or shown.filter(name__iexact=gone.name).exists():
            raise ValidationError(
                gettext(
                    "“{gone}” cannot come back: there are {max_columns} columns, or another one has its "
                    "name. Remove one first."
                ).format(gone=gone, max_columns=MAX_COLUMNS),
                code="no_room",
            )
        table.asked_columns.filter(pk=column).update(removed=None)
        table.write()


def bring_back_row(table: ReviewTable, row: int) -> None:
    """Raises ValidationError if there is no room for it any more."""
    with _changing(table):
        if table.listed_rows.filter(removed=None).count() >= MAX_ROWS:
            raise ValidationError(
                gettext("The table has {max_rows} documents. Remove one first.").format(max_rows=MAX_ROWS),
                code="many_rows",
            )
        table.listed_rows.undoable().filter(pk=row).update(removed=None)
        table.write()


def _forget_removed(table: ReviewTable) -> None:
    """What was removed a day ago is deleted for good."""
    long_ago = timezone.now() - UNDO
    table.asked_columns.filter(removed__lt=long_ago).delete()
    table.listed_rows.filter(removed__lt=long_ago).delete()


def use_newer(row: Row) -> None:
    """The version that has replaced the document takes its place, and is read from the beginning."""
    with _changing(row.table):
        newer = row.document.replacements.ready().first()
        if newer is None:
            raise ValidationError(gettext("The newer version is not ready yet."), code="not_ready")
        Row.objects.filter(table=row.table, document=newer).exclude(pk=row.pk).delete()
        Row.objects.filter(pk=row.pk).update(document=newer)
        Cell.objects.filter(row=row).update(**BLANK)
        row.table.write()


def fill(
    person: "User",
    table: ReviewTable,
    *,
    again: bool = False,
    budget: Budget | None = None,
    queued: bool = True,
) -> bool:
    """Have the open cells filled; False where none is. `again`: the blanks, and what was found without a
    model, are read once more. `budget` is what this filling may use, whatever earlier ones have used; without
    one, a filling that was stopped or failed goes on with the one that it had, and another has no limit.
    With `queued=False` the caller fills the table itself.

    Raises ValidationError, QuotaUsedUp among them.
    """
    check_priced(budget.money if budget else None, prices_now(table.datasource, ModelRole.AGENT))
    with transaction.atomic():
        row = locked_row(table)
        is_begun = row.is_unfinished  # by a request that came at the same time, or long before
        if not is_begun and (waiting := _reopened(row, again=again)):
            if queued:
                quotas.use(person, {UsageKind.QUESTIONS: waiting})
            if budget is None and row.status not in (TableStatus.STOPPED, TableStatus.FAILED):
                budget = Budget()
            begin_again(row, defer_filling if queued else None, budget, made_by=person)
            is_begun = True
    table.refresh_from_db()
    return is_begun


def _reopened(table: ReviewTable, *, again: bool) -> int:
    """How many cells there are to be filled, now that those that are to be read once more are among them."""
    cells = Cell.objects.shown(table)
    reopened = Q(state=CellState.FAILED)
    if again:
        reopened |= ~Q(state=CellState.QUOTED) | Q(value="")
    cells.filter(reopened).update(**BLANK)
    return cells.filter(state__in=OPEN).count()


def read_again(person: "User", table: ReviewTable, cell: int) -> bool:
    """Empty one cell and have it filled. False while others are open too: they cost as well, so it waits
    with them for a filling that somebody starts.

    Raises QuotaUsedUp, and then the cell keeps what it has.
    """
    with _changing(table) as row:
        cells = Cell.objects.shown(table)
        others = cells.filter(state__in=(CellState.WAITING, CellState.FAILED)).exclude(pk=cell).exists()
        cells.filter(pk=cell).update(**BLANK)
        if others and not row.is_unfinished:
            return False
        return fill(person, table)


def stop(table: ReviewTable) -> bool:
    """End a filling, keeping its cells; False when none is under way."""
    return stop_batch(table, _leave_off)


def _leave_off(table: ReviewTable) -> None:
    """Of what was being read nothing is written any more."""
    Cell.objects.filter(row__table=table, state=CellState.READING).update(state=CellState.WAITING)


def delete(table: ReviewTable) -> None:
    stop(table)
    table.delete()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What filling the open cells takes; money None where no price is known."""

    documents: int
    pages: int
    tokens: int
    money: float | None
    model: str  # "" without one


def estimate(table: ReviewTable) -> Estimate:
    """From the characters of the documents that have open cells."""
    still_open = (CellState.WAITING, CellState.READING, CellState.FAILED)
    rows = table.listed_rows.filter(filled_cells__in=Cell.objects.shown(table).filter(state__in=still_open))
    pages = Page.objects.filter(document__in=rows.values("document"))
    characters = pages.aggregate(sum=Sum(Length("text")))["sum"] or 0
    server = playing(table.datasource, ModelRole.AGENT)
    parts = characters // PART_CHARACTERS + rows.distinct().count()
    tokens = tokens_of(characters) + parts * PROMPT_TOKENS
    priced = server and server.price_input
    return Estimate(
        documents=rows.distinct().count(),
        pages=pages.count(),
        tokens=tokens if server else 0,
        money=float(tokens * server.price_input) / 1_000_000 if server and priced else None,
        model=server.model if server else "",
    )


def _add_cells(table: ReviewTable) -> None:
    """A waiting cell at each place that has none."""
    columns = list(table.asked_columns.values_list("pk", flat=True))
    Cell.objects.bulk_create(
        (
            Cell(row_id=row, column_id=column)
            for row in table.listed_rows.values_list("pk", flat=True)
            for column in columns
        ),
        ignore_conflicts=True,
    )
    table.write()
