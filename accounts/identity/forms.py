"""What an administrator says about a provider, whatever it speaks."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.addresses import DOMAIN
from accounts.identity.addresses import is_safe
from accounts.identity.models import IdentityProvider
from localization.typed import words_apart

UNIQUE = {
    "name": {"unique": gettext_lazy("There is a provider of that name already.")},
    "issuer": {"unique": gettext_lazy("There is a provider with that address already.")},
}
NOT_SAFE = gettext_lazy(
    "Give an address that begins with https:// and has no user name, password or # in it."
)


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
            "name": gettext_lazy("Name"),
            "client_id": gettext_lazy("Client ID"),
            "domains": gettext_lazy("Only for addresses of these domains"),
            "group_claim": gettext_lazy("Claim with the groups"),
            "administrators": gettext_lazy("Group of administrators"),
        }
        widgets: ClassVar = {"domains": forms.TextInput}
        error_messages: ClassVar = {"name": UNIQUE["name"]}

    def clean_domains(self) -> str:
        typed = words_apart(self.cleaned_data["domains"].lower())
        domains = [one.removeprefix("@") for one in typed]
        for one in domains:
            if not DOMAIN.fullmatch(one):
                raise forms.ValidationError(
                    _("{one} is not a domain. Write them like this: example.org, example.com").format(one=one)
                )
        return " ".join(dict.fromkeys(domains))
