"""A table as a file to keep: each cell takes its quote, page and verdict along; blanks stay blank."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import xlsxwriter
from django.http import HttpResponse
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language_bidi, gettext_noop, pgettext
from django.utils.translation import gettext as _

from citations.choices import Support
from datasources.web.downloads import saved_as
from desks.tables.exports.latex import CellText, latex
from desks.tables.exports.word import word
from desks.tables.grid import Grid, ShownCell
from desks.tables.models import CellState, ReviewTable
from formats.sheets.format import SHEETS
from formats.word.format import WORD
from text.tables.spreadsheets import inert

VERDICTS = {
    Support.SUPPORTED: gettext_noop("supports the cell"),
    Support.FACTS_AGREE: gettext_noop("facts agree, wording differs"),
    Support.NEEDS_EYE: gettext_noop("needs your eye"),
    Support.CONTRADICTED: gettext_noop("contradicts the cell"),
    Support.NONE: gettext_noop("not judged"),
}
WIDTH = 34  # of a column of a sheet, in characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    name: str
    mime: str
    suffix: str
    write: Callable[[ReviewTable, Grid, str], bytes]


def file_of(table: ReviewTable, grid: Grid, form: str, site: str) -> HttpResponse:
    """`site`: the address that links begin with."""
    chosen = FORMS[form]
    response = HttpResponse(chosen.write(table, grid, site), content_type=chosen.mime)
    name = f"{slugify(table.name) or 'table'}.{chosen.suffix}"
    response["Content-Disposition"] = saved_as(name)
    return response


def cell_json(shown: ShownCell) -> dict[str, Any]:
    """The documented shape of a cell."""
    cell = shown.cell
    return {
        "id": cell.pk,
        "column": shown.column.pk,
        "state": cell.state,
        "value": cell.value,
        "quote": cell.quote,
        "start": cell.start,
        "end": cell.end,
        "pages": cell.pages,
        "on_page": cell.on_page,
        "support": cell.support,
        "reason": cell.reason,
    }


def table_json(table: ReviewTable, grid: Grid) -> dict[str, Any]:
    """The documented shape of a table."""
    return {
        "id": table.pk,
        "name": table.name,
        "status": table.status,
        "error": table.error,
        "reader": table.reader,
        "quotes_only": table.quotes_only,
        "tokens": table.tokens,
        "counts": grid.counts,
        "columns": [
            {"id": column.pk, "name": column.name, "question": column.question} for column in grid.columns
        ],
        "rows": [
            {
                "id": shown.row.pk,
                "document": shown.row.document_id,
                "title": shown.row.document.title,
                "replaced": shown.is_replaced,
                "cells": [cell_json(each) for each in shown.cells],
            }
            for shown in grid.rows
        ],
    }


def _json(table: ReviewTable, grid: Grid, site: str) -> bytes:
    return json.dumps(table_json(table, grid), indent=2, ensure_ascii=False).encode()


def _csv(table: ReviewTable, grid: Grid, site: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    head = [_document()]
    for column in grid.columns:
        beside = (_("{column}: quote"), _("{column}: page"), _("{column}: verdict"))
        head += [column.name, *(each.format(column=column.name) for each in beside)]
    writer.writerow(map(inert, head))
    for shown in grid.rows:
        line = [shown.row.document.title]
        for each in shown.cells:
            line += [said(each), folded(each.cell.quote), _pages(each), verdict(each)]
        writer.writerow(map(inert, line))
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _xlsx(table: ReviewTable, grid: Grid, site: str) -> bytes:
    out = io.BytesIO()
    # Words of documents are strings, whatever they look like.
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        sheet, sources = book.add_worksheet(_("Table")), book.add_worksheet(_("Sources"))
        if get_language_bidi():
            sheet.right_to_left()
            sources.right_to_left()
        sheet.set_column(0, len(grid.columns), WIDTH)
        sheet.freeze_panes(1, 1)
        for across, words in enumerate([_document(), *(column.name for column in grid.columns)]):
            sheet.write_string(0, across, words, bold)
        for across, words in enumerate(_heads_of_sources()):
            sources.write_string(0, across, words, bold)
        sources.set_column(1, 4, WIDTH)
        line = 0
        for down, shown in enumerate(grid.rows, start=1):
            sheet.write_string(down, 0, shown.row.document.title, bold)
            for across, each in enumerate(shown.cells, start=1):
                sheet.write_string(down, across, _numbered(each), wrapped)
                if each.n:
                    line += 1
                    sources.write_number(line, 0, each.n)
                    shown_of_it = (
                        shown.row.document.title,
                        each.column.name,
                        said(each),
                        folded(each.cell.quote),
                        _pages(each),
                        verdict(each),
                        each.cell.why,
                        _link(table, each, site),
                    )
                    for place, words in enumerate(shown_of_it, start=1):
                        sources.write_string(line, place, words, wrapped)
    return out.getvalue()


def _document() -> str:
    return pgettext("a column", "Document")


def _heads_of_sources() -> tuple[str, ...]:
    return (
        pgettext("a column", "Number"),
        _document(),
        pgettext("a column", "Column"),
        pgettext("a column", "Cell"),
        pgettext("a column", "Quote"),
        pgettext("a column", "Page"),
        pgettext("a column", "Verdict"),
        pgettext("a column", "Why"),
        pgettext("a column", "Link"),
    )


def _latex(table: ReviewTable, grid: Grid, site: str) -> bytes:
    heads = [_document(), *(column.name for column in grid.columns)]
    rows: list[list[CellText]] = [
        [shown.row.document.title, *((said(each), each.n) for each in shown.cells)] for shown in grid.rows
    ]
    return latex(table.name, heads, rows, _sources(grid)).encode()


def _word(table: ReviewTable, grid: Grid, site: str) -> bytes:
    heads = [_document(), *(column.name for column in grid.columns)]
    rows = [[shown.row.document.title, *map(_numbered, shown.cells)] for shown in grid.rows]
    return word(table.name, heads, rows, _sources(grid))


def _sources(grid: Grid) -> list[tuple[int, str, str, str, str]]:
    """Number, document, pages, quote, verdict."""
    return [
        (each.n, shown.row.document.title, _pages(each), folded(each.cell.quote), verdict(each))
        for shown in grid.rows
        for each in shown.cells
        if each.n
    ]


def _numbered(shown: ShownCell) -> str:
    return f"{said(shown)} [{shown.n}]" if shown.n else said(shown)


FORMS = {
    "csv": Form(name="CSV", mime="text/csv; charset=utf-8", suffix="csv", write=_csv),
    "xlsx": Form(
        name="Excel",
        mime=SHEETS.mime,
        suffix="xlsx",
        write=_xlsx,
    ),
    "word": Form(
        name="Word",
        mime=WORD.mime,
        suffix="docx",
        write=_word,
    ),
    "latex": Form(name="LaTeX", mime="application/x-tex; charset=utf-8", suffix="tex", write=_latex),
    "json": Form(name="JSON", mime="application/json", suffix="json", write=_json),
}


def said(shown: ShownCell) -> str:
    """What the cell says; "not stated" where all was read, empty where nothing was found."""
    if shown.cell.quote:
        return shown.cell.said
    return _("not stated") if shown.cell.state == CellState.NOT_STATED else ""


def verdict(shown: ShownCell) -> str:
    if shown.is_candidate:
        return _("found by its words, not checked")
    return _(VERDICTS[Support(shown.cell.support)]) if shown.cell.quote else ""


def folded(text: str) -> str:
    return " ".join(text.split())


def _pages(shown: ShownCell) -> str:
    return ", ".join(map(str, shown.cell.pages))


def _link(table: ReviewTable, shown: ShownCell, site: str) -> str:
    address = reverse("table", args=[table.datasource_id, table.pk])
    return f"{site.rstrip('/')}{address}?cell={shown.cell.pk}"
