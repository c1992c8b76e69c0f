"""Who comes in through a provider: somebody it has connected, somebody it may connect, somebody new."""

from typing import Any

from django.utils.translation import gettext as _

from accounts import addresses
from accounts.identity.models import IdentityProvider
from accounts.models import User

Claims = dict[str, Any]
LONGEST_SUBJECT = 191  # characters that allauth keeps


class NotAdmitted(Exception):
    """Why not, and whom to ask, in words for the person."""


def is_subject(name: str) -> bool:
    """Whether somebody can be known by what a provider calls them."""
    return 0 < len(name) <= LONGEST_SUBJECT and name.isprintable()


def address_in(claims: Claims) -> str:
    """In small letters; empty where there is none, or one with letters beyond ASCII: the small letter of
    some is that of another address.
    """
    given = claims.get("email")
    if not isinstance(given, str) or not given.isascii() or not given.isprintable():
        return ""
    return given.strip().lower()


def is_confirmed_by(claims: Claims) -> bool:
    """Whether the provider says that the address is the person's own. Some write it as a text."""
    said = claims.get("email_verified")
    return (said is True or said == "true") and bool(address_in(claims))


def is_administrator(provider: IdentityProvider, claims: Claims) -> bool | None:
    """What the provider's groups say of it; None where they say nothing."""
    if not (provider.administrators and provider.group_claim):
        return None
    return provider.administrators in groups_in(provider, claims)


def groups_in(provider: IdentityProvider, claims: Claims) -> list[str]:
    """The names of the person's groups there, as far as the provider sends them."""
    groups = claims.get(provider.group_claim) if provider.group_claim else None
    listed = groups if isinstance(groups, list) else [groups]
    return [one for one in listed if isinstance(one, str) and "\0" not in one]


def account_of_address(provider: IdentityProvider, address: str) -> User | None:
    """The account to connect with an address that the provider has confirmed.

    Only one whose own address is confirmed too: else a stranger may have made it and waits in it. Never an
    administrator's: whoever runs the provider would be one.
    """
    if not (provider.connects_by_address and provider.takes(address)):
        return None
    person = User.objects.filter(email__iexact=address).first()
    if person is None or person.is_staff or person.is_superuser or not addresses.is_confirmed(person):
        return None
    return person


def require_new_account(provider: IdentityProvider, address: str, *, confirmed: bool) -> None:
    """Raises NotAdmitted. Says nothing about accounts of addresses that may be somebody else's."""
    if not confirmed:
        raise NotAdmitted(
            _(
                "{name} does not confirm that an e-mail address is yours, so no account can be found "
                "or made by it. If you have an account here, sign in with your password and connect "
                "{name} in your settings. Otherwise ask the administrator of this server for one."
            ).format(name=provider.name)
        )
    if User.objects.filter(email__iexact=address).exists():
        raise NotAdmitted(
            _(
                "There is an account with the address {address} already. Sign in with your password "
                "and connect {name} in your settings, or ask the administrator of this server."
            ).format(address=address, name=provider.name)
        )
    if not (provider.makes_accounts and provider.takes(address)):
        raise NotAdmitted(
            _(
                "There is no account for {address} here. Ask the administrator of this server for "
                "one; it takes a minute."
            ).format(address=address)
        )
