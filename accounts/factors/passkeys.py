"""What allauth leaves open of a passkey: whose page asked for it, and whether it was copied."""

from urllib.parse import urlsplit

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from fido2.webauthn import CollectedClientData

USUAL_PORTS = {"http": ":80", "https": ":443"}
COUNTER = "counter"  # in an authenticator's data: the signature counter that was seen last


class PasskeyCopied(Exception):
    """Its signature counter has not risen, which only happens when two devices have the same key."""


def require_own_page(request: HttpRequest, said: CollectedClientData) -> None:
    """said: by the browser. Raises ValueError where another site's page asked, another port's or subdomain's
    included, or a page of ours within another one.
    """
    if said.origin not in own_origins(request) or said.cross_origin is not False:
        raise ValueError("Another page has asked for the passkey.")


def own_origins(request: HttpRequest) -> set[str]:
    """As the browser writes the address that the server has for this request, which may be told of it by a
    proxy; and those of the same host that were set because a proxy does not tell.
    """
    here = f"{request.scheme}://{request.get_host()}"
    name = urlsplit(here).hostname
    told = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if urlsplit(origin).hostname == name]
    return {_as_browsers_write(origin) for origin in (here, *told)}


def _as_browsers_write(origin: str) -> str:
    """In small letters, and without the port that its scheme has anyway."""
    parts = urlsplit(origin.lower())
    return f"{parts.scheme}://{parts.netloc.removesuffix(USUAL_PORTS.get(parts.scheme, ' '))}"


def count_signature(passkey: Authenticator, counter: int) -> None:
    """Raises PasskeyCopied. Passkeys that are the same on several devices do not count, and always say 0."""
    with transaction.atomic():
        kept = Authenticator.objects.select_for_update().get(pk=passkey.pk)
        before = kept.data.get(COUNTER, kept.wrap().authenticator_data.counter)
        if (counter or before) and counter <= before:
            raise PasskeyCopied
        kept.data[COUNTER] = counter
        kept.save(update_fields=["data"])
