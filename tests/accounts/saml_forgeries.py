"""Answers that a SAML provider never gave: what each of them makes of the provider's own."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import xmlsec

from tests.accounts.saml_server import (
    KEY,
    NS,
    OTHER_KEY,
    TRANSIENT,
    Asked,
    SamlServer,
    add,
    element,
    serialised,
    sign,
)

Forgery = Callable[[SamlServer, Asked], bytes]
EVIL = "adm1n"


def changed(**others: Any) -> Forgery:
    """others: see `SamlServer.unsigned`; times as so many minutes ago, when it is made."""

    def made(server: SamlServer, asked: Asked) -> bytes:
        now = datetime.now(UTC)
        said = {
            name: now - timedelta(minutes=one) if isinstance(one, int) else one
            for name, one in others.items()
        }
        return server.answer(asked, **said)

    return made


def of(response: Any, name: str) -> Any:
    return response.xpath(f"descendant-or-self::{name}", namespaces=NS)[0]


def evil_copy(response: Any, *, signed: bool = False) -> Any:
    """The assertion with somebody else's name, under another ID."""
    copied = copy.deepcopy(of(response, "saml:Assertion"))
    copied.set("ID", "_evil")
    of(copied, "saml:NameID").text = EVIL
    if not signed:
        copied.remove(of(copied, "ds:Signature"))
    return copied


def good(server: SamlServer, asked: Asked) -> Any:
    return sign(server.unsigned(asked), KEY)


def another_key(server: SamlServer, asked: Asked) -> bytes:
    return serialised(sign(server.unsigned(asked), OTHER_KEY))


def another_key_shown(server: SamlServer, asked: Asked) -> bytes:
    """With its own certificate beside the signature, as if that were to be believed."""
    return serialised(sign(server.unsigned(asked), OTHER_KEY, shows_certificate=True))


def unsigned(server: SamlServer, asked: Asked) -> bytes:
    return serialised(server.unsigned(asked))


def response_signed(server: SamlServer, asked: Asked) -> bytes:
    return serialised(sign(server.unsigned(asked), KEY, "samlp:Response"))


def old_algorithm(server: SamlServer, asked: Asked) -> bytes:
    method, digest = xmlsec.Transform.RSA_SHA1, xmlsec.Transform.SHA1
    return serialised(sign(server.unsigned(asked), KEY, method=method, digest=digest))


def by_the_public_key(server: SamlServer, asked: Asked) -> bytes:
    """HMAC with what everybody knows."""
    response = server.unsigned(asked)
    node = of(response, "saml:Assertion")
    signature = xmlsec.template.create(
        node, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.HMAC_SHA256, ns="ds"
    )
    node.insert(1, signature)
    reference = xmlsec.template.add_reference(signature, xmlsec.Transform.SHA256, uri=f"#{node.get('ID')}")
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_binary_data(xmlsec.KeyData.HMAC, KEY.body.encode())
    xmlsec.tree.add_ids(response, ["ID"])
    context.sign(signature)
    return serialised(response)


def altered(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    of(response, "saml:NameID").text = EVIL
    return serialised(response)


def signature_emptied(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    of(response, "ds:SignatureValue").text = ""
    of(response, "saml:NameID").text = EVIL
    return serialised(response)


def evil_before(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    response.insert(2, evil_copy(response))
    return serialised(response)


def evil_after(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    response.append(evil_copy(response))
    return serialised(response)


def evil_around(server: SamlServer, asked: Asked) -> bytes:
    """The signed one is within the other, as advice to it."""
    response = good(server, asked)
    signed = of(response, "saml:Assertion")
    evil = evil_copy(response)
    response.replace(signed, evil)
    advice = element("saml:Advice")
    advice.append(signed)
    evil.insert(3, advice)
    return serialised(response)


def evil_around_with_the_signature(server: SamlServer, asked: Asked) -> bytes:
    """The other one has the signature in its place, which refers to what is within."""
    response = good(server, asked)
    signed = of(response, "saml:Assertion")
    evil = evil_copy(response, signed=True)
    response.replace(signed, evil)
    signed.remove(of(signed, "ds:Signature"))
    held = add(of(evil, "ds:Signature"), "ds:Object")
    held.append(signed)
    return serialised(response)


def signed_in_extensions(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    signed = of(response, "saml:Assertion")
    evil = evil_copy(response)
    response.replace(signed, evil)
    extensions = element("samlp:Extensions")
    extensions.append(signed)
    response.insert(1, extensions)
    return serialised(response)


def same_id_twice(server: SamlServer, asked: Asked) -> bytes:
    response = good(server, asked)
    evil = evil_copy(response)
    evil.set("ID", of(response, "saml:Assertion").get("ID"))
    response.insert(2, evil)
    return serialised(response)


def response_within_a_response(server: SamlServer, asked: Asked) -> bytes:
    inner = sign(good(server, asked), KEY, "samlp:Response")
    outer = copy.deepcopy(inner)
    outer.set("ID", "_outer")
    evil = of(outer, "saml:Assertion")
    evil.set("ID", "_evil")
    of(evil, "saml:NameID").text = EVIL
    held = add(of(outer, "ds:Signature"), "ds:Object")
    held.append(inner)
    return serialised(outer)


def two_assertions(server: SamlServer, asked: Asked) -> bytes:
    """Both signed by the provider itself."""
    response, other = good(server, asked), good(server, asked)
    response.append(of(other, "saml:Assertion"))
    return serialised(response)


def transformed(server: SamlServer, asked: Asked) -> bytes:
    """The signature is the provider's own, over what an XPath leaves of the assertion: not the name."""
    response = server.unsigned(asked)
    node = of(response, "saml:Assertion")
    signature = xmlsec.template.create(node, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.RSA_SHA256, ns="ds")
    node.insert(1, signature)
    reference = xmlsec.template.add_reference(signature, xmlsec.Transform.SHA256, uri=f"#{node.get('ID')}")
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    step = xmlsec.template.add_transform(reference, xmlsec.Transform.XPATH)
    add(step, "ds:XPath", text="not(ancestor-or-self::*[local-name()='Subject'])")
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(KEY.pem, xmlsec.KeyFormat.PEM)
    xmlsec.tree.add_ids(response, ["ID"])
    context.sign(signature)
    of(response, "saml:NameID").text = EVIL
    return serialised(response)


def for_others_too(server: SamlServer, asked: Asked) -> bytes:
    """Each restriction has to name us: it is for those whom all of them name."""
    response = server.unsigned(asked)
    restriction = add(of(response, "saml:Conditions"), "saml:AudienceRestriction")
    add(restriction, "saml:Audience", text="https://other.example/metadata")
    return serialised(sign(response, KEY))


def confirmed_for_others_too(server: SamlServer, asked: Asked) -> bytes:
    response = server.unsigned(asked)
    confirmation = copy.deepcopy(of(response, "saml:SubjectConfirmation"))
    of(confirmation, "saml:SubjectConfirmationData").set("Recipient", "https://other.example/acs")
    of(response, "saml:Subject").append(confirmation)
    return serialised(sign(response, KEY))


def with_document_type(subset: str, name: str) -> Forgery:
    def forged(server: SamlServer, asked: Asked) -> bytes:
        content = serialised(good(server, asked)).decode()
        return f"<!DOCTYPE x [{subset}]>{content.replace('>d0ra<', f'>{name}<')}".encode()

    return forged


def million_laughs() -> str:
    rows = [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
    return "".join(['<!ENTITY l0 "laughs">', *rows])


def five_megabytes(server: SamlServer, asked: Asked) -> bytes:
    server.attributes["groups"] = ["x" * 1000] * 5000
    return server.answer(asked)


def half_a_megabyte(server: SamlServer, asked: Asked) -> bytes:
    server.attributes["groups"] = ["x" * 1000] * 420
    return server.answer(asked)


def with_times(end: str, start: str = "") -> Forgery:
    """Signed so by the provider."""

    def made(server: SamlServer, asked: Asked) -> bytes:
        response = server.unsigned(asked)
        conditions = of(response, "saml:Conditions")
        conditions.set("NotOnOrAfter", end)
        if start:
            conditions.set("NotBefore", start)
        of(response, "saml:SubjectConfirmationData").set("NotOnOrAfter", end)
        return serialised(sign(response, KEY))

    return made


def of_one_time(server: SamlServer, asked: Asked) -> bytes:
    server.format = TRANSIENT
    return server.answer(asked)


def not_within_xml(server: SamlServer, asked: Asked) -> bytes:
    return b"<Response"


def encrypted(server: SamlServer, asked: Asked) -> bytes:
    response = server.unsigned(asked)
    response.replace(of(response, "saml:Assertion"), element("saml:EncryptedAssertion"))
    return serialised(response)


LATE, A_LITTLE = 10, 2  # python3-saml gives some times five minutes more
FORGED: dict[str, Forgery] = {
    "unsigned": unsigned,
    "only the response is signed": response_signed,
    "another key": another_key,
    "another key, which is shown": another_key_shown,
    "SHA-1": old_algorithm,
    "signed with the public key": by_the_public_key,
    "altered": altered,
    "without a value of the signature": signature_emptied,
    "wrapped: another assertion before the signed one": evil_before,
    "wrapped: another one after it": evil_after,
    "wrapped: another one around it": evil_around,
    "wrapped: another one with its signature": evil_around_with_the_signature,
    "wrapped: the signed one in an extension": signed_in_extensions,
    "wrapped: two of one ID": same_id_twice,
    "wrapped: a response in a response": response_within_a_response,
    "two assertions": two_assertions,
    "signed after a transformation": transformed,
    "late": changed(ends=LATE, confirmed_until=LATE),
    "its conditions are over": changed(ends=A_LITTLE),
    "its confirmation is over": changed(confirmed_until=LATE),
    "without an end": changed(ends=None),
    "its confirmation has no end": changed(confirmed_until=None),
    "early": changed(starts=-A_LITTLE),
    "for ever": changed(ends=datetime.max, confirmed_until=datetime.max),
    "with an end that is no time": with_times("soon"),
    "with an end of another zone": with_times("9999-12-31T23:59:59-14:00"),
    "since ever": with_times("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"),
    "another audience": changed(audience="https://other.example/metadata"),
    "without an audience": changed(audience=None),
    "for others, too": for_others_too,
    "another recipient": changed(recipient="https://other.example/acs"),
    "a recipient that begins with ours": lambda server, asked: server.answer(
        asked, recipient=f"{asked.back}x/"
    ),
    "without a recipient": changed(recipient=None),
    "another destination": changed(destination="https://other.example/acs"),
    "a destination that begins with ours": lambda server, asked: server.answer(
        asked, destination=f"{asked.back}x/"
    ),
    "another issuer": changed(issuer="https://other.example"),
    "an issuer of two lines": changed(issuer="https://other.example\nA line of the log"),
    "confirmed for others, too": confirmed_for_others_too,
    "not by its bearer": changed(method="urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"),
    "of another sign-in": changed(in_response_to="_other", answers="_other"),
    "of another sign-in in a response to this one": changed(in_response_to="_other"),
    "unasked": changed(in_response_to=None, answers=None),
    "unasked in a response to this one": changed(in_response_to=None),
    "without success": changed(status="urn:oasis:names:tc:SAML:2.0:status:Responder"),
    "without a name": changed(name_id=""),
    "a name with a space behind it": changed(name_id="ada\u3000"),
    "an endless name": changed(name_id="x" * 192),
    "a name of one time": of_one_time,
    "an entity from elsewhere": with_document_type('<!ENTITY x SYSTEM "file:///etc/passwd">', "&x;"),
    "a document type": with_document_type("", "d0ra"),
    "a billion laughs": with_document_type(million_laughs(), "&l9;"),
    "encrypted": encrypted,
    "no XML": not_within_xml,
    "half a megabyte": half_a_megabyte,
}
