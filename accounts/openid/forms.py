"""What an administrator says about a provider."""

import re
from typing import Any, ClassVar

from django import forms

from accounts.addresses import DOMAIN
from accounts.openid.discovery import WELL_KNOWN, Unusable, discover, is_safe
from accounts.openid.models import IdentityProvider
from providers.connections.secrets import encrypted


class NewProviderForm(forms.ModelForm):
    """Its name and address. Valid when a discovery document is found there."""

    class Meta:
        model = IdentityProvider
        fields = ("name", "issuer")
        labels: ClassVar = {"name": "Name", "issuer": "Address"}
        error_messages: ClassVar = {
            "name": {"unique": "There is a provider of that name already."},
            "issuer": {"unique": "There is a provider with that address already."},
        }

    def clean_issuer(self) -> str:
        address: str = self.cleaned_data["issuer"].strip().removesuffix(WELL_KNOWN)
        if not is_safe(address):
            raise forms.ValidationError(
                "Give an address that begins with https:// and has no user name, password or # in it."
            )
        try:
            discover(address)
        except Unusable as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return address


class ProviderForm(forms.ModelForm):
    """How SVQ is known there, and whom the provider may let in."""

    secret = forms.CharField(max_length=1000, required=False, strip=True)

    class Meta:
        model = IdentityProvider
        fields = (
            *("name", "client_id", "makes_accounts", "domains", "connects_by_address", "asks_second_factor"),
            *("group_claim", "administrators"),
        )
        labels: ClassVar = {
            "name": "Name",
            "client_id": "Client ID",
            "domains": "Only for addresses of these domains",
            "group_claim": "Claim with the groups",
            "administrators": "Group of administrators",
        }
        widgets: ClassVar = {"domains": forms.TextInput}

    def clean_domains(self) -> str:
        domains = re.split(r"[\s,;]+", self.cleaned_data["domains"].lower())
        domains = [one.removeprefix("@") for one in domains if one]
        for one in domains:
            if not DOMAIN.fullmatch(one):
                raise forms.ValidationError(
                    f"{one} is no domain. Write them like this: example.org, example.com"
                )
        return " ".join(dict.fromkeys(domains))

    def save(self, commit: bool = True) -> Any:
        """An empty secret means the stored one; with another client there is none to keep."""
        secret = self.cleaned_data["secret"]
        if secret or "client_id" in self.changed_data:
            self.instance.encrypted_secret = encrypted(secret)
        return super().save(commit)
