"""Connecting model servers to roles, in the database, so that no restart is needed."""

from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from providers.connections.models import Connection
from providers.connections.secrets import Unreadable, decrypted, encrypted, rotated


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A model of a server as somebody means to use it. Prices are per million tokens."""

    provider: str
    address: str
    key: str
    model: str
    price_input: Decimal = Decimal(0)
    price_output: Decimal = Decimal(0)
    timeout: int = 120  # seconds between two pieces of an answer


def connect(role: str, offer: Offer) -> Connection:
    """From now on the server plays the role, in place of the one before."""
    connection, _ = Connection.objects.update_or_create(
        role=role,
        defaults={
            "provider": offer.provider,
            "address": offer.address,
            "encrypted_key": encrypted(offer.key),
            "model": offer.model,
            "price_input": offer.price_input,
            "price_output": offer.price_output,
            "timeout": offer.timeout,
        },
    )
    return connection


def disconnect(role: str) -> None:
    """The role is played by nobody; its key is gone."""
    Connection.objects.filter(role=role).delete()


def connected(*roles: str) -> Connection | None:
    """The connection of the first of these roles that has one."""
    found = {row.role: row for row in Connection.objects.filter(role__in=roles)}
    return next((found[role] for role in roles if role in found), None)


def key_of(connection: Connection) -> str | None:
    """None when it was encrypted with a secret that this server does not have: it must be given again."""
    try:
        return decrypted(connection.encrypted_key)
    except Unreadable:
        return None


def is_key_of_others(connection: Connection) -> bool:
    """Whether another role has a key for the same server, and keeps it."""
    others = Connection.objects.filter(address=connection.address).exclude(pk=connection.pk)
    return others.exclude(encrypted_key="").exists()


@transaction.atomic
def rotate_keys() -> tuple[int, list[str]]:
    """Encrypt all keys with the newest secret: how many were, and the roles whose key can't be read."""
    unreadable = []
    done = 0
    for connection in Connection.objects.select_for_update().exclude(encrypted_key=""):
        try:
            connection.encrypted_key = rotated(connection.encrypted_key)
        except Unreadable:
            unreadable.append(connection.role)
        else:
            connection.save(update_fields=["encrypted_key"])
            done += 1
    return done, unreadable
