"""manage.py export_graph DATASOURCE: the graph as lines of JSON, as GraphML, or as nodes and edges."""

import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import datasource_named, user_named
from graph.exchange.exports import FORMS


class Command(BaseCommand):
    help = "Write a datasource's graph to a file or to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its name or number")
        parser.add_argument(
            "--format",
            choices=tuple(FORMS),
            default="jsonl",
            help="jsonl comes in again with import_graph; graphml and json are for drawing",
        )
        parser.add_argument("--output", type=Path, help="the file to write; standard output if unset")
        parser.add_argument(
            "--user", help="e-mail of the account to act for; the first administrator if unset"
        )

    def handle(
        self, *, datasource: str, format: str, output: Path | None, user: str | None, **_: Any
    ) -> None:
        target = datasource_named(user_named(user), datasource)
        if target is None:
            raise CommandError(f"There is no datasource “{datasource}”. Nothing was written.")
        with output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout) as file:
            file.writelines(FORMS[format].pieces(target))
