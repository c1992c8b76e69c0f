"""A provider's own word, by way of the browser, that somebody has signed out there."""

import base64
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import unquote_plus

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.x509 import Certificate
from django.utils import timezone

from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Refused
from accounts.identity.saml.answers import LEEWAY
from accounts.identity.saml.metadata import Metadata
from accounts.identity.saml.xml import MORE, find, moment, parse, tag, text

LARGEST = 64 * 1024  # characters, packed and unpacked
AGE = timedelta(minutes=10)
SIGNED = ("SAMLRequest", "RelayState", "SigAlg")  # in this order
HASHES = {
    f"{MORE}rsa-sha256": hashes.SHA256(),
    f"{MORE}rsa-sha384": hashes.SHA384(),
    f"{MORE}rsa-sha512": hashes.SHA512(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Logout:
    """sessions: which of the person's, as the provider calls them; none: all."""

    id: str
    name: str
    sessions: list[str]
    relay_state: str


def read(provider: IdentityProvider, metadata: Metadata, query: str, here: str) -> Logout:
    """query: that of the address, as it was written there. Raises Refused."""
    given = _verified(metadata, query)
    root = parse(_unpacked(given["SAMLRequest"]))
    if root.tag != tag("samlp:LogoutRequest"):
        raise Refused("it asks for something else")
    if [text(one) for one in find(root, "saml:Issuer")] != [provider.issuer]:
        raise Refused("it is of another provider")
    if root.get("Destination") != here:
        raise Refused(f"it was sent to {root.get('Destination')!r}, not to {here!r}")
    now = timezone.now()
    if abs(now - moment(root.get("IssueInstant", ""))) > AGE + LEEWAY:
        raise Refused("it was not made just now")
    if root.get("NotOnOrAfter") and moment(root.get("NotOnOrAfter")) <= now - LEEWAY:
        raise Refused("its time is over")
    names = find(root, "saml:NameID")
    if len(names) != 1 or not root.get("ID"):
        raise Refused("it names nobody")
    sessions = [text(one) for one in find(root, "samlp:SessionIndex")]
    return Logout(
        id=root.get("ID"), name=text(names[0]), sessions=sessions, relay_state=given.get("RelayState", "")
    )


def _verified(metadata: Metadata, query: str) -> dict[str, str]:
    """What the signature covers: the query as it was written. Anything else in it is not looked at, so that
    nothing takes the place of what is signed.
    """
    parts = [one.partition("=") for one in query.split("&")]
    signed = [one for name in SIGNED for one in parts if one[0] == name]
    given = {name: unquote_plus(value) for name, _, value in parts if name in (*SIGNED, "Signature")}
    if not {"SAMLRequest", "SigAlg", "Signature"} <= set(given) or len(signed) != len(given) - 1:
        raise Refused("it is not signed, or something is there twice")
    algorithm = HASHES.get(given["SigAlg"])
    if algorithm is None:
        raise Refused(f"it is signed in a way that is not taken here: {given['SigAlg'][:100]!r}")
    try:
        signature = base64.b64decode(given["Signature"], validate=True)
    except ValueError as error:
        raise Refused("its signature can't be read") from error
    content = "&".join("".join(one) for one in signed).encode()
    if not any(_fits(one, algorithm, signature, content) for one in metadata.certificates):
        raise Refused("no key of the provider fits")
    return given


def _fits(
    certificate: Certificate, algorithm: hashes.HashAlgorithm, signature: bytes, content: bytes
) -> bool:
    key: Any = certificate.public_key()  # of RSA, as metadata has been read
    try:
        key.verify(signature, content, padding.PKCS1v15(), algorithm)
    except InvalidSignature:
        return False
    return True


def _unpacked(encoded: str) -> bytes:
    """A kilobyte of it may be a megabyte."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = unpacker.decompress(base64.b64decode(encoded[:LARGEST], validate=True), LARGEST)
    except (ValueError, zlib.error) as error:
        raise Refused("it can't be unpacked") from error
    if unpacker.unconsumed_tail:
        raise Refused("it is too large")
    return content
