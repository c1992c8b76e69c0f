"""Encrypts all that is kept secret in the database with the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.factors.rotation import rotate_second_factors
from accounts.identity.services import rotate_secrets
from exchange.connectors.services import rotate_secrets as rotate_connectors
from exchange.outside_tools.services import rotate_secrets as rotate_outside
from exchange.webhooks.services import rotate_secrets as rotate_webhooks
from providers.connections.services import rotate_keys

KEPT = (
    *(rotate_keys, rotate_secrets, rotate_second_factors),
    *(rotate_webhooks, rotate_connectors, rotate_outside),
)


class Command(BaseCommand):
    help = (
        "Encrypts the keys of connected model servers, the secrets of sign-in providers and webhooks, the "
        "tokens of outside servers, the passwords of connected sources and people's second factors with "
        "SVQ_SECRET_KEY, after it was changed and the one before was put into SVQ_SECRET_KEY_FALLBACKS, "
        "which can then be unset."
    )

    def handle(self, **options: Any) -> None:
        done = 0
        unreadable: list[str] = []
        for rotate in KEPT:
            count, lost = rotate()
            done, unreadable = done + count, unreadable + lost
        self.stdout.write(f"{done} encrypted with the newest secret.")
        if unreadable:
            raise CommandError(
                f"The key for {' and '.join(unreadable)} was encrypted with a secret that is not here. "
                "Put that secret into SVQ_SECRET_KEY_FALLBACKS, or give the key again in the settings."
            )
