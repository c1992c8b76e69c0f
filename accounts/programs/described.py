"""What programs say of themselves: as they register (RFC 7591), or in a document at the address of their id.

Neither is believed: the name is a claim, and for a document its host stands beside it.
"""

import unicodedata
from typing import Any
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.programs.addresses import may_be_sent_to
from accounts.programs.models import Program
from text.normal_forms.clean_form import is_seen, one_line

LONGEST_NAME = 100
MOST_MARKS = 2  # on a letter of a name
MOST_ADDRESSES = 20
MOST_WAITING = 1000  # programs that have registered and that nobody has let in yet


@transaction.atomic
def register(said: object) -> Program:
    """Raises ValidationError; its code is OAuth's."""
    name, addresses = _checked(said)
    _make_room()
    return Program.objects.create(client_id=uuid4().hex, name=name, redirect_uris=addresses)


def _make_room() -> None:
    """Of too many, the oldest that nobody is about to let in goes: whoever registers many keeps nobody else
    out. Raises ValidationError.
    """
    waiting = Program.objects.filter(document_read=None, grants=None)
    if waiting.count() < MOST_WAITING:
        return
    oldest = waiting.filter(codes=None).order_by("created", "pk").first()
    if oldest is not None:
        oldest.delete()
    else:
        raise ValidationError(
            _("Too many programs have registered of late and were not let in. Try again tomorrow."),
            code="temporarily_unavailable",
        )


@transaction.atomic
def describe(client_id: str, said: object) -> Program:
    """By its document. Raises ValidationError."""
    if not isinstance(said, dict) or said.get("client_id") != client_id:
        raise _wrong(_("The document is not about this program: its client_id is another one."))
    # One that could sign is not asked to: what it proves by its address and by PKCE is asked of all programs.
    if said.get("token_endpoint_auth_method", "none") not in ("none", "private_key_jwt"):
        raise _wrong(_("The document asks for a secret, which cannot be kept in one that everybody reads."))
    if "client_secret" in said:
        raise _wrong(_("The document has a secret, which everybody can read."))
    name, addresses = _checked(said)
    told = {"name": name, "redirect_uris": addresses, "document_read": timezone.now()}
    return Program.objects.update_or_create(client_id=client_id, defaults=told)[0]


def _checked(said: object) -> tuple[str, list[str]]:
    """The name and the addresses that it may be sent to; others are left out. Raises ValidationError."""
    if not isinstance(said, dict):
        raise _wrong(_("What a program says of itself is a JSON object."))
    _check_kinds(said)
    listed = said.get("redirect_uris")
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise _wrong(_("redirect_uris has to be a list of addresses."), "invalid_redirect_uri")
    allowed = [one for one in dict.fromkeys(listed[:MOST_ADDRESSES]) if may_be_sent_to(one)]
    if not allowed:
        raise _wrong(
            _("None of the redirect_uris begins with https://, or with http:// and this computer's name."),
            "invalid_redirect_uri",
        )
    return _name(said.get("client_name"), allowed[0]), allowed


def _check_kinds(said: dict[str, Any]) -> None:
    for field, needed in (("grant_types", "authorization_code"), ("response_types", "code")):
        given = said.get(field, [needed])
        if not isinstance(given, list) or needed not in given:
            raise _wrong(
                _("{field} has to have {needed} in it: nothing else is given here.").format(
                    field=field, needed=needed
                )
            )


def _name(given: object, address: str) -> str:
    """What people read. One that says nothing is called by where it is sent."""
    name = _with_few_marks(one_line(given))[:LONGEST_NAME] if isinstance(given, str) else ""
    return name if is_seen(name) else address[:LONGEST_NAME]


def _with_few_marks(name: str) -> str:
    """More on one letter than words have reach over what stands above and below."""
    kept, marks = "", 0
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        kept += sign if marks <= MOST_MARKS else ""
    return kept


def _wrong(sentence: str, code: str = "invalid_client_metadata") -> ValidationError:
    return ValidationError(sentence, code=code)
