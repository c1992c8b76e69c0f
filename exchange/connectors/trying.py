"""Whether a place can be looked at, before it is connected or what it is reached by is changed."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.tries import one_try
from datasources.models import Datasource
from exchange.connectors import services
from exchange.connectors.kinds.kind import Opening
from exchange.connectors.kinds.registry import kind_of
from exchange.connectors.models import Connector
from exchange.connectors.sources.source import SourceError
from sql.let_go import let_go

if TYPE_CHECKING:
    from accounts.models import User

TRIES = Limit(name="folder-passwords", attempts=10, seconds=300)  # of one person, at whichever servers
SECONDS = 15.0  # for which a person waits
SECRETS = ("refused", "secret")  # codes of failures that are of the password


def connect(datasource: Datasource, kind: str, place: str, *, by: "User", **how: Any) -> Connector:
    """As `services.connect` does, once it could be looked at. Raises ValidationError."""
    place = services.checked_place(kind, place, by)
    services.check_is_new(datasource, place)
    given = {name: how.get(name, "").strip() for name in services.TEXTS}
    _try(kind, Opening(place=place, secret=how.get("secret", ""), **given), by)
    return services.connect(datasource, kind, place, by=by, **how)


def check_change(connector: Connector, changed: dict[str, Any], by: "User") -> None:
    """Look at it where that may have another end than before: at another address, for another user, with
    another key. Puts the address into `changed` as it is kept, and whose the key is. Raises ValidationError.
    """
    place = changed.get("place", connector.place)
    if place != connector.place:
        changed["place"] = place = services.checked_place(connector.kind, place, by)
    given = {name: changed.get(name, getattr(connector, name)).strip() for name in services.TEXTS}
    is_same = all(value == getattr(connector, name) for name, value in given.items())
    if changed.get("secret"):
        changed["key_of"] = by
    elif place == connector.place and is_same:
        return
    secret = services.secret_for(connector, place, changed)
    _try(connector.kind, Opening(place=place, secret=secret, **given), by)


def _try(kind: str, how: Opening, by: "User") -> None:
    """how: as it is kept. Raises ValidationError, which says what went wrong."""
    with one_try(TRIES, by, code="secret"):
        try:
            _look_at(kind, how, time.monotonic() + SECONDS)
        except SourceError as error:
            said = f"{error.message} {error.hint}".strip().removesuffix(_("Nothing was changed.")).strip()
            code = "secret" if error.code in SECRETS and kind_of(kind).asks else "unreachable"
            raise ValidationError(" ".join((said, _("Nothing was saved."))), code=code) from error


def _look_at(kind: str, how: Opening, end: float) -> None:
    """Raises SourceError."""
    let_go()
    source = kind_of(kind).open(replace(how, should_stop=lambda: time.monotonic() > end))
    try:
        source.try_it()
    finally:
        source.close()
