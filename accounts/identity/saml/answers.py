"""An answer of a provider: who has signed in, if everything about it is right.

python3-saml verifies the signatures and compares the answer with SAML's schema. Much that the standard lets
be left out, it takes as right when it is left out; what is read here has to be there.
"""

import base64
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import xmlsec
from django.utils import timezone
from lxml import etree
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.settings import OneLogin_Saml2_Settings

from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Refused
from accounts.identity.saml.metadata import Metadata, pem
from accounts.identity.saml.shape import assertion_in
from accounts.identity.saml.xml import POST, REDIRECT, Element, find, moment, parse, text, whole

LARGEST = 512 * 1024  # characters of an answer, where SVQ_MAX_ANONYMOUS_KB lets that many in
LONGEST = timedelta(days=1)  # that an answer counts: providers give minutes
LEEWAY = timedelta(seconds=60)  # by which two clocks may differ
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """ends: when it counts no more, if it was never used. in_response_to: the id of our request; empty where
    nobody here has asked. session: what the provider calls the session that has begun there.
    """

    assertion: str
    ends: datetime
    in_response_to: str
    name: str
    name_attributes: dict[str, str]
    session: str
    attributes: dict[str, list[str]]


def check_shape(encoded: str) -> None:
    """Raises Refused."""
    if len(encoded) > LARGEST:
        raise Refused(f"it has {len(encoded):,} characters")
    try:
        assertion_in(parse(base64.b64decode("".join(encoded.split()), validate=True)))
    except (ValueError, etree.LxmlError) as error:
        raise Refused(f"it can't be read: {error}") from error


def read(provider: IdentityProvider, metadata: Metadata, encoded: str, here: str) -> Answer:
    """Of one whose shape is checked. here: the address that it came to. Raises Refused."""
    try:
        response = OneLogin_Saml2_Response(_settings(provider, metadata, here), encoded)
        _verify(response, here)
    except (ValueError, etree.LxmlError, xmlsec.Error) as error:
        raise Refused(f"it can't be read: {error}") from error
    except (OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError) as error:
        raise Refused(str(error)) from error
    return _read(provider, response.document, assertion_in(response.document), here)


def _verify(response: OneLogin_Saml2_Response, here: str) -> None:
    """Raises Refused: python3-saml raises whatever comes up, a bare Exception for a time as it knows none."""
    try:
        response.is_valid(_request(here), raise_exceptions=True)
    except Exception as error:
        raise Refused(str(error)) from error


def _read(provider: IdentityProvider, response: Element, assertion: Element, here: str) -> Answer:
    """Of what is signed by now, as far as it is for us and for this moment."""
    if response.get("Destination", here) != here:
        raise Refused(f"it was sent to {response.get('Destination')!r}, not to {here!r}")
    ends = [_conditions_met(provider, assertion)]
    confirmed = [
        one for one in find(assertion, "saml:Subject/saml:SubjectConfirmation") if one.get("Method") == BEARER
    ]
    if len(confirmed) != 1:
        raise Refused(f"it has {len(confirmed)} confirmations of its subject")
    data = find(confirmed[0], "saml:SubjectConfirmationData")
    if not data or data[0].get("Recipient") != here:
        raise Refused(f"its recipient is {data and data[0].get('Recipient')!r}, not {here!r}")
    ends.append(_within(data[0], "its confirmation"))
    (statement,) = find(assertion, "saml:AuthnStatement")
    names = find(assertion, "saml:Subject/saml:NameID")
    return Answer(
        assertion=assertion.get("ID"),
        ends=_soon_enough(min(ends)),
        in_response_to=data[0].get("InResponseTo", ""),  # the response's own is not always signed
        name=whole(names[0]) if names else "",
        name_attributes=dict(names[0].attrib) if names else {},
        session=statement.get("SessionIndex", ""),
        attributes=_attributes(assertion),
    )


def _soon_enough(ends: datetime) -> datetime:
    """As long it is kept that the assertion was used."""
    if ends - timezone.now() > LONGEST:
        raise Refused(f"it would count until {ends}, which is longer than a day")
    return ends


def _conditions_met(provider: IdentityProvider, assertion: Element) -> datetime:
    """Until when."""
    (conditions,) = find(assertion, "saml:Conditions")
    restrictions = find(conditions, "saml:AudienceRestriction")
    for restriction in restrictions:
        audiences = [text(one) for one in find(restriction, "saml:Audience")]
        if provider.client_id not in audiences:
            raise Refused(f"it is for {', '.join(audiences)[:200]!r}")
    if not restrictions:
        raise Refused("it does not say for whom it is")
    return _within(conditions, "the assertion")


def _within(node: Element, what: str) -> datetime:
    now = timezone.now()
    if not node.get("NotOnOrAfter"):
        raise Refused(f"{what} has no end")
    ends = moment(node.get("NotOnOrAfter"))
    if ends <= now - LEEWAY:
        raise Refused(f"{what} ended at {ends}")
    if node.get("NotBefore") and moment(node.get("NotBefore")) > now + LEEWAY:
        raise Refused(f"{what} does not count before {node.get('NotBefore')}")
    return ends


def _attributes(assertion: Element) -> dict[str, list[str]]:
    """By their names, and by their friendly ones where these are no other's name."""
    found: dict[str, list[str]] = {}
    friendly: dict[str, list[str]] = {}
    for one in find(assertion, "saml:AttributeStatement/saml:Attribute"):
        values = [whole(value) for value in find(one, "saml:AttributeValue")]
        found.setdefault(one.get("Name"), []).extend(values)
        if one.get("FriendlyName"):
            friendly.setdefault(one.get("FriendlyName"), []).extend(values)
    return friendly | found


def _settings(provider: IdentityProvider, metadata: Metadata, here: str) -> OneLogin_Saml2_Settings:
    told: dict[str, Any] = {
        "strict": True,
        "sp": {
            "entityId": provider.client_id,
            "assertionConsumerService": {"url": here, "binding": POST},
        },
        "idp": {
            "entityId": metadata.issuer,
            "singleSignOnService": {"url": metadata.sign_in, "binding": REDIRECT},
            "x509certMulti": {"signing": [pem(one) for one in metadata.certificates]},
        },
        "security": {
            # The assertion, not the response around it: what is read was signed. `shape` asks it, too.
            "wantAssertionsSigned": True,
            "wantAttributeStatement": False,
            "wantNameId": False,  # where an attribute says who it is, there may be none
            "requestedAuthnContext": False,
            "rejectDeprecatedAlgorithm": True,
            "allowRepeatAttributeName": True,
            "allowSingleLabelDomains": True,
        },
    }
    return OneLogin_Saml2_Settings(settings=told)


def _request(here: str) -> dict[str, Any]:
    parts = urlsplit(here)
    return {
        "https": "on" if parts.scheme == "https" else "off",
        "http_host": parts.netloc,
        "script_name": "",
        "path_info": parts.path,
        "get_data": {},
        "post_data": {},
    }
