"""What an administrator says about an OpenID Connect provider."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from accounts.identity.forms import UNIQUE, ProviderForm, safe_address
from accounts.identity.models import IdentityProvider
from accounts.identity.openid.discovery import WELL_KNOWN, discover
from accounts.identity.refusals import Unusable
from providers.connections.secrets import encrypted


class NewOpenIdForm(forms.ModelForm):
    """Its name and address. Valid when a discovery document is found there."""

    class Meta:
        model = IdentityProvider
        fields = ("name", "issuer")
        labels: ClassVar = {"name": gettext_lazy("Name"), "issuer": gettext_lazy("Address")}
        error_messages: ClassVar = UNIQUE

    def clean_issuer(self) -> str:
        address: str = safe_address(self.cleaned_data["issuer"].strip().removesuffix(WELL_KNOWN))
        try:
            discover(address)
        except Unusable as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return address


class OpenIdForm(ProviderForm):
    secret = forms.CharField(max_length=1000, required=False, strip=True)

    def save(self, commit: bool = True) -> Any:
        """An empty secret means the stored one; with another client there is none to keep."""
        secret = self.cleaned_data["secret"]
        if secret or "client_id" in self.changed_data:
            self.instance.encrypted_secret = encrypted(secret)
        return super().save(commit)
