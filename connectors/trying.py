"""Whether a mail folder can be opened, before it is connected or its address is changed."""

from django.core.exceptions import ValidationError

from connectors.models import Kind
from connectors.sources.mail_folder import MailSource
from connectors.sources.source import SourceError


def try_folder(kind: str, place: str, user_name: str, secret: str) -> None:
    """place: as it is kept. Raises ValidationError, which says what went wrong. Folders of other kinds are
    looked at for the first time after they are connected.
    """
    if kind != Kind.MAIL:
        return
    source = MailSource(place, user_name.strip(), secret, lambda: False)
    try:
        source.try_it()
    except SourceError as error:
        said = f"{error.message} {error.hint}".strip()
        raise ValidationError(f"{said} Nothing was saved.", code="unreachable") from error
    finally:
        source.close()
