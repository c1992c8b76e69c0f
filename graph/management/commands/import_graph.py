"""manage.py import_graph DATASOURCE FILE.jsonl: entities and relations that were found elsewhere."""

import json as json_
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import datasource_named, user_named
from datasources.models import Role
from graph.exchange.jsonl_import import import_graph
from graph.exchange.rows import Imported


class Command(BaseCommand):
    help = "Put a graph that was made elsewhere in the place of that of the documents it is about."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its name or number")
        parser.add_argument("file", type=Path, help="a file of JSON lines, see docs/reference/graph.md")
        parser.add_argument(
            "--user", help="e-mail of the account to act for; the first administrator if unset"
        )
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *, datasource: str, file: Path, user: str | None, json: bool, **_: Any) -> None:
        person = user_named(user)
        target = datasource_named(person, datasource)
        if target is None:
            raise CommandError(f"There is no datasource “{datasource}”. Nothing was imported.")
        if not target.allows(person, Role.EDITOR):
            raise CommandError(f"{person} may read “{target}” but not change it. Nothing was imported.")
        if not file.is_file():
            raise CommandError(f"{file} does not exist. Nothing was imported.")
        with file.open("rb") as opened:
            done = import_graph(target, opened)
        self.stdout.write(
            json_.dumps(done.as_json(), ensure_ascii=False, indent=2) if json else summary(done)
        )
        if not (done.documents or done.decisions) and done.rows:
            raise SystemExit(1)


def summary(done: Imported) -> str:
    """The outcome in a few lines."""
    lines = [
        f"{done.rows:,} rows about {done.documents:,} documents: {done.entities:,} entities and"
        f" {done.relations:,} relations found in them, {done.decisions:,} new decisions."
    ]
    if done.unknown:
        lines.append(f"{done.unknown:,} rows are about documents that are not here, or not read yet.")
    if done.unplaced:
        lines.append(f"{done.unplaced:,} entities and relations have no word in their document.")
    if done.malformed:
        lines.append(f"{done.malformed:,} rows or parts of rows are malformed and were passed over:")
        lines += [f"  {problem}" for problem in done.problems]
    return "\n".join(lines)
