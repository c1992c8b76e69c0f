"""What an answer says of a person, in the words that are the same for every kind of provider."""

from collections.abc import Iterable

from accounts.identity.admission import Claims, address_in, is_subject
from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Refused
from accounts.identity.saml.answers import Answer

_FORMAT = "urn:oasis:names:tc:SAML:"
OF_ONE_TIME = f"{_FORMAT}2.0:nameid-format:transient"
AN_ADDRESS = f"{_FORMAT}1.1:nameid-format:emailAddress"
_SOAP = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"
# As Entra ID, Okta, Keycloak, Google Workspace, ADFS and Shibboleth call them.
ADDRESSES = (
    f"{_SOAP}/emailaddress",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "email",
    "mail",
    "emailAddress",
    "Email",
)
NAMES = (
    "http://schemas.microsoft.com/identity/claims/displayname",
    "urn:oid:2.16.840.1.113730.3.1.241",
    *("displayName", "display_name", "name", "cn"),
)
FIRST_NAMES = (f"{_SOAP}/givenname", "urn:oid:2.5.4.42", "givenName", "firstName", "first_name")
LAST_NAMES = (f"{_SOAP}/surname", "urn:oid:2.5.4.4", "sn", "surname", "lastName", "last_name")


def claims_in(provider: IdentityProvider, answer: Answer) -> Claims:
    """Raises Refused."""
    given = answer.attributes
    claims: Claims = {provider.group_claim: [one.strip() for one in given.get(provider.group_claim, [])]}
    claims |= {"sub": _subject(provider, answer), "name": _name(provider, given)}
    address = _first(given, [provider.address_attribute] if provider.address_attribute else ADDRESSES)
    if not address and not provider.address_attribute and answer.name_attributes.get("Format") == AN_ADDRESS:
        address = answer.name.strip()
    claims["email"] = address
    # SAML has no word for a proved address. A firm's provider proves those of the firm's own domains.
    own = address_in(claims)
    claims["email_verified"] = bool(own and provider.domains and provider.takes(own))
    return claims


def _subject(provider: IdentityProvider, answer: Answer) -> str:
    if provider.subject_attribute:
        said = answer.attributes.get(provider.subject_attribute, [])
        name = said[0] if len(said) == 1 else ""
    elif answer.name_attributes.get("Format") == OF_ONE_TIME:
        raise Refused("the name in it (NameID) is another one at each sign-in")
    else:
        name = answer.name
    if not is_subject(name) or name != name.strip():  # else two people could be one
        raise Refused("its subject is not there, too long or not readable")
    return name


def _name(provider: IdentityProvider, given: dict[str, list[str]]) -> str:
    if provider.name_attribute:
        return _first(given, [provider.name_attribute])
    both = f"{_first(given, FIRST_NAMES)} {_first(given, LAST_NAMES)}".strip()
    return _first(given, NAMES) or both


def _first(given: dict[str, list[str]], names: Iterable[str]) -> str:
    return next((value.strip() for name in names for value in given.get(name, []) if value.strip()), "")
