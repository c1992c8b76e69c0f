"""Which tools an owner may tick for a datasource, and which of them are ticked, for its page and for REST."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from datasources.models import Datasource
from exchange.outside_tools import services
from exchange.outside_tools.models import OutsideServer
from exchange.outside_tools.offers import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A tool as it is offered for a tick. `has_changed`: it was ticked, and was another one then."""

    key: str
    offer: Offer
    is_ticked: bool
    has_changed: bool


def choices_of(datasource: Datasource, person: User) -> list[tuple[OutsideServer, Sequence[Choice]]]:
    """Of each server whose tools the person may attach."""
    attached = list(datasource.attached_tools.values_list("server", "name", "fingerprint"))
    known = {(server, name) for server, name, _fingerprint in attached}
    return [
        (
            server,
            [
                Choice(
                    key=services.key_of(server, offer),
                    offer=offer,
                    is_ticked=(server.pk, offer.name, offer.fingerprint) in attached,
                    has_changed=(server.pk, offer.name) in known
                    and (server.pk, offer.name, offer.fingerprint) not in attached,
                )
                for offer in server.offers
            ],
        )
        for server in services.servers_for(person)
    ]


def attached_by_others(datasource: Datasource, person: User) -> list[str]:
    """What an administrator has attached here, of servers that are not for owners."""
    rows = datasource.attached_tools.select_related("server")
    return [str(row) for row in rows.exclude(server__in=services.servers_for(person))]
