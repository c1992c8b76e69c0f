"""What SVQ sends to a provider, by way of the browser, and what it says of itself."""

import base64
import secrets
import zlib
from typing import Any

from django.utils import timezone
from django.utils.http import urlencode
from lxml import etree

from accounts.identity.addresses import with_query
from accounts.identity.models import IdentityProvider
from accounts.identity.saml import keys
from accounts.identity.saml.xml import NAMES, POST, REDIRECT, Element, tag

SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"


def new_id() -> str:
    """Of a message. It may not begin with a digit."""
    return f"_{secrets.token_hex(20)}"


def sign_in_request(provider: IdentityProvider, to: str, back: str) -> tuple[str, Element]:
    """Its id, and the AuthnRequest. Which kind of name is wanted is the provider's choice."""
    made = _message(
        "samlp:AuthnRequest", provider, to, {"AssertionConsumerServiceURL": back, "ProtocolBinding": POST}
    )
    return made.get("ID"), made


def sign_out_request(provider: IdentityProvider, to: str, begun: dict[str, Any]) -> Element:
    """begun: what the session has kept of the one who is named."""
    made = _message("samlp:LogoutRequest", provider, to, {})
    named = etree.SubElement(made, tag("saml:NameID"), begun["name_attributes"])
    named.text = begun["name_id"]
    if begun["sid"]:
        etree.SubElement(made, tag("samlp:SessionIndex")).text = begun["sid"]
    return made


def sign_out_answer(provider: IdentityProvider, to: str, answers: str) -> Element:
    made = _message("samlp:LogoutResponse", provider, to, {"InResponseTo": answers})
    status = etree.SubElement(made, tag("samlp:Status"))
    etree.SubElement(status, tag("samlp:StatusCode"), {"Value": SUCCESS})
    return made


def by_redirect(provider: IdentityProvider, to: str, message: Element, relay_state: str = "") -> str:
    """The address that carries the message, signed where SVQ has a key for that. Raises Unusable."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(etree.tostring(message)) + packer.flush()
    name = "SAMLResponse" if message.tag == tag("samlp:LogoutResponse") else "SAMLRequest"
    said = {name: base64.b64encode(packed).decode()} | ({"RelayState": relay_state} if relay_state else {})
    if provider.own_certificate:
        said["SigAlg"] = keys.RSA_SHA256
        signed = keys.signature(provider, urlencode(said).encode())
        said["Signature"] = base64.b64encode(signed).decode()
    return with_query(to, said)


def own_metadata(provider: IdentityProvider, called: str, returned: str, ended: str) -> bytes:
    """called: our entity ID. returned, ended: addresses."""
    root = etree.Element(
        tag("md:EntityDescriptor"), {"entityID": called}, {"md": NAMES["md"], "ds": NAMES["ds"]}
    )
    signs = "true" if provider.own_certificate else "false"
    told = {
        "AuthnRequestsSigned": signs,
        "WantAssertionsSigned": "true",
        "protocolSupportEnumeration": NAMES["samlp"],
    }
    role = etree.SubElement(root, tag("md:SPSSODescriptor"), told)
    if provider.own_certificate:
        key = etree.SubElement(role, tag("md:KeyDescriptor"), {"use": "signing"})
        data = etree.SubElement(etree.SubElement(key, tag("ds:KeyInfo")), tag("ds:X509Data"))
        body = "".join(provider.own_certificate.splitlines()[1:-1])
        etree.SubElement(data, tag("ds:X509Certificate")).text = body
    etree.SubElement(role, tag("md:SingleLogoutService"), {"Binding": REDIRECT, "Location": ended})
    service = {"Binding": POST, "Location": returned, "index": "0", "isDefault": "true"}
    etree.SubElement(role, tag("md:AssertionConsumerService"), service)
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return content


def _message(kind: str, provider: IdentityProvider, to: str, more: dict[str, str]) -> Element:
    told = {
        "ID": new_id(),
        "Version": "2.0",
        "IssueInstant": timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "Destination": to,
    }
    made = etree.Element(tag(kind), told | more, {"samlp": NAMES["samlp"], "saml": NAMES["saml"]})
    etree.SubElement(made, tag("saml:Issuer")).text = provider.client_id
    return made
