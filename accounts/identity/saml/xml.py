"""Reading XML that somebody else has written: no document types, no entities, nothing from elsewhere."""

from datetime import UTC, datetime
from typing import Any

from lxml import etree
from onelogin.saml2.xmlparser import fromstring

from accounts.identity.refusals import Refused

NAMES = {
    "md": "urn:oasis:names:tc:SAML:2.0:metadata",
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
    "ec": "http://www.w3.org/2001/10/xml-exc-c14n#",
}
REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"  # what most algorithms of signatures begin with
Element = Any  # lxml has no types


def parse(content: bytes) -> Element:
    """Raises Refused."""
    try:
        return fromstring(content, forbid_dtd=True)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Refused("it is not valid XML") from error


def tag(name: str) -> str:
    """As lxml writes it. name: with its prefix, such as "saml:Issuer"."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMES[prefix]}}}{local}"


def find(node: Element, path: str) -> Any:
    """The elements or attributes, or what else an expression gives."""
    return node.xpath(path, namespaces=NAMES)


def text(node: Element) -> str:
    """Without spaces around it."""
    return whole(node).strip()


def whole(node: Element) -> str:
    """All of it. What lxml calls the text ends at the first comment or element, and would make
    admin@arden.example<!-- -->.evil.example an administrator's.
    """
    return str(node.xpath("string()"))


def moment(said: str) -> datetime:
    """Raises Refused."""
    try:
        found = datetime.fromisoformat(said)
    except ValueError as error:
        raise Refused(f"{said[:40]!r} is no time") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
