"""What administrators do with outside servers, and what owners do with their tools."""

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from datasources.models import Datasource
from exchange.outside_tools import mcp_client
from exchange.outside_tools.failures import BAD_TOKEN, OutsideFailure
from exchange.outside_tools.mcp_client import Line
from exchange.outside_tools.models import AttachedTool, OutsideServer, PersonalToken
from exchange.outside_tools.offers import Offer
from formats.base.characters import visible_name
from localization.stored import retold, words_of
from providers.connections.secrets import Unreadable, decrypted, encrypted, rotate_column
from providers.http.given_addresses import checked_address

MOST_SERVERS = 20
MOST_ATTACHED = 20  # tools of a datasource: a model is told of each with every request
LONGEST_ADDRESS, LONGEST_TOKEN = 2000, 4000


def add_server(
    name: str, address: str, token: str, *, is_private: bool, is_for_owners: bool, is_per_person: bool = False
) -> OutsideServer:
    """It is asked for its tools first: what does not answer is not added. is_per_person: calls take the token
    of who asks, and this one is for looking at its tools. Raises ValidationError.
    """
    name, address, token = visible_name(name), checked_address(address, LONGEST_ADDRESS), checked_token(token)
    if (token or is_per_person) and not is_private and urlsplit(address).scheme == "http":
        raise ValidationError(
            _("Over http:// the token could be read on its way. Give an address that begins with https://."),
            code="address",
        )
    if OutsideServer.objects.count() >= MOST_SERVERS:
        raise ValidationError(
            _("There are {n} servers. Remove one first.").format(n=MOST_SERVERS), code="too_many"
        )
    try:
        offers = mcp_client.list_tools(Line(address=address, token=token, is_private=is_private))
    except OutsideFailure as failure:
        raise ValidationError(
            _("{why} Nothing was added.").format(why=retold(failure.message)), code="address"
        ) from failure
    try:
        with transaction.atomic():
            return OutsideServer.objects.create(
                name=name,
                address=address,
                encrypted_token=encrypted(token),
                is_private=is_private,
                is_for_owners=is_for_owners,
                is_per_person=is_per_person,
                listed=[offer.as_json() for offer in offers],
                looked=timezone.now(),
            )
    except IntegrityError:
        raise ValidationError(
            _("There is a server with this name or address already. Nothing was added."), code="name"
        ) from None


def checked_token(token: str) -> str:
    """Raises ValidationError."""
    token = token.strip()
    if token and not (token.isascii() and token.isprintable()):
        raise ValidationError(_("A token has no spaces and no letters with accents."), code="token")
    return token


def look_again(server: OutsideServer) -> None:
    """Ask it for its tools anew; where it does not answer, those of before stay. Raises OutsideFailure."""
    try:
        offers = mcp_client.list_tools(line_to(server))
    except OutsideFailure as failure:
        words = words_of(failure.message)
        OutsideServer.objects.filter(pk=server.pk).update(failure=str(failure), failure_words=words)
        raise
    keep_listed(server, offers)


def keep_listed(server: OutsideServer, offers: Sequence[Offer]) -> None:
    """What it told of its tools. Attached ones that are not the same any more are off from now on."""
    listed = [offer.as_json() for offer in offers]
    changed = {} if listed == server.listed else {"listed": listed}  # it may be long, and rarely changes
    OutsideServer.objects.filter(pk=server.pk).update(
        looked=timezone.now(), failure="", failure_words=None, **changed
    )


def let_owners(server: OutsideServer, may: bool) -> None:
    """Whether every owner may attach its tools. If not, what they have attached is off."""
    OutsideServer.objects.filter(pk=server.pk).update(is_for_owners=may)


def ask_each_person(server: OutsideServer, each: bool) -> None:
    """Whether calls take the token of who asks. If not, those that people have entered are forgotten. Raises
    ValidationError.
    """
    if each and not server.is_private and urlsplit(server.address).scheme == "http":
        raise ValidationError(
            _("Over http:// the token could be read on its way. Give an address that begins with https://."),
            code="address",
        )
    with transaction.atomic():
        OutsideServer.objects.filter(pk=server.pk).update(is_per_person=each)
        if not each:
            PersonalToken.objects.filter(server=server).delete()


def line_to(server: OutsideServer) -> Line:
    """For looking at its tools. Raises OutsideFailure for a token that can't be read."""
    return line_with(server, server.encrypted_token)


def line_with(server: OutsideServer, encrypted_token: str) -> Line:
    """Raises OutsideFailure for a token that can't be read."""
    try:
        token = decrypted(encrypted_token)
    except Unreadable:
        raise OutsideFailure(BAD_TOKEN) from None
    return Line(address=server.address, token=token, is_private=server.is_private)


def servers_for(person: User) -> list[OutsideServer]:
    """Those whose tools the person may attach."""
    every = OutsideServer.objects.all()
    return list(every if person.is_superuser else every.filter(is_for_owners=True))


@transaction.atomic
def attach(datasource: Datasource, chosen: Collection[str], *, by: User) -> None:
    """These of the tools that the person may attach, and no others of them. What is attached of servers that
    are not theirs to choose stays. `chosen`: keys, which name a tool as it was shown. Raises ValidationError.
    """
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    shown = {key_of(server, offer): (server, offer) for server in servers_for(by) for offer in server.offers}
    usable = {key: value for key, value in shown.items() if not value[1].unusable}
    if not set(chosen) <= set(usable):
        raise ValidationError(
            _("A server has changed its tools meanwhile. Nothing was saved. Look at them again."),
            code="changed",
        )
    if len(set(chosen)) > MOST_ATTACHED:
        raise ValidationError(
            _("Choose {n} tools at most. Nothing was saved.").format(n=MOST_ATTACHED), code="too_many"
        )
    mine = datasource.attached_tools.filter(server__in=servers_for(by))
    kept = {key: row for row in mine.select_related("server") if (key := _key_of_row(row)) in chosen}
    mine.exclude(pk__in=[row.pk for row in kept.values() if _is_on(row)]).delete()
    AttachedTool.objects.bulk_create(
        AttachedTool(
            datasource=datasource,
            server=usable[key][0],
            name=usable[key][1].name,
            fingerprint=usable[key][1].fingerprint,
            attached_by=by,
        )
        for key in dict.fromkeys(chosen)
        if key not in kept or not _is_on(kept[key])
    )


def states_of(datasource: Datasource) -> Mapping[str, int]:
    """How many attached tools are on, and how many off."""
    rows = list(datasource.attached_tools.select_related("server", "attached_by"))
    on = sum(_is_on(row) and row.offer is not None for row in rows)
    return {"on": on, "off": len(rows) - on}


def key_of(server: OutsideServer, offer: Offer) -> str:
    return f"{server.pk}:{offer.fingerprint}"


def rotate_secrets() -> tuple[int, list[str]]:
    """Encrypt all tokens with the newest key: how many, and which can't be read."""
    of_servers, unreadable = rotate_column(OutsideServer.objects.all(), "encrypted_token")
    of_people, more = rotate_column(PersonalToken.objects.order_by("pk"), "encrypted_token")
    return of_servers + of_people, unreadable + more


def _key_of_row(row: AttachedTool) -> str:
    return f"{row.server_id}:{row.fingerprint}"


def _is_on(row: AttachedTool) -> bool:
    by = row.attached_by
    return row.server.is_for_owners or (by is not None and by.is_superuser and by.is_active)
