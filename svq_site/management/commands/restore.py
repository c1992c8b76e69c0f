"""manage.py restore FOLDER: a backup, into an empty host."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from svq_site import env
from svq_site.backup import files, passphrase
from svq_site.backup.errors import BackupError
from svq_site.backup.restoring import restore
from svq_site.database.postgres import PostgresError
from text.counted import counted

AGAIN = (
    "The restore has not come to its end, and the backup is untouched. Remove the cause and run the same"
    " command again."
)
NEXT = "Start SVQ with `manage.py up`; `manage.py doctor` examines it. Don't run the old host beside it."


class Command(BaseCommand):
    help = (
        "Restores the latest backup of a folder into an empty host: all hashes are compared before anything "
        "is written. A backup of an earlier version is upgraded."
    )
    requires_system_checks = ()  # of a database that is not there yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--point", default="", help="The name of an earlier backup, see `backup --check`."
        )

    def handle(self, *args: Any, folder: Path, point: str, **options: Any) -> None:
        try:
            done = restore(folder, passphrase.to_read(folder), point_name=point)
        except (BackupError, PostgresError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error}. {AGAIN}") from error
        rows = sum(done.manifest.rows.values())
        self.stdout.write(
            f"Restored {done.point.name}: {counted(len(done.manifest.files), 'file')},"
            f" {counted(rows, 'row')} as they were backed up."
        )
        if done.upgraded:
            self.stdout.write(f"Upgraded by {counted(done.upgraded, 'migration')}.")
        if lost := done.manifest.missing:
            self.stdout.write(f"{counted(len(lost), 'file')} had been lost before the backup.")
        if words := about_the_key(done.manifest.secret_key):
            self.stdout.write(words)
        self.stdout.write(NEXT)


def about_the_key(in_backup: bool) -> str:
    """What to do so that secrets in the database can be read."""
    if not in_backup:
        return "The old host had SVQ_SECRET_KEY set: set it here to the same value."
    given = env.text("SVQ_SECRET_KEY")
    if given and (settings.DATA_DIR / files.SECRET_KEY).read_text() != given:
        return "SVQ_SECRET_KEY is set here, and the old host had another key: unset it."
    return ""
