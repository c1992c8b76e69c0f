"""What an administrator says about a provider, whatever it speaks."""

import re
from typing import ClassVar

from django import forms

from accounts.addresses import DOMAIN
from accounts.identity.addresses import is_safe
from accounts.identity.models import IdentityProvider

UNIQUE = {
    "name": {"unique": "There is a provider of that name already."},
    "issuer": {"unique": "There is a provider with that address already."},
}
NOT_SAFE = "Give an address that begins with https:// and has no user name, password or # in it."


def safe_address(given: str) -> str:
    """Raises ValidationError."""
    if not is_safe(given):
        raise forms.ValidationError(NOT_SAFE)
    return given


class ProviderForm(forms.ModelForm):
    """Whom the provider may let in. Forms of a kind say how SVQ is known there."""

    class Meta:
        model = IdentityProvider
        fields: tuple[str, ...] = (
            *("name", "client_id", "makes_accounts", "domains", "connects_by_address", "asks_second_factor"),
            *("is_hidden", "group_claim", "administrators"),
        )
        labels: ClassVar = {
            "name": "Name",
            "client_id": "Client ID",
            "domains": "Only for addresses of these domains",
            "group_claim": "Claim with the groups",
            "administrators": "Group of administrators",
        }
        widgets: ClassVar = {"domains": forms.TextInput}
        error_messages: ClassVar = {"name": UNIQUE["name"]}

    def clean_domains(self) -> str:
        domains = re.split(r"[\s,;]+", self.cleaned_data["domains"].lower())
        domains = [one.removeprefix("@") for one in domains if one]
        for one in domains:
            if not DOMAIN.fullmatch(one):
                raise forms.ValidationError(
                    f"{one} is no domain. Write them like this: example.org, example.com"
                )
        return " ".join(dict.fromkeys(domains))
