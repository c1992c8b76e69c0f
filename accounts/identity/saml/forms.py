"""What an administrator says about a SAML provider."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.identity.forms import UNIQUE, ProviderForm, safe_address
from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Unusable
from accounts.identity.saml.keys import forget_key, make_key
from accounts.identity.saml.metadata import Metadata, fetched, read

METADATA = gettext_lazy("Metadata")
ADDRESS = gettext_lazy("Address of the metadata")


class WithMetadata(forms.ModelForm):
    """By the address at which it is, or pasted. A form that has both takes the address."""

    metadata = forms.CharField(label=METADATA, required=False, strip=True)

    def clean_metadata_address(self) -> str:
        given = self.cleaned_data["metadata_address"].strip()
        return safe_address(given) if given else ""

    def metadata_given(self) -> Metadata | None:
        """What is found there, which becomes the instance's; None: nothing is given, or it is refused."""
        address, pasted = self.cleaned_data.get("metadata_address", ""), self.cleaned_data.get("metadata", "")
        if not (address or pasted) or "metadata_address" in self.errors:
            return None
        try:
            said = fetched(address) if address else pasted
            metadata = read(said)
        except Unusable as refusal:
            self.add_error("metadata_address" if address else "metadata", str(refusal))
            return None
        self.instance.metadata = said
        return metadata


class NewSamlForm(WithMetadata):
    """Its name and its metadata, which has its entity ID."""

    class Meta:
        model = IdentityProvider
        fields = ("name", "metadata_address")
        labels: ClassVar = {"name": gettext_lazy("Name"), "metadata_address": ADDRESS}
        error_messages: ClassVar = {"name": UNIQUE["name"]}

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        metadata = self.metadata_given()
        if metadata is None:
            if not self.errors:
                self.add_error("metadata_address", _("Give the address of the metadata, or paste it below."))
        elif IdentityProvider.objects.filter(issuer=metadata.issuer).exists():
            field = "metadata_address" if given.get("metadata_address") else "metadata"
            self.add_error(
                field,
                _("There is a provider with the entity ID {issuer} already.").format(issuer=metadata.issuer),
            )
        else:
            self.instance.issuer = metadata.issuer
        return given


class SamlForm(ProviderForm, WithMetadata):
    signs = forms.BooleanField(label=gettext_lazy("Sign what SVQ sends there"), required=False)

    class Meta(ProviderForm.Meta):
        fields = (
            *ProviderForm.Meta.fields,
            *(
                "metadata_address",
                "subject_attribute",
                "address_attribute",
                "name_attribute",
                "takes_unasked",
            ),
        )
        labels: ClassVar = ProviderForm.Meta.labels | {
            "client_id": gettext_lazy("Entity ID of SVQ"),
            "domains": gettext_lazy("Your firm's domains"),
            "group_claim": gettext_lazy("Attribute with the groups"),
            "metadata_address": ADDRESS,
            "subject_attribute": gettext_lazy("Attribute to know people by"),
            "address_attribute": gettext_lazy("Attribute with the e-mail address"),
            "name_attribute": gettext_lazy("Attribute with the name"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["signs"] = bool(self.instance.own_certificate)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        metadata = self.metadata_given()
        if metadata is not None and metadata.issuer != self.instance.issuer:
            field = "metadata_address" if given.get("metadata_address") else "metadata"
            self.add_error(
                field,
                _("This is the metadata of another provider, {issuer}. Add that by itself.").format(
                    issuer=metadata.issuer
                ),
            )
        asks_domains = given.get("makes_accounts") or given.get("connects_by_address")
        if asks_domains and not given.get("domains") and "domains" not in self.errors:
            self.add_error(
                "domains", _("Name them: of no others does the provider's word on an address count.")
            )
        return given

    def save(self, commit: bool = True) -> Any:
        if self.cleaned_data["signs"]:
            make_key(self.instance)
        else:
            forget_key(self.instance)
        return super().save(commit)
