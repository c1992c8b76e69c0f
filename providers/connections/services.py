"""Connecting model servers to roles, in the database, so that no restart is needed."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from providers.connections.models import EVERYWHERE, Assignment, Connection, OwnersMay
from providers.connections.secrets import Unreadable, decrypted, encrypted, rotate_column

# Whose last model is remembered, and as what.
REMEMBERED = {"embeddings": "embeddings before"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A model of a server as somebody means to use it. Prices are per million tokens."""

    provider: str
    address: str
    key: str
    model: str
    price_input: Decimal = Decimal(0)
    price_output: Decimal = Decimal(0)
    timeout: int = 60  # seconds for a whole answer
    offered: bool = False  # people may choose it


@transaction.atomic
def connect(role: str, offer: Offer, datasource: int = EVERYWHERE) -> Connection:
    """Give the model the role for all datasources, or for one alone, in place of the previous one.

    Without a role, it is only offered: people may choose it.
    """
    connection, _ = Connection.objects.update_or_create(
        datasource=datasource,
        address=offer.address,
        model=offer.model,
        defaults={
            "provider": offer.provider,
            "encrypted_key": encrypted(offer.key),
            "price_input": offer.price_input,
            "price_output": offer.price_output,
            "timeout": offer.timeout,
            "offered": offer.offered or not role,
        },
    )
    if role:
        assign(role, connection, datasource)
    _drop_unused()
    return connection


def owners_may() -> OwnersMay:
    """What administrators allow; at first nothing."""
    return OwnersMay.objects.first() or OwnersMay()


@transaction.atomic
def allow_owners(
    *,
    connect: bool,
    private_addresses: bool,
    private_webhooks: bool = False,
    private_connectors: bool = False,
) -> None:
    """Without `connect`, servers that owners have connected are deleted with their keys. Raises
    ValidationError for private addresses without it.
    """
    if private_addresses and not connect:
        raise ValidationError(
            gettext(
                "Nothing was saved: servers in private networks are among those that owners may "
                "connect. Tick both, or neither."
            ),
            code="connect",
        )
    OwnersMay.objects.all().delete()
    OwnersMay.objects.create(
        connect=connect,
        private_addresses=private_addresses,
        private_webhooks=private_webhooks,
        private_connectors=private_connectors,
    )
    if not connect:
        Connection.objects.exclude(datasource=EVERYWHERE).delete()


def is_public_only(connection: Connection) -> bool:
    """Whether it may be reached at public addresses alone."""
    return connection.datasource != EVERYWHERE and not owners_may().private_addresses


@transaction.atomic
def assign(role: str, connection: Connection | None, datasource: int = EVERYWHERE) -> None:
    """Give the model the role there; None takes it away, so that a datasource uses the deployment's model.

    The previous embedding model is remembered: its vectors are searched until there are new ones.
    """
    places = Assignment.objects.filter(datasource=datasource)
    if follower := REMEMBERED.get(role):
        before = places.filter(role=role).first()
        if before and (connection is None or before.connection_id != connection.pk):
            places.update_or_create(
                role=follower, datasource=datasource, defaults={"connection": before.connection}
            )
    if connection is None:
        places.filter(role=role).delete()
    else:
        places.update_or_create(role=role, datasource=datasource, defaults={"connection": connection})
    _drop_unused()


def disconnect(role: str) -> None:
    """Take the role away from its model; the key is deleted unless the model is used or offered otherwise.

    An embedding model is remembered with its key until there are no vectors by it: see `forget_before`.
    """
    assign(role, None)


def forget_before(models: Collection[str]) -> None:
    """Forget remembered embedding models, and their keys, except these, which still have vectors."""
    remembered = Assignment.objects.filter(role__in=REMEMBERED.values())
    remembered.exclude(connection__model__in=models).delete()
    _drop_unused()


def withdraw(connection: Connection) -> None:
    """Stop offering the model; where an owner has chosen it, the deployment's takes its place."""
    Assignment.objects.filter(connection=connection).exclude(datasource=EVERYWHERE).delete()
    Connection.objects.filter(pk=connection.pk).update(offered=False)
    _drop_unused()


def _drop_unused() -> None:
    Connection.objects.filter(offered=False, assignments=None).delete()


def offered() -> QuerySet[Connection]:
    """What owners may choose for a datasource, and people for a question."""
    return Connection.objects.filter(offered=True).order_by("model", "pk")


def connected(*roles: str, datasource: int = EVERYWHERE) -> Connection | None:
    """The connection of the first of these roles that has one, the datasource's before the deployment's."""
    found = {
        (row.role, row.datasource): row.connection
        for row in Assignment.objects.filter(
            role__in=roles, datasource__in={EVERYWHERE, datasource}
        ).select_related("connection")
    }
    places = [(role, place) for role in roles for place in (datasource, EVERYWHERE)]
    return next((found[place] for place in places if place in found), None)


def chosen_for(datasource: int) -> dict[str, Connection]:
    """What its owner has chosen, by role."""
    rows = Assignment.objects.filter(datasource=datasource).select_related("connection")
    return {row.role: row.connection for row in rows}


def forget_datasource(datasource: int) -> None:
    """Delete what was chosen for a datasource that is being deleted."""
    Assignment.objects.filter(datasource=datasource).delete()
    _drop_unused()


def key_of(connection: Connection) -> str | None:
    """None when it was encrypted with a secret that this server does not have: it must be given again."""
    try:
        return decrypted(connection.encrypted_key)
    except Unreadable:
        return None


def is_key_of_others(connection: Connection) -> bool:
    """Whether a key for the same server stays when the model loses a role."""
    kept = Connection.objects.filter(datasource=connection.datasource, address=connection.address)
    kept = kept.exclude(encrypted_key="")
    if connection.offered or connection.assignments.count() > 1:
        return True
    return kept.exclude(pk=connection.pk).exists()


def kept_key(address: str, datasource: int = EVERYWHERE) -> str:
    """The key that is known for this address already: of administrators, or of the owner there."""
    kept = Connection.objects.filter(datasource=datasource, address=address)
    kept = kept.exclude(encrypted_key="").order_by("-connected")
    return next((key for each in kept if (key := key_of(each))), "")


def rotate_keys() -> tuple[int, list[str]]:
    """Encrypt all keys with the newest secret: how many were, and the models whose key can't be read."""
    return rotate_column(Connection.objects.all(), "encrypted_key")
