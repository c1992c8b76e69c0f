"""Whether a mail folder can be opened, before it is connected or its address is changed."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from accounts.limits import Limit
from connectors import services
from connectors.models import Connector, Kind
from connectors.sources.mail_folder import MailSource
from connectors.sources.source import SourceError
from datasources.models import Datasource
from text.counted import counted

if TYPE_CHECKING:
    from accounts.models import User

# Of one person, at whichever servers: this one is no way to guess the passwords of another.
TRIES = Limit(name="folder-passwords", attempts=10, seconds=300)


def connect(datasource: Datasource, kind: str, place: str, *, by: "User", **how: Any) -> Connector:
    """As `services.connect` does, once the folder could be opened. Raises ValidationError."""
    place = services.checked_place(kind, place, by)
    services.check_is_new(datasource, place)
    try_folder(kind, place, how.get("user_name", ""), how.get("secret", ""), by)
    return services.connect(datasource, kind, place, by=by, **how)


def check_change(connector: Connector, changed: dict[str, Any], by: "User") -> None:
    """Open it where that may have another end than before: at another address, or for another user. Puts the
    address into `changed` as it is kept. Raises ValidationError.
    """
    place, name = changed.get("place", connector.place), changed.get("user_name", connector.user_name)
    if place != connector.place:
        changed["place"] = place = services.checked_place(connector.kind, place, by)
    if place != connector.place or name.strip() != connector.user_name or changed.get("secret"):
        secret = services.secret_for(connector, place, changed.get("secret", ""))
        try_folder(connector.kind, place, name, secret, by)


def try_folder(kind: str, place: str, user_name: str, secret: str, by: "User") -> None:
    """place: as it is kept. Raises ValidationError, which says what went wrong. Folders of other kinds are
    looked at for the first time after they are connected.
    """
    if kind != Kind.MAIL:
        return
    if left := TRIES.take(str(by.pk)):
        raise ValidationError(
            f"You tried passwords too often. Try again in {counted(left, 'second')}. Nothing was saved.",
            code="secret",
        )
    source = MailSource(place, user_name.strip(), secret, lambda: False)
    try:
        source.try_it()
    except SourceError as error:
        said = f"{error.message} {error.hint}".strip()
        code = "secret" if error.code == "refused" else "unreachable"
        raise ValidationError(f"{said} Nothing was saved.", code=code) from error
    else:
        TRIES.give_back(str(by.pk))
    finally:
        source.close()
