"""OpenID Connect among the kinds of providers."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.identity.kind import Kind
from accounts.identity.models import IdentityProvider
from accounts.identity.openid.discovery import discover, keys
from accounts.identity.openid.forms import NewOpenIdForm, OpenIdForm
from accounts.identity.openid.tokens import check_client
from accounts.identity.openid.way import callback, way_out, way_there
from accounts.identity.refusals import Unusable


def check(request: HttpRequest, provider: IdentityProvider) -> str:
    if not provider.client_id:
        raise Unusable(_("Give the client ID first."))
    metadata = discover(provider.issuer)
    keys(metadata)
    check_client(provider, metadata, callback(request, provider))
    return _(
        "It answers, and knows this client. Whether the redirect address is registered shows "
        "at the first sign-in."
    )


def to_register(request: HttpRequest, provider: IdentityProvider) -> list[tuple[str, str]]:
    def here(name: str, *args: int) -> str:
        return request.build_absolute_uri(reverse(name, args=args))

    return [
        (_("Redirect address"), callback(request, provider)),
        (_("Address after signing out"), here("account_login")),
        (_("Back-channel logout, if the provider has it"), here("openid_ended_there", provider.pk)),
    ]


OPENID = Kind(
    called=lambda request, provider: "",
    new_form=NewOpenIdForm,
    form=OpenIdForm,
    to_register=to_register,
    way_there=way_there,
    way_out=way_out,
    check=check,
)
