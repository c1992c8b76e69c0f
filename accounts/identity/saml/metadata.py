"""What a provider says of itself: its addresses and its certificates. Where it has an address for that, it is
read anew at each sign-in, so that nothing here can be stale.
"""

from dataclasses import dataclass
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.identity import fetching
from accounts.identity.addresses import is_safe
from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Refused, Unusable
from accounts.identity.saml.xml import REDIRECT, Element, find, moment, parse, text

LARGEST = 1_000_000  # characters; one provider's has some ten thousand
FEWEST_BITS = 2048
MOST_CERTIFICATES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """sign_in, sign_out: addresses for requests by redirect; sign_out is empty where there is none.
    certificates: any of them may have signed.
    """

    issuer: str
    sign_in: str
    sign_out: str
    sign_out_answered: str
    certificates: list[x509.Certificate]
    wants_signed: bool  # the requests of SVQ


def current(provider: IdentityProvider) -> Metadata:
    """Raises Unusable."""
    if provider.metadata_address:
        said = fetched(provider.metadata_address)
        metadata = read(said)
        if metadata.issuer == provider.issuer and said != provider.metadata:
            known = IdentityProvider.objects.filter(
                pk=provider.pk, metadata_address=provider.metadata_address
            )
            known.update(metadata=said)
    else:
        metadata = read(provider.metadata)
    if metadata.issuer != provider.issuer:
        raise Unusable(_("The metadata is of another provider: {name}.").format(name=repr(metadata.issuer)))
    return metadata


def fetched(address: str) -> str:
    """Raises Unusable."""
    answer = fetching.fetch(address, _("SAML metadata"), public_only=not settings.FETCH_PRIVATE_ADDRESSES)
    return answer.content[: LARGEST + 1].decode("utf-8", "replace")


def read(said: str) -> Metadata:
    """Raises Unusable."""
    if len(said) > LARGEST:
        raise Unusable(_("The metadata is too large. Give that of this one provider alone."))
    try:
        root = parse(said.strip().encode())
        entity, provider = _provider_in(root)
        for until in find(entity, "ancestor-or-self::*/@validUntil | md:IDPSSODescriptor/@validUntil"):
            if moment(until) <= timezone.now():
                raise Unusable(
                    _("The metadata has been out of date since {time}. Get it anew.").format(time=until)
                )
    except Refused as refusal:
        raise Unusable(_("This is not the metadata of a provider: {why}.").format(why=refusal)) from refusal
    out = find(provider, f"md:SingleLogoutService[@Binding='{REDIRECT}']")
    sign_out = _address(out[0], "Location") if out else ""
    return Metadata(
        issuer=entity.get("entityID", ""),
        sign_in=_sign_in(provider),
        sign_out=sign_out,
        sign_out_answered=_address(out[0], "ResponseLocation")
        if out and out[0].get("ResponseLocation")
        else sign_out,
        certificates=_certificates(provider),
        wants_signed=provider.get("WantAuthnRequestsSigned") in ("true", "1"),
    )


def pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _provider_in(root: Element) -> tuple[Element, Element]:
    """Its EntityDescriptor, and what is in it of an identity provider."""
    found = find(root, "descendant-or-self::md:EntityDescriptor/md:IDPSSODescriptor")
    if not found:
        raise Unusable(_("The metadata names no identity provider (IDPSSODescriptor)."))
    if len(found) > 1:
        raise Unusable(_("The metadata names several identity providers. Give that of one alone."))
    entity = found[0].getparent()
    if not entity.get("entityID"):
        raise Unusable(_("The metadata has no entity ID."))
    return entity, found[0]


def _sign_in(provider: Element) -> str:
    services = find(provider, f"md:SingleSignOnService[@Binding='{REDIRECT}']")
    if not services:
        raise Unusable(_("The metadata has no address to sign in by redirect (HTTP-Redirect)."))
    return _address(services[0], "Location")


def _address(service: Element, attribute: str) -> str:
    address = str(service.get(attribute, ""))
    if not is_safe(address):
        raise Unusable(
            _("The metadata has an address that does not begin with https://: {address}.").format(
                address=repr(address[:100])
            )
        )
    return address


def _certificates(provider: Element) -> list[x509.Certificate]:
    path = "md:KeyDescriptor[not(@use) or @use='signing']/ds:KeyInfo/ds:X509Data/ds:X509Certificate"
    found: dict[str, x509.Certificate] = {}
    for node in find(provider, path)[:MOST_CERTIFICATES]:
        wrapped = f"-----BEGIN CERTIFICATE-----\n{''.join(text(node).split())}\n-----END CERTIFICATE-----\n"
        try:
            certificate = x509.load_pem_x509_certificate(wrapped.encode())
            key: Any = certificate.public_key()
        except ValueError as error:
            raise Unusable(_("The metadata has a certificate that can't be read.")) from error
        if not isinstance(key, rsa.RSAPublicKey) or key.key_size < FEWEST_BITS:
            raise Unusable(
                _("A certificate of the provider has no RSA key of at least {n} bits.").format(n=FEWEST_BITS)
            )
        found[pem(certificate)] = certificate
    if not found:
        raise Unusable(_("The metadata has no certificate for signatures."))
    return list(found.values())
