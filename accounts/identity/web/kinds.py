"""The kinds of providers that there are."""

from accounts.identity.kind import Kind
from accounts.identity.models import IdentityProvider, Language
from accounts.identity.openid.kind import OPENID
from accounts.identity.saml.kind import SAML

KINDS = {Language.OPENID: OPENID, Language.SAML: SAML}


def kind_of(provider: IdentityProvider) -> Kind:
    return KINDS[Language(provider.language)]
