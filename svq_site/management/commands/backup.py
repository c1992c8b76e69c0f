"""manage.py backup FOLDER: everything that this host needs, as of one moment, beside the backups before."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from datasources.numbers import whole
from svq_site.backup import passphrase
from svq_site.backup.checking import Checked, check
from svq_site.backup.errors import BackupError
from svq_site.backup.making import Made, back_up
from svq_site.database.postgres import PostgresError
from text.counted import counted

MEGABYTE = 1_000_000
KEYS_INSIDE = (
    "The folder has this host's keys and all that people wrote. Only your account may read it; keep it as"
    " safe as the host, and encrypt copies that go elsewhere (--encrypt in a new folder)."
)
KEY_OUTSIDE = (
    "SVQ_SECRET_KEY is set and is not in the backup. Keep it elsewhere: without it, the keys of model servers"
    " and second factors can't be read."
)
REPAIR = (
    "Remove the damaged files: the next backup copies them again where this host still has the same contents."
)


class Command(BaseCommand):
    help = (
        "Backs up the database, documents, installed models and keys, all of one moment, while SVQ runs. "
        "What is in the folder from a backup before is not copied again; one that was interrupted goes on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--check", action="store_true", help="Read all backups of the folder and compare their hashes."
        )
        parser.add_argument(
            "--keep", type=whole(1, 10_000), default=0, help="Remove all but so many of the latest backups."
        )
        parser.add_argument(
            "--encrypt",
            action="store_true",
            help="Encrypt a new folder; its pass phrase is in SVQ_BACKUP_PASSPHRASE, or asked for.",
        )

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            if options["check"]:
                self.report(check(folder, passphrase.to_read(folder)))
            else:
                words = passphrase.to_write(folder, encrypt=options["encrypt"])
                self.tell(back_up(folder, words, keep=options["keep"]), encrypted=bool(words))
        except (BackupError, PostgresError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(
                f"The backup has not come to its end: {error}. Nothing of SVQ was changed, and the backups"
                " before are whole. Remove the cause and run the same command again: it goes on."
            ) from error

    def tell(self, made: Made, *, encrypted: bool) -> None:
        size = sum(content.size for content in made.manifest.contents())
        self.stdout.write(
            f"Backup {made.point.name}: {counted(len(made.manifest.files), 'file')}, of which"
            f" {made.copied:,} were copied, and the database; {size / MEGABYTE:,.1f} MB in all."
        )
        if made.manifest.missing:
            self.stdout.write(
                f"{counted(len(made.manifest.missing), 'file')} of documents had been lost before; `manage.py"
                " doctor` names the documents."
            )
        if made.removed:
            self.stdout.write(f"{counted(made.removed, 'content')} of older backups removed.")
        if not made.manifest.secret_key:
            self.stdout.write(KEY_OUTSIDE)
        if not encrypted:
            self.stdout.write(KEYS_INSIDE)

    def report(self, found: list[Checked]) -> None:
        for each in found:
            state = "DAMAGED" if each.damages else "whole"
            files = f"  {counted(len(each.manifest.files), 'file')}" if each.manifest else ""
            self.stdout.write(f"{each.point.name}  {state}{files}")
            for damage in each.damages:
                self.stdout.write(f"    {damage}")
        if not found:
            self.stdout.write("There is no complete backup in the folder.")
        if any(each.damages for each in found):
            self.stdout.write(REPAIR)
        if not found or any(each.damages for each in found):
            sys.exit(1)
