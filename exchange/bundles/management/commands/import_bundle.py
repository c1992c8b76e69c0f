"""manage.py import_bundle FILE: a bundle as a new datasource, or its documents into one that is there."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import user_named
from exchange.bundles import adding, services
from exchange.bundles.errors import BundleError
from exchange.bundles.management.commands.export_bundle import datasource_named
from text.counted import counted


class Command(BaseCommand):
    help = (
        "Takes in a file that export_bundle has written. All of it is checked before anything is stored; a"
        " damaged one, and one of a newer SVQ, is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--owner", metavar="EMAIL", help="whose it becomes; else the first administrator's"
        )
        parser.add_argument(
            "--into",
            metavar="DATASOURCE",
            help="add its documents to this one instead, which reads them by its own settings",
        )

    def handle(self, *args: Any, file: Path, owner: str | None, into: str | None, **options: Any) -> None:
        try:
            if into:
                added = adding.add_documents(
                    datasource_named(into), user_named(owner) if owner else None, file
                )
                self.stdout.write(
                    f"{counted(added.new, 'document')} added, {added.known:,} were there already. They are"
                    " read as soon as a worker runs."
                )
                return
            row = services.take_in(user_named(owner), file)
        except BundleError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except OSError as error:
            more = "Run it again: it adds what is still missing." if into else "Nothing was imported."
            raise CommandError(f"The bundle could not be read or stored: {error}. {more}") from error
        assert row.datasource
        self.stdout.write(f"“{row.datasource.name}” belongs to {row.owner.email} now.")
        for notice in row.notices:
            self.stdout.write(notice)
