"""Whether an account's e-mail address is its person's: confirmed by a link, or vouched for by an operator."""

import re
from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.contrib.auth.models import AbstractUser
from django.db.models import Exists, F, OuterRef

DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")


def confirm(user: AbstractUser) -> None:
    """The one address of the account is the person's. Says the operator who made or changed the account."""
    addresses = _addresses().filter(user=user)
    addresses.exclude(email=user.email).delete()
    addresses.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def is_confirmed(user: AbstractUser) -> bool:
    return bool(_addresses().filter(user=user, email=user.email, verified=True).exists())


def is_of_domains(address: str, domains: str) -> bool:
    """Domains: parted by spaces, in small letters; none of them is all of them."""
    listed = domains.split()
    return not listed or address.rpartition("@")[2].lower() in listed


def confirmed(users: Any) -> Any:
    """The queryset of users, each with whether its address is confirmed as `has_confirmed`."""
    own = _addresses().filter(user=OuterRef("pk"), email=OuterRef("email"), verified=True)
    return users.annotate(has_confirmed=Exists(own))


def _addresses() -> Any:
    # Looked up, not imported: the models of allauth are loaded after those of this app.
    return apps.get_model("account", "EmailAddress")._default_manager


def confirmed_addresses(user: AbstractUser) -> Any:
    """A queryset of texts, for use within a query."""
    return _addresses().filter(user=user, email=user.email, verified=True).values("email")


def people_by_address(users: Iterable[AbstractUser]) -> dict[str, int]:
    """The number of each of them who has confirmed the address of their account, by it."""
    own = _addresses().filter(user__in=users, email=F("user__email"), verified=True)
    return dict(own.values_list("email", "user"))
