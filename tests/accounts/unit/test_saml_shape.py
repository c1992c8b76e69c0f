"""What an answer has to look like before its signatures are verified: each rule by itself, by its words.

That forgeries are refused is in the tests of whole sign-ins; there python3-saml refuses most of them, too.
"""

from collections.abc import Callable
from typing import Any

import pytest
import xmlsec
from lxml import etree

from accounts.identity.refusals import Refused
from accounts.identity.saml.shape import assertion_in
from accounts.identity.saml.xml import parse, text
from tests.accounts import saml_forgeries as forged
from tests.accounts.saml_forgeries import Forgery, good, of
from tests.accounts.saml_server import KEY, Asked, SamlServer, add, serialised, sign

ASKED = Asked("_asked", "https://svq.example/returned/", "svq")


@pytest.fixture
def server() -> SamlServer:
    made = SamlServer()
    made.entity_id = "https://login.arden.example"
    return made


def changed(change: Callable[[Any], None]) -> Forgery:
    def made(server: SamlServer, asked: Asked) -> bytes:
        response = good(server, asked)
        change(response)
        return serialised(response)

    return made


def to_the_status(response: Any) -> None:
    of(response, "samlp:Status").append(of(response, "ds:Signature"))


def of_the_response(response: Any) -> None:
    """A signature of the response that refers to the assertion."""
    signature = xmlsec.template.create(
        response, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.RSA_SHA256, ns="ds"
    )
    response.insert(1, signature)
    uri = f"#{of(response, 'saml:Assertion').get('ID')}"
    xmlsec.template.add_reference(signature, xmlsec.Transform.SHA256, uri=uri)


def refers_to_all(response: Any) -> None:
    of(response, "ds:Reference").set("URI", "")


def refers_twice(response: Any) -> None:
    reference = of(response, "ds:Reference")
    add(of(response, "ds:SignedInfo"), "ds:Reference", {"URI": reference.get("URI")})


def with_an_object(response: Any) -> None:
    add(of(response, "ds:Signature"), "ds:Object")


def with_the_id_of_its_assertion(response: Any) -> None:
    response.set("ID", of(response, "saml:Assertion").get("ID"))


def with_another_kind_of_id(response: Any) -> None:
    of(response, "samlp:Status").set("Id", "_x")


def signed_twice(response: Any) -> None:
    sign(response, KEY)


def listing_namespaces(response: Any) -> None:
    transforms = of(response, "ds:Reference").iter("{*}Transform")
    add(list(transforms)[-1], "ec:InclusiveNamespaces", {"PrefixList": "a " * 1_000})


def transformed_again(response: Any) -> None:
    transforms = of(response, "ds:Transforms")
    add(transforms, "ds:Transform", {"Algorithm": list(transforms)[-1].get("Algorithm")})


def with_a_list_of_something(response: Any) -> None:
    add(of(response, "ds:CanonicalizationMethod"), "ec:InclusiveNamespaces", {"PrefixList": "xs"})


def deep(response: Any) -> None:
    node = of(response, "samlp:Status")
    for _ in range(30):
        node = add(node, "samlp:StatusDetail")


def wide(response: Any) -> None:
    for _ in range(20_001):
        add(of(response, "samlp:Status"), "samlp:StatusDetail")


REFUSED = {
    "a list of namespaces that costs minutes": (changed(listing_namespaces), "lists too many namespaces"),
    "the same transformation twice": (changed(transformed_again), "made in a way that is not taken here"),
    "an ordering with more to it": (changed(with_a_list_of_something), "says more of how it is made"),
    "deep": (changed(deep), "too deep"),
    "wide": (changed(wide), "too many elements"),
    "unsigned": (forged.unsigned, "its assertion is not signed"),
    "only the response is signed": (forged.response_signed, "its assertion is not signed"),
    "signed twice": (changed(signed_twice), "its assertion is not signed"),
    "two": (forged.two_assertions, "it has 2 assertions"),
    "one within the other": (forged.evil_around, "it has 2 assertions"),
    "in another place": (
        changed(lambda response: of(response, "samlp:Status").append(of(response, "saml:Assertion"))),
        "or one in another place",
    ),
    "encrypted": (forged.encrypted, "its assertion is encrypted"),
    "no response": (lambda server, asked: b"<Assertion/>", "it is no answer to a sign-in"),
    "an ID twice": (changed(with_the_id_of_its_assertion), "an ID in it is there twice"),
    "another kind of ID": (changed(with_another_kind_of_id), "or of another kind"),
    "its signature elsewhere": (changed(to_the_status), "a signature is in another place"),
    "another's reference": (changed(of_the_response), "refers to something else"),
    "a reference to all": (changed(refers_to_all), "refers to something else"),
    "two references": (changed(refers_twice), "refers to something else"),
    "an object": (changed(with_an_object), "a signature has contents of its own"),
    "SHA-1": (forged.old_algorithm, "made in a way that is not taken here.*sha1"),
    "a secret": (forged.by_the_public_key, "made in a way that is not taken here.*hmac"),
    "an XPath": (forged.transformed, "made in a way that is not taken here.*xpath"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_answer_of_another_shape_is_refused(what: str, server: SamlServer) -> None:
    forgery, words = REFUSED[what]
    with pytest.raises(Refused, match=words):
        assertion_in(parse(forgery(server, ASKED)))


def test_an_answer_as_providers_send_it_is_taken(server: SamlServer) -> None:
    for made in (good(server, ASKED), sign(good(server, ASKED), KEY, "samlp:Response")):
        assert assertion_in(parse(serialised(made))).get("ID") == of(made, "saml:Assertion").get("ID")


def test_a_document_type_is_refused_and_a_comment_hides_nothing() -> None:
    for subset in ("", '<!ENTITY x SYSTEM "file:///etc/passwd">', forged.million_laughs()):
        with pytest.raises(Refused, match="not valid XML"):
            parse(f"<!DOCTYPE x [{subset}]><x/>".encode())
    node = etree.fromstring("<x> admin@arden.example<!-- -->.<?y z?><b>evil</b>.example </x>")
    assert text(node) == "admin@arden.example.evil.example"
