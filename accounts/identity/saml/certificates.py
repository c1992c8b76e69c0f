"""How long the certificates last with which SAML providers sign."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.identity.models import IdentityProvider, Language
from accounts.identity.refusals import Unusable
from accounts.identity.saml import metadata

SOON = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Certificate:
    ends: datetime

    @property
    def is_over(self) -> bool:
        return self.ends <= timezone.now()

    @property
    def ends_soon(self) -> bool:
        return self.ends - SOON <= timezone.now()


def certificates_of(provider: IdentityProvider) -> list[Certificate]:
    """Of the metadata as it was read the last time, the one that lasts longest first."""
    if provider.language != Language.SAML or not provider.metadata:
        return []
    try:
        found = metadata.read(provider.metadata).certificates
    except Unusable:
        return []
    return sorted((Certificate(one.not_valid_after_utc) for one in found), key=_ends, reverse=True)


def warning(provider: IdentityProvider) -> Certificate | None:
    """The certificate that ends last, if that is soon or over: before that, another one is there already."""
    found = certificates_of(provider)
    return found[0] if found and found[0].ends_soon else None


def _ends(certificate: Certificate) -> datetime:
    return certificate.ends
