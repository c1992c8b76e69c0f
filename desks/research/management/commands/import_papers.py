"""manage.py import_papers: fetches papers into a datasource from this process; workers read them."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import datasource_to_edit, user_named
from desks.research import importing
from desks.research.arxiv_api.bibliography import Listed, read_bib
from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id
from desks.research.models import ImportStatus, ItemStatus, PaperImport
from desks.research.services import start_import


class Command(BaseCommand):
    help = "Imports papers from arXiv by number, link or .bib file. Workers of the running SVQ read them."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("datasource", help="Its name or number.")
        parser.add_argument("papers", nargs="+", metavar="ID|URL|FILE.bib")
        parser.add_argument("--user", help="E-mail address; the first administrator without it.")
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = user_named(options["user"])
        datasource = datasource_to_edit(person, options["datasource"], "add papers")
        try:
            row = start_import(datasource, person, _papers(options["papers"]), queued=False)
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from refusal
        importing.carry_on(row.pk, counted=False)
        row.refresh_from_db()
        self._tell(row, as_json=options["as_json"])
        if row.status != ImportStatus.DONE:
            raise CommandError(
                f"{row.error_message} {row.error_hint}".strip() or str(row.get_status_display())
            )
        if failed := row.imported_papers.filter(status=ItemStatus.FAILED).count():
            raise CommandError(f"{failed} of {row.imported_papers.count()} could not be imported.")

    def _tell(self, row: PaperImport, *, as_json: bool) -> None:
        items = list(row.imported_papers.order_by("position"))
        if as_json:
            told = [
                {
                    "number": item.number,
                    "version": item.version,
                    "title": item.title,
                    "status": item.status,
                    "message": item.message,
                    "document": item.document_id,
                }
                for item in items
            ]
            self.stdout.write(
                json.dumps(
                    {"import": row.pk, "status": row.status, "papers": told}, indent=2, ensure_ascii=False
                )
            )
            return
        for item in items:
            where = item.number or "-"
            self.stdout.write(f"{item.get_status_display():14} {where:14} {item} {item.message}".rstrip())


def _papers(written: list[str]) -> list[Listed | ArxivId]:
    """Raises ValidationError, CommandError."""
    found: list[Listed | ArxivId] = []
    for text in written:
        if named := arxiv_id(text):
            found.append(named)
        elif (path := Path(text)).suffix.lower() == ".bib":
            try:
                found += read_bib(path.read_bytes())
            except OSError as error:
                raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        else:
            raise CommandError(f"“{text}” is not a number of arXiv, a link to a paper there or a .bib file.")
    return found
