"""Encrypts what is kept of second factors with the newest secret."""

from allauth.mfa.models import Authenticator
from django.db import transaction

from providers.connections.secrets import Unreadable, rotated

PARTS = ("secret", "seed")  # of an app, and of recovery codes; a passkey has nothing secret


@transaction.atomic
def rotate_second_factors() -> tuple[int, list[str]]:
    """How many were encrypted, and of whom one can't be read."""
    done, unreadable = 0, []
    for one in Authenticator.objects.select_for_update(of=("self",)).select_related("user"):
        try:
            changed = {part: rotated(one.data[part]) for part in PARTS if part in one.data}
        except Unreadable:
            unreadable.append(f"the second factor of account {one.user_id}")
            continue
        if changed:
            one.data |= changed
            one.save(update_fields=["data"])
            done += 1
    return done, unreadable
