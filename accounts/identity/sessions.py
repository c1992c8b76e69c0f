"""What a session keeps of the provider that it was begun with, and how it ends with the provider's own."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest

from accounts.audit import note
from accounts.identity.admission import groups_in, is_administrator
from accounts.identity.groups import follow_groups, mapped_groups
from accounts.identity.models import GivenAdministrator, IdentityProvider
from accounts.models import AuditAct, User
from accounts.sessions import end_sessions
from accounts.standing import is_last_administrator

KEY = "openid"  # as it was called before there was SAML: sessions live on when SVQ is renewed


def kept(provider: IdentityProvider, claims: dict[str, Any], **to_end_it: Any) -> dict[str, Any]:
    """to_end_it: what the provider has to be told for its own session to end, and calls it itself."""
    return {
        "provider": provider.pk,
        "sub": claims["sub"],
        "administrator": is_administrator(provider, claims),
        "groups": mapped_groups(provider, groups_in(provider, claims)),
        **to_end_it,
    }


def end(provider: IdentityProvider, named: dict[str, Any], *, but: str | None = None) -> int:
    """End the sessions begun with the provider of which `kept` has what is named. How many.

    but: the key of one that stays.
    """

    def is_meant(key: str, session: dict[str, Any]) -> bool:
        begun = session.get(KEY) or {}
        if begun.get("provider") != provider.pk or key == but:
            return False
        return all(begun.get(name) == value for name, value in named.items())

    return end_sessions(is_meant)


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
