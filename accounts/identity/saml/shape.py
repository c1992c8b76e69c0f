"""What a signed answer has to look like before anybody looks at its signatures.

A signature says that what it refers to was not changed. That this is the assertion that is read, and nothing
beside it, is for us to see: one assertion in its place, one signature in it, which refers to it and to
nothing else, and no transformation that could make something else of it.
"""

from accounts.identity.refusals import Refused
from accounts.identity.saml.xml import MORE, NAMES, Element, find, tag

EXCLUSIVE = NAMES["ec"]  # canonicalization
TRANSFORMS = {"http://www.w3.org/2000/09/xmldsig#enveloped-signature", EXCLUSIVE}
ORDERINGS = {EXCLUSIVE, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"}  # of what is signed
SIGNATURES = {f"{MORE}rsa-sha{bits}" for bits in (256, 384, 512)}
LONGEST_LIST = 200  # characters; libxml2 looks up each prefix in it for each element
MOST_ELEMENTS, DEEPEST = 20_000, 20
DIGESTS = {
    "http://www.w3.org/2001/04/xmlenc#sha256",
    f"{MORE}sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
}


def assertion_in(root: Element) -> Element:
    """The one assertion of a response, which has a signature of its own. Raises Refused."""
    if root.tag != tag("samlp:Response"):
        raise Refused("it is no answer to a sign-in")
    if find(root, "count(//*)") > MOST_ELEMENTS or find(root, f"boolean({'*/' * DEEPEST}*)"):
        raise Refused("it has too many elements, or too deep ones")
    if find(root, "//saml:EncryptedAssertion"):
        raise Refused("its assertion is encrypted, which has to be switched off at the provider")
    found = find(root, "//saml:Assertion")
    if len(found) != 1 or found[0].getparent() is not root:
        raise Refused(f"it has {len(found)} assertions, or one in another place")
    ids = find(root, "//@ID")
    if len(ids) != len(set(ids)) or find(root, "//@Id | //@id | //@xml:id"):
        raise Refused("an ID in it is there twice, or of another kind")
    signatures = find(root, "//ds:Signature")
    for signature in signatures:
        if signature.getparent() not in (root, found[0]):
            raise Refused("a signature is in another place")
        _check(signature)
    if len([one for one in signatures if one.getparent() is found[0]]) != 1:
        raise Refused("its assertion is not signed")
    if len(signatures) > 2:
        raise Refused("it is signed more than once")
    return found[0]


def _check(signature: Element) -> None:
    references = find(signature, ".//ds:Reference")
    if len(references) != 1 or references[0].get("URI") != f"#{signature.getparent().get('ID')}":
        raise Refused("a signature refers to something else than where it is")
    for path, allowed in (
        ("ds:SignedInfo/ds:CanonicalizationMethod", ORDERINGS),
        ("ds:SignedInfo/ds:SignatureMethod", SIGNATURES),
        ("ds:SignedInfo/ds:Reference/ds:Transforms/ds:Transform", TRANSFORMS),
        ("ds:SignedInfo/ds:Reference/ds:DigestMethod", DIGESTS),
    ):
        said = [node.get("Algorithm") for node in find(signature, path)]
        if not said or len(said) != len(set(said)) or not allowed.issuperset(said):
            raise Refused(
                f"a signature is made in a way that is not taken here: {', '.join(map(str, said))[:200]}"
            )
    if find(
        signature,
        "ds:SignedInfo/ds:CanonicalizationMethod/* | .//ds:Transform/*[not(self::ec:InclusiveNamespaces)]",
    ):
        raise Refused("a signature says more of how it is made than is taken here")
    listed = find(signature, ".//ec:InclusiveNamespaces")
    if len(listed) > 1 or any(len(one.get("PrefixList", "")) > LONGEST_LIST for one in listed):
        raise Refused("a signature lists too many namespaces")
    if find(signature, "ds:Object"):
        raise Refused("a signature has contents of its own")
