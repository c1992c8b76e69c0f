"""SAML among the kinds of providers."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.identity.kind import Kind
from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Unusable
from accounts.identity.saml.forms import NewSamlForm, SamlForm
from accounts.identity.saml.keys import signature
from accounts.identity.saml.metadata import current
from accounts.identity.saml.way import here, require_key, way_out, way_there


def check(request: HttpRequest, provider: IdentityProvider) -> str:
    if not provider.client_id:
        raise Unusable(_("Give the entity ID first."))
    metadata = current(provider)
    require_key(provider, metadata)
    if provider.own_certificate:
        signature(provider, b"")
    ends = max(one.not_valid_after_utc for one in metadata.certificates)
    if ends > timezone.now():
        told = _("The metadata is that of this provider, and its certificate is valid until {day}.")
    else:
        told = _("The metadata is that of this provider, and its certificate ended on {day}.")
    only_then = _(
        "Whether the provider is there and knows SVQ shows only at the first sign-in: try it in your own "
        "settings."
    )
    return f"{told.format(day=date_format(ends, 'j F Y'))} {only_then}"


def called(request: HttpRequest, provider: IdentityProvider) -> str:
    return here(request, "saml_metadata", provider)


def to_register(request: HttpRequest, provider: IdentityProvider) -> list[tuple[str, str]]:
    return [
        (_("Entity ID (Identifier, Audience URI)"), provider.client_id or called(request, provider)),
        (_("Reply address (ACS URL, Single sign-on URL)"), here(request, "saml_returned", provider)),
        (_("Sign-out address (Single Logout URL)"), here(request, "saml_ended_there", provider)),
        (_("Metadata, which has all of this"), called(request, provider)),
    ]


SAML = Kind(
    called=called,
    new_form=NewSamlForm,
    form=SamlForm,
    to_register=to_register,
    way_there=way_there,
    way_out=way_out,
    check=check,
)
