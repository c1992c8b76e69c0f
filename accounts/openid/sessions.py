"""What a session keeps of the provider that it was begun with, and how it ends with the provider's own."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.http import urlencode

from accounts.audit import note
from accounts.models import AuditAct, User
from accounts.openid.discovery import Metadata
from accounts.openid.groups import follow_groups
from accounts.openid.models import GivenAdministrator, IdentityProvider
from accounts.sessions import end_sessions
from accounts.standing import is_last_administrator

KEY = "openid"


def kept(
    provider: IdentityProvider,
    metadata: Metadata,
    claims: dict[str, Any],
    token: str,
    administrator: bool | None,
    groups: list[int],
) -> dict[str, Any]:
    return {
        "provider": provider.pk,
        "sub": claims["sub"],
        "sid": claims.get("sid"),
        "id_token": token,
        "end_session": metadata.end_session_endpoint,
        "administrator": administrator,
        "groups": groups,
    }


def end(provider: IdentityProvider, claims: dict[str, Any], *, but: str | None = None) -> int:
    """End the sessions that a logout token means: one by its `sid`, or all of a person. How many.

    but: the key of one that stays.
    """

    def is_meant(key: str, session: dict[str, Any]) -> bool:
        begun = session.get(KEY) or {}
        if begun.get("provider") != provider.pk or key == but:
            return False
        same_person = claims.get("sub") in (None, begun["sub"])
        return same_person and claims.get("sid") in (None, begun["sid"])

    return end_sessions(is_meant)


def address_to_end(begun: dict[str, Any], back: str) -> str:
    """Where a browser ends the provider's session too; empty where the provider has no such address."""
    address = begun.get("end_session") or ""
    provider = IdentityProvider.objects.filter(pk=begun.get("provider", 0)).first()
    if not address or provider is None:
        return ""
    said = {
        "id_token_hint": begun["id_token"],
        "client_id": provider.client_id,
        "post_logout_redirect_uri": back,
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(said)}"


def remember(request: HttpRequest, user: User, login: Any) -> None:
    """At every sign-in. login: allauth's SocialLogin; None: one without a provider, which must keep nothing
    of an earlier attempt.
    """
    request.session.pop(KEY, None)
    if login is None or KEY not in login.state:
        return
    begun = login.state[KEY]
    provider = IdentityProvider.objects.filter(pk=begun["provider"]).first()
    if provider is not None:
        request.session[KEY] = begun
        follow_administrators(provider, user, begun["administrator"])
        follow_groups(provider, user, begun["groups"])


@transaction.atomic
def follow_administrators(provider: IdentityProvider, person: User, said: bool | None) -> None:
    """Make the person an administrator, or no longer one that this provider has made.

    Whoever was made one by hand stays it, and so does the last one, until there is another. said: what the
    groups say; None: nothing.
    """
    given = GivenAdministrator.objects.filter(person=person, provider=provider)
    if said and not person.is_superuser:
        GivenAdministrator.objects.update_or_create(person=person, defaults={"provider": provider})
    elif not said and given.exists() and not is_last_administrator(person):
        given.delete()
    else:
        return
    person.is_superuser = person.is_staff = bool(said)
    person.save(update_fields=["is_superuser", "is_staff"])
    act = AuditAct.RAISED if said else AuditAct.LOWERED
    note(person, act, person, f"by the groups of {provider.name}")
