"""manage.py export_bundle DATASOURCE FILE: a datasource with all that belongs to it as one file."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from datasources.models import Datasource
from datasources.numbers import number_in
from exchange.bundles.exporting import export

MEGABYTE = 1_000_000


class Command(BaseCommand):
    help = (
        "Writes a datasource into a file that another SVQ can import: originals, what was read of them, the"
        " graph, people's decisions, tables, checks, question sets and runs."
        " No keys, and no e-mail addresses of people."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its number, or its name if no other has that")
        parser.add_argument("file", type=Path, help="a new file, such as contracts.zip")
        parser.add_argument(
            "--conversations", action="store_true", help="with the owner's own conversations, nobody else's"
        )
        parser.add_argument(
            "--addresses",
            action="store_true",
            help="tell people who decided something by their e-mail address where they gave no name",
        )

    def handle(self, *args: Any, datasource: str, file: Path, **options: Any) -> None:
        found = datasource_named(datasource)
        unfinished = file.with_name(f"{file.name}.part")
        chosen = {name: options[name] for name in ("conversations", "addresses")}
        try:
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                for block in export(found, found.owner, **chosen):
                    target.write(block)
                target.flush()
                os.fsync(target.fileno())
            unfinished.replace(file)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise CommandError(f"The bundle could not be written: {error}.") from error
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        self.stdout.write(f"“{found.name}” is in {file}, {file.stat().st_size / MEGABYTE:,.1f} MB.")


def datasource_named(name: str) -> Datasource:
    """The one of that number, or else of that name. Raises CommandError."""
    number = number_in(name)
    every = Datasource.objects.select_related("owner").order_by("pk")
    found = list(every.filter(pk=number)) if number else []
    found = found or list(every.filter(name__iexact=name))
    if len(found) != 1:
        several = ", ".join(f"{each.pk} of {each.owner.email}" for each in found)
        raise CommandError(
            f"Several have that name: {several}. Give the number."
            if found
            else f"There is no datasource “{name}”."
        )
    return found[0]
