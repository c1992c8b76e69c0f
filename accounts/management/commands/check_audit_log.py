"""manage.py check_audit_log: whether the seals of the audit log fit its entries."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import audit_seals


class Command(BaseCommand):
    help = "Compute all seals of the audit log again and compare. Ends with status 1 if one does not fit."

    def handle(self, **_: Any) -> None:
        verdict = audit_seals.check()
        if verdict.wrong:
            raise CommandError(
                f"Seal {verdict.wrong.pk} of {verdict.wrong.time:%Y-%m-%d %H:%M} does not fit: entries up to "
                f"{verdict.wrong.until:%Y-%m-%d %H:%M} were changed or removed in the database."
            )
        self.stdout.write(
            f"Every seal fits: {verdict.entries:,} entries, {verdict.seals:,} seals, "
            f"{verdict.not_sealed:,} entries without a seal so far."
        )
        if verdict.emptied_until:
            self.stdout.write(
                f"The entries of {verdict.emptied:,} seals, up to {verdict.emptied_until:%Y-%m-%d %H:%M}, "
                "were deleted because their time was over. If that day is too late for the time that entries "
                "are kept, somebody with rights in the database has deleted them."
            )
        if verdict.newest:
            self.stdout.write(f"The newest seal is {verdict.newest.digest}. Keep it outside this server.")
