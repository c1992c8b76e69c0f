"""People's own tokens for outside servers that ask for one of each person."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from accounts.tries import one_try
from datasources.models import Datasource, Role
from exchange.outside_tools import mcp_client
from exchange.outside_tools.failures import OutsideFailure
from exchange.outside_tools.mcp_client import Line
from exchange.outside_tools.models import AttachedTool, OutsideServer, PersonalToken
from exchange.outside_tools.services import checked_token, line_to, line_with
from localization.stored import retold
from providers.connections.secrets import encrypted

NO_TOKEN = "who asks has entered no token of their own."
TRIES = Limit(name="outside-tokens", attempts=10, seconds=300)  # of one person, at whichever servers
AT_ONCE = Limit(name="outside-tokens-at-once", attempts=1, seconds=mcp_client.SECONDS + 10)


def servers_of(person: User) -> QuerySet[Any]:
    """Those that ask each person for a token, and whose tools are ticked where the person may ask, or for
    which they have entered one. Each with `is_entered`, and `may_enter`: what was entered where they may not
    ask any more can only be deleted.
    """
    mine = PersonalToken.objects.filter(server=OuterRef("pk"), person=person)
    here = AttachedTool.objects.allowed().filter(
        server=OuterRef("pk"), datasource__in=Datasource.objects.visible_to(person, Role.ASKER)
    )
    rows = OutsideServer.objects.filter(is_per_person=True)
    rows = rows.annotate(is_entered=Exists(mine), may_enter=Exists(here))
    return rows.filter(Q(is_entered=True) | Q(may_enter=True))


def enter(server: OutsideServer, person: User, token: str) -> None:
    """The server is asked for its tools with it first, and what it refuses is not kept. Raises
    ValidationError.
    """
    if not (token := checked_token(token)):
        raise ValidationError(_("Enter your token."), code="token")
    _check_asks(server, person)
    with _one_attempt(person):
        try:
            mcp_client.list_tools(Line(address=server.address, token=token, is_private=server.is_private))
        except OutsideFailure as failure:
            raise ValidationError(
                _("{why} Nothing was saved.").format(why=retold(failure.message)), code="token"
            ) from failure
    with transaction.atomic():
        _check_asks(server, person)  # again: that took a while
        sealed = {"encrypted_token": encrypted(token)}
        PersonalToken.objects.update_or_create(server=server, person=person, defaults=sealed)


def _check_asks(server: OutsideServer, person: User) -> None:
    """That it asks this person for a token, which stays so for the transaction. Raises ValidationError."""
    with transaction.atomic():
        asking = servers_of(person).filter(pk=server.pk, may_enter=True)
        if not asking.select_for_update(of=("self",), no_key=True):
            raise ValidationError(
                _("This program asks you for no token any more. Nothing was saved."), code="token"
            )


@contextmanager
def _one_attempt(person: User) -> Iterator[None]:
    """What ends well does not count. Raises ValidationError."""
    who = str(person.pk)
    if AT_ONCE.take(who):
        AT_ONCE.give_back(who)
        raise ValidationError(
            _("A token of yours is being tried. Wait until that has ended. Nothing was saved."), code="token"
        )
    try:
        with one_try(TRIES, person, code="token"):
            yield
    finally:
        AT_ONCE.give_back(who)


def remove(server: OutsideServer, person: User) -> None:
    """Twice is the same as once."""
    PersonalToken.objects.filter(server=server, person=person).delete()


def without_token(datasource: int, person: int) -> Sequence[str]:
    """The names of servers whose tools are ticked there, but not offered to them for want of a token."""
    ticked = AttachedTool.objects.allowed().filter(datasource=datasource, server__is_per_person=True)
    entered = PersonalToken.objects.filter(person=person).values("server")
    missing = ticked.exclude(server__in=entered).order_by("server__name")
    return list(missing.values_list("server__name", flat=True).distinct())


def line_of(server: OutsideServer, person: int) -> Line:
    """How a call for that person reaches the server. Raises OutsideFailure."""
    if not server.is_per_person:
        return line_to(server)
    row = PersonalToken.objects.filter(server=server, person=person).first()
    if row is None:
        raise OutsideFailure(NO_TOKEN)
    return line_with(server, row.encrypted_token)
