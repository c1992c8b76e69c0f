"""A SAML provider on loopback that says whatever a test wants, also what no honest one would.

    with SamlServer() as server:
        server.name_id = "dora@arden.example"
        server.forge = lambda asked: ...  # the bytes of another answer

Its page for signing in asks nothing: it has a form that sends the answer, as those of others do after a
password.
"""

import base64
import html
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from lxml import etree

from tests.loopback import Loopback, QuietHandler

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
AN_ADDRESS = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
NS = {
    "saml": SAML,
    "samlp": SAMLP,
    "ds": "http://www.w3.org/2000/09/xmldsig#",
    "ec": "http://www.w3.org/2001/10/xml-exc-c14n#",
}


@dataclass(frozen=True)
class Key:
    """A key with the certificate that it has signed itself."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate

    @property
    def pem(self) -> bytes:
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def body(self) -> str:
        """The certificate as it stands in metadata."""
        return base64.b64encode(self.certificate.public_bytes(Encoding.DER)).decode()


def make_key(days: int = 365, bits: int = 2048) -> Key:
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "login.arden.example")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=900)).not_valid_after(now + timedelta(days=days))
    return Key(key, builder.sign(key, hashes.SHA256()))


KEY, OTHER_KEY = make_key(), make_key()


@dataclass(frozen=True)
class Asked:
    """A request to sign in. id, back, audience: empty where nobody has asked."""

    id: str
    back: str
    audience: str


class SamlServer:
    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.name_id, self.format = "d0ra", PERSISTENT
        self.attributes: dict[str, list[str]] = {
            "mail": ["dora@arden.example"],
            "displayName": ["Dora Nowak"],
        }
        self.keys = [KEY]  # in the metadata; the first one signs
        self.wants_signed = False
        self.forge: Callable[[Asked], bytes] | None = None
        self.relay_state = ""
        self.asked: list[dict[str, str]] = []  # the queries of sign-ins and sign-outs
        self.received: list[Any] = []  # their messages

    def __enter__(self) -> "SamlServer":
        server = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                server.get(self)

        self.http = Loopback(Handler)
        self.site = f"http://{self.host}:{self.http.port}"
        self.entity_id = f"{self.site}/entity"
        return self

    def __exit__(self, *args: Any) -> None:
        self.http.stop()

    # --- what it answers ---------------------------------------------------------------------------------
    def get(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        asked = dict(parse_qsl(parts.query))
        if parts.path == "/metadata":
            send(request, self.metadata(), "application/samlmetadata+xml")
        elif parts.path == "/sso":
            self.asked.append(asked)
            self.received.append(unpacked(asked["SAMLRequest"]))
            send(request, self.page(self.request_in(self.received[-1])), "text/html; charset=utf-8")
        elif parts.path == "/slo":
            self.asked.append(asked)
            if "SAMLResponse" in asked:
                self.received.append(unpacked(asked["SAMLResponse"]))
                send(request, "<h1>Signed out everywhere</h1>", "text/html")
            else:
                self.received.append(unpacked(asked["SAMLRequest"]))
                request.send_response(302)
                request.send_header("Location", self.signed_out(self.received[-1]))
                request.end_headers()
        else:
            request.send_error(404)

    def metadata(self) -> str:
        keys = "".join(
            f'<KeyDescriptor use="signing"><KeyInfo xmlns="{NS["ds"]}"><X509Data><X509Certificate>{one.body}'
            "</X509Certificate></X509Data></KeyInfo></KeyDescriptor>"
            for one in self.keys
        )
        redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
        return (
            f'<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{self.entity_id}">'
            f'<IDPSSODescriptor WantAuthnRequestsSigned="{str(self.wants_signed).lower()}" '
            f'protocolSupportEnumeration="{SAMLP}">{keys}'
            f'<SingleLogoutService Binding="{redirect}" Location="{self.site}/slo"/>'
            f'<SingleSignOnService Binding="{redirect}" Location="{self.site}/sso"/>'
            "</IDPSSODescriptor></EntityDescriptor>"
        )

    def request_in(self, message: Any) -> Asked:
        (issuer,) = message.xpath("saml:Issuer", namespaces=NS)
        return Asked(message.get("ID"), message.get("AssertionConsumerServiceURL"), issuer.text)

    def page(self, asked: Asked) -> str:
        """Sends the answer at once."""
        content = self.forge(asked) if self.forge else self.answer(asked)
        fields = {"SAMLResponse": base64.b64encode(content).decode(), "RelayState": self.relay_state}
        inputs = "".join(
            f'<input name="{name}" value="{html.escape(value)}">' for name, value in fields.items()
        )
        return (
            '<body onload="document.forms[0].submit()">'
            f'<form method="post" action="{html.escape(asked.back)}">{inputs}</form></body>'
        )

    def signed_out(self, message: Any) -> str:
        """Where the browser goes after a sign-out that SVQ has asked for."""
        (issuer,) = message.xpath("saml:Issuer", namespaces=NS)
        back = str(issuer.text).replace("/metadata/", "/ended/")
        return f"{back}?{urlencode({'SAMLResponse': packed(f'<LogoutResponse xmlns={SAMLP!r}/>')})}"

    # --- its messages ------------------------------------------------------------------------------------
    def answer(self, asked: Asked, **others: Any) -> bytes:
        return serialised(sign(self.unsigned(asked, **others), self.keys[0]))

    def unsigned(self, asked: Asked, **others: Any) -> Any:
        """A response. others: what is said in place of the truth; None: it is left out."""
        now = datetime.now(UTC)
        said: dict[str, Any] = {
            "issuer": self.entity_id,
            "audience": asked.audience,
            "recipient": asked.back,
            "destination": asked.back,
            "in_response_to": asked.id or None,
            "answers": asked.id or None,  # as the response says, which is not signed
            "starts": now - timedelta(seconds=30),
            "ends": now + timedelta(minutes=5),
            "confirmed_until": now + timedelta(minutes=5),
            "method": BEARER,
            "status": SUCCESS,
            "name_id": self.name_id,
            "session": "s1",
        } | others
        response = element(
            "samlp:Response",
            {
                "ID": f"_{number()}",
                "Version": "2.0",
                "IssueInstant": time(now),
                "Destination": said["destination"],
                "InResponseTo": said["answers"],
            },
        )
        add(response, "saml:Issuer", text=said["issuer"])
        add(add(response, "samlp:Status"), "samlp:StatusCode", {"Value": said["status"]})
        told = {"ID": f"_{number()}", "Version": "2.0", "IssueInstant": time(now)}
        assertion = add(response, "saml:Assertion", told)
        add(assertion, "saml:Issuer", text=said["issuer"])
        subject = add(assertion, "saml:Subject")
        add(subject, "saml:NameID", {"Format": self.format}, said["name_id"])
        data = {
            "Recipient": said["recipient"],
            "NotOnOrAfter": said["confirmed_until"] and time(said["confirmed_until"]),
            "InResponseTo": said["in_response_to"],
        }
        confirmation = add(subject, "saml:SubjectConfirmation", {"Method": said["method"]})
        add(confirmation, "saml:SubjectConfirmationData", data)
        ends = said["ends"] and time(said["ends"])
        conditions = add(
            assertion, "saml:Conditions", {"NotBefore": time(said["starts"]), "NotOnOrAfter": ends}
        )
        if said["audience"] is not None:
            add(add(conditions, "saml:AudienceRestriction"), "saml:Audience", text=said["audience"])
        statement = add(
            assertion, "saml:AuthnStatement", {"AuthnInstant": time(now), "SessionIndex": said["session"]}
        )
        context = add(statement, "saml:AuthnContext")
        add(context, "saml:AuthnContextClassRef", text="urn:oasis:names:tc:SAML:2.0:ac:classes:Password")
        if self.attributes:
            attributes = add(assertion, "saml:AttributeStatement")
            for name, values in self.attributes.items():
                one = add(attributes, "saml:Attribute", {"Name": name})
                for value in values:
                    add(one, "saml:AttributeValue", text=value)
        return response

    def sign_out_request(self, to: str, key: Key | None = None, relay_state: str = "", **others: Any) -> str:
        """The address by which the browser says that somebody has signed out here."""
        said: dict[str, Any] = {
            "issuer": self.entity_id,
            "name_id": self.name_id,
            "destination": to,
            "made": datetime.now(UTC),
            "session": None,
        } | others
        told = {
            "ID": said.get("id", f"_{number()}"),
            "Version": "2.0",
            "IssueInstant": time(said["made"]),
            "Destination": said["destination"],
        }
        message = element("samlp:LogoutRequest", told)
        add(message, "saml:Issuer", text=said["issuer"])
        add(message, "saml:NameID", {"Format": self.format}, said["name_id"])
        if said["session"]:
            add(message, "samlp:SessionIndex", text=said["session"])
        query = {"SAMLRequest": packed(serialised(message).decode() + " " * said.get("spaces", 0))}
        if relay_state:
            query["RelayState"] = relay_state
        return f"{to}?{signed_query(query, key or self.keys[0])}"


def signed_query(query: dict[str, str], key: Key) -> str:
    text = urlencode(query | {"SigAlg": RSA_SHA256})
    signature = key.key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{text}&Signature={quote_plus(base64.b64encode(signature))}"


def sign(
    response: Any,
    key: Key,
    what: str = "saml:Assertion",
    *,
    method: Any = xmlsec.Transform.RSA_SHA256,
    digest: Any = xmlsec.Transform.SHA256,
    shows_certificate: bool = False,
) -> Any:
    """what: the element that gets the signature; the first one of that name."""
    node = response.xpath(f"descendant-or-self::{what}", namespaces=NS)[0]
    signature = xmlsec.template.create(node, xmlsec.Transform.EXCL_C14N, method, ns="ds")
    node.insert(1, signature)  # after the issuer, as the schema wants it
    reference = xmlsec.template.add_reference(signature, digest, uri=f"#{node.get('ID')}")
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    xmlsec.template.add_transform(reference, xmlsec.Transform.EXCL_C14N)
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(key.pem, xmlsec.KeyFormat.PEM)
    if shows_certificate:
        xmlsec.template.x509_data_add_certificate(
            xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(signature))
        )
        certificate = key.certificate.public_bytes(Encoding.PEM)
        context.key.load_cert_from_memory(certificate, xmlsec.KeyFormat.PEM)
    xmlsec.tree.add_ids(response, ["ID"])
    context.sign(signature)
    return response


def element(name: str, attributes: dict[str, Any] | None = None) -> Any:
    prefix, _, local = name.partition(":")
    told = {key: value for key, value in (attributes or {}).items() if value is not None}
    return etree.Element(f"{{{NS[prefix]}}}{local}", told, {"saml": SAML, "samlp": SAMLP})


def add(parent: Any, name: str, attributes: dict[str, Any] | None = None, text: str | None = None) -> Any:
    made = element(name, attributes)
    made.text = text
    parent.append(made)
    return made


def serialised(message: Any) -> bytes:
    content: bytes = etree.tostring(message)
    return content


def packed(message: str) -> str:
    packer = zlib.compressobj(wbits=-15)
    return base64.b64encode(packer.compress(message.encode()) + packer.flush()).decode()


def unpacked(text: str) -> Any:
    return etree.fromstring(zlib.decompress(base64.b64decode(text), -15))


def time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def number() -> str:
    return f"{x509.random_serial_number():x}"


def send(request: BaseHTTPRequestHandler, body: str, kind: str) -> None:
    content = body.encode()
    request.send_response(200)
    request.send_header("Content-Type", kind)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content)
