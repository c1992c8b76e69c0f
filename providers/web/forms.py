"""The forms that describe a model server."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from providers.connections.catalogue import PROVIDERS
from providers.connections.models import EVERYWHERE
from providers.connections.services import Offer, kept_key
from providers.roles import ModelRole

ROLES = {
    ModelRole.AGENT: (_("Answers"), _("Plans, searches and writes")),
    ModelRole.EXTRACTION: (
        _("Graph"),
        _("Reads documents, where a datasource's owner chooses a model over rules"),
    ),
    ModelRole.JUDGE: (_("Judge"), _("A second opinion on claims and on names")),
    ModelRole.EMBEDDINGS: (
        _("Finding by meaning"),
        _("Embeds questions and passages; a new model embeds all of them again"),
    ),
    ModelRole.RERANK: (_("Sorting what was found"), _("A second look at the best passages (reranking)")),
    ModelRole.OCR: (
        _("Text recognition"),
        _("Reads scans, where a datasource's owner chooses it over SVQ's own reader"),
    ),
}
# Translators: the same jobs within a sentence, as in “Connect a model for answers”.
IN_SENTENCE = {
    ModelRole.AGENT: pgettext_lazy("a job of a model, within a sentence", "answers"),
    ModelRole.EXTRACTION: pgettext_lazy("a job of a model, within a sentence", "graph"),
    ModelRole.JUDGE: pgettext_lazy("a job of a model, within a sentence", "judge"),
    ModelRole.EMBEDDINGS: pgettext_lazy("a job of a model, within a sentence", "finding by meaning"),
    ModelRole.RERANK: pgettext_lazy("a job of a model, within a sentence", "sorting what was found"),
    ModelRole.OCR: pgettext_lazy("a job of a model, within a sentence", "text recognition"),
}
CHOICE = ""  # in place of a role: people may choose the model
USUAL_TIMEOUT = 60  # seconds for a whole answer
LONGEST_OF_OWNERS = 600  # seconds; their server keeps a place among the answers that are written at a time
WRITING = (ModelRole.AGENT, ModelRole.EXTRACTION, ModelRole.JUDGE)  # roles of language models


def usual_model(role: str | None) -> str:
    """A server that reads scans may have a single model, so its name need not be given."""
    return "default" if role == ModelRole.OCR else ""


class PlaceForm(forms.Form):
    """The server and its key: an administrator's, or that of one datasource's owner."""

    def __init__(self, *args: Any, datasource: int = EVERYWHERE, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.datasource = datasource

    provider = forms.ChoiceField(choices=[(key, one.name) for key, one in PROVIDERS.items()])
    address = forms.CharField(max_length=500, required=False)
    key = forms.CharField(max_length=1000, required=False)

    def clean_address(self) -> str:
        """The provider's own address where it has one: then none can be given."""
        provider = PROVIDERS.get(self.cleaned_data.get("provider", ""))
        address = (provider.address if provider else "") or self.cleaned_data["address"].strip().rstrip("/")
        try:
            parts = urlsplit(address)
            known = parts.scheme in ("http", "https") and parts.hostname and not parts.username
            parts.port  # noqa: B018 - raises ValueError where it is none
        except ValueError:
            known = False
        if not known or parts.query or parts.fragment:
            raise forms.ValidationError(_("Give an address such as http://localhost:11434/v1."))
        return address

    def clean(self) -> dict[str, Any]:
        """An empty key means the stored one, as long as the address stays the same."""
        given = super().clean() or {}
        address = given.get("address")
        if address and not given.get("key"):
            given["key"] = kept_key(address, self.datasource)
        provider = PROVIDERS.get(given.get("provider", ""))
        if address and provider and provider.needs_key and not given["key"]:
            self.add_error("key", gettext("{provider} needs a key.").format(provider=gettext(provider.name)))
        return given


class ModelForm(PlaceForm):
    """The server with its model, what the model costs, and the role it is to play."""

    role = forms.ChoiceField(choices=[(role.value, told[0]) for role, told in ROLES.items()], required=False)
    offered = forms.BooleanField(required=False)
    model = forms.CharField(max_length=200)
    price_input = forms.DecimalField(min_value=0, max_digits=10, decimal_places=4, required=False)
    price_output = forms.DecimalField(min_value=0, max_digits=10, decimal_places=4, required=False)
    timeout = forms.IntegerField(min_value=5, max_value=3600, required=False)

    def clean_timeout(self) -> int | None:
        timeout: int | None = self.cleaned_data["timeout"]
        if timeout and timeout > LONGEST_OF_OWNERS and self.datasource != EVERYWHERE:
            told = ngettext(
                "At most {n} second. An administrator can allow a server more.",
                "At most {n} seconds. An administrator can allow a server more.",
                LONGEST_OF_OWNERS,
            )
            raise forms.ValidationError(told.format(n=LONGEST_OF_OWNERS))
        return timeout

    def offer(self) -> Offer:
        """Once the form is valid."""
        given = self.cleaned_data
        return Offer(
            provider=given["provider"],
            address=given["address"],
            key=given["key"],
            model=given["model"],
            price_input=given["price_input"] or Decimal(0),
            price_output=given["price_output"] or Decimal(0),
            timeout=given["timeout"] or USUAL_TIMEOUT,
            offered=given["offered"],
        )
