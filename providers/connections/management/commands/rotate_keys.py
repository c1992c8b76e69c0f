"""Encrypts the keys of connected model servers with the newest secret."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from providers.connections.services import rotate_keys


class Command(BaseCommand):
    help = (
        "Encrypts the keys of connected model servers with SVQ_SECRET_KEY, after it was changed and the one "
        "before was put into SVQ_SECRET_KEY_FALLBACKS, which can then be unset."
    )

    def handle(self, **options: Any) -> None:
        done, unreadable = rotate_keys()
        self.stdout.write(f"{done} encrypted with the newest secret.")
        if unreadable:
            raise CommandError(
                f"The key for {' and '.join(unreadable)} was encrypted with a secret that is not here. "
                "Put that secret into SVQ_SECRET_KEY_FALLBACKS, or give the key again in the settings."
            )
