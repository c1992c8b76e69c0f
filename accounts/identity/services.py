"""Setting providers up, changing and removing them."""

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import QuerySet

from accounts.audit import note
from accounts.identity import sessions
from accounts.identity.groups import follow_groups, take_out_all
from accounts.identity.models import GivenAdministrator, IdentityProvider, Language
from accounts.models import AuditAct, User
from providers.connections.secrets import rotate_column


def ready(language: Language | None = None) -> QuerySet[IdentityProvider]:
    """Those that people can sign in with: SVQ is registered there. language: of these alone."""
    found = IdentityProvider.objects.exclude(client_id="")
    return found.filter(language=language) if language else found


def offered() -> QuerySet[IdentityProvider]:
    """Those on the sign-in page."""
    return ready().filter(is_hidden=False)


def open_to(person: User) -> QuerySet[IdentityProvider]:
    """Those that the person may connect: hidden ones are for administrators, who try them."""
    return ready() if person.is_superuser else offered()


@transaction.atomic
def remove(provider: IdentityProvider) -> None:
    """Its people keep their accounts. Their sessions by it end, and the rights that it gave."""
    for given in GivenAdministrator.objects.filter(provider=provider).select_related("person"):
        sessions.follow_administrators(provider, given.person, None)
    take_out_all(provider)
    sessions.end(provider, {})
    SocialAccount.objects.filter(provider=provider.key).delete()
    provider.delete()


def people_of(provider: IdentityProvider) -> int:
    return SocialAccount.objects.filter(provider=provider.key).count()


def connections_of(person: User) -> list[tuple[IdentityProvider, bool]]:
    """Each provider, and whether it can sign the person in; hidden ones for administrators, who try them."""
    own = set(SocialAccount.objects.filter(user=person).values_list("provider", flat=True))
    told = [(provider, provider.key in own) for provider in ready()]
    return [each for each in told if each[1] or not each[0].is_hidden or person.is_superuser]


def note_connected(request: Any, sociallogin: Any, **more: Any) -> None:
    """Called by allauth when somebody who is signed in has connected a provider."""
    provider = IdentityProvider.objects.filter(pk=sociallogin.account.provider.rpartition("-")[2]).first()
    note(request.user, AuditAct.SIGN_IN, request.user, f"connected {provider}")


@transaction.atomic
def disconnect(person: User, provider: IdentityProvider, *, here: str | None = None) -> bool:
    """The sessions that it began end too, but for the one with the key `here`, and what its groups gave.

    False where it is the only way in: the account has no password.
    """
    person.refresh_from_db(fields=["password"])
    if not person.has_usable_password():
        return False
    sessions.follow_administrators(provider, person, None)
    follow_groups(provider, person, [])
    for account in SocialAccount.objects.filter(user=person, provider=provider.key):
        sessions.end(provider, {"sub": account.uid}, but=here)
        account.delete()
        note(person, AuditAct.SIGN_IN, person, f"disconnected {provider.name}")
    return True


def rotate_secrets() -> tuple[int, list[str]]:
    """Encrypt all secrets with the newest key: how many were, and whose can't be read."""
    return rotate_column(IdentityProvider.objects.all(), "encrypted_secret")
