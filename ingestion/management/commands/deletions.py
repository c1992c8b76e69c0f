"""manage.py deletions: the receipts of what was deleted."""

import json as json_module
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table

from datasources.lookup import user_named
from datasources.models import Deletion
from datasources.numbers import LARGEST, whole

SHOWN = 50
FIELDS = (
    "id",
    "batch",
    "datasource",
    "datasource_name",
    "document",
    "document_name",
    "requested",
    "purged",
    "completed",
    "removed",
    "left",
    "left_in_all",
)


class Command(BaseCommand):
    help = "List what was deleted: what was removed, and that nothing is left."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", help="e-mail of the account; the first administrator if unset")
        parser.add_argument("--datasource", type=whole(1, LARGEST), help="number of the datasource")
        parser.add_argument("--json", action="store_true", help="print all receipts as JSON")

    def handle(self, *, user: str | None, datasource: int | None, json: bool, **_: Any) -> None:
        rows = Deletion.objects.visible_to(user_named(user)).select_related("deleted_by")
        if datasource is not None:
            rows = rows.filter(datasource=datasource)
        if json:
            self.stdout.write(json_module.dumps([receipt(row) for row in rows], indent=2, default=str))
        else:
            show(list(rows[:SHOWN]))


def receipt(deletion: Deletion) -> dict[str, Any]:
    """As the REST interface has it."""
    by = deletion.deleted_by.email if deletion.deleted_by else None
    return {name: getattr(deletion, name) for name in FIELDS} | {"deleted_by": by}


def show(deletions: list[Deletion]) -> None:
    """The newest as a table for people."""
    table = Table("Deleted", "Of", "When", "By", "Removed", "Left", box=None, header_style="bold")
    for deletion in deletions:
        removed = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in deletion.removed.items())
        left = "not checked yet" if deletion.left_in_all is None else f"{deletion.left_in_all:,}"
        of = deletion.datasource_name if deletion.document else "(the datasource)"
        by = str(deletion.deleted_by or "")
        table.add_row(deletion.name, of, f"{deletion.requested:%Y-%m-%d %H:%M}", by, removed, left)
    Console().print(table)
