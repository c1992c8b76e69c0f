"""Writing into the audit log."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from django.db.models import Model
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import AuditAct, AuditEntry, User
from accounts.sql import query

ADDRESS_SHOWN = 500  # characters
LONGEST_NUMBER = 40
LARGEST_NUMBER = 2**63 - 1
MADE, DOCUMENTS = "audit_made", "audit_documents"
SEEN_AGAIN = 3600  # seconds in which a person's second look at the same address makes no second entry


@runtime_checkable
class Machine(Protocol):
    """What changes things by itself, for nobody in particular: a firm's directory."""

    @property
    def audit_name(self) -> str: ...


Actor = User | Machine


def note(person: Any, act: AuditAct, about: Model, said: str, *, datasource: int | None = None) -> None:
    """That the person, or a machine, has done this to a row. said: to whom, or what exactly. datasource: the
    one that the row is in; None: as it says itself, if it does.
    """
    note_all(person, act, [(about, said)], datasource=datasource)


def note_all(
    person: Any, act: AuditAct, said: Iterable[tuple[Model, str]], *, datasource: int | None = None
) -> None:
    """The same of many rows at once: an entry for each, with what is said of it."""
    who: dict[str, Any] = {}
    if isinstance(person, User):
        who = {"person": person, "email": person.email}
    elif isinstance(person, Machine):
        who = {"token": person.audit_name}
    if who:
        AuditEntry.objects.bulk_create(
            AuditEntry(
                **who,
                act=act,
                subject=about._meta.label,
                number=str(about.pk or ""),
                datasource=datasource or getattr(about, "datasource_id", None),
                address=words[:ADDRESS_SHOWN],
            )
            for about, words in said
        )


def note_thing(
    person: User,
    act: AuditAct,
    *,
    subject: str,
    number: object = "",
    datasource: int | None = None,
    address: str = "",
) -> None:
    """The same of what has no row at hand. A look is noted once in SEEN_AGAIN seconds.

    subject: the kind of thing, such as "document". number: which one. address: method and path.
    """
    query(
        "note_thing",
        person=person.pk,
        email=person.email,
        token=_token_of(person),
        act=act.value,
        subject=subject[:100],
        number=str(number)[:LONGEST_NUMBER],
        datasource=datasource if datasource and datasource <= LARGEST_NUMBER else None,
        address=address[:ADDRESS_SHOWN],
        seconds=SEEN_AGAIN if act == AuditAct.SAW else 0,
    )


def note_things(
    person: User,
    act: AuditAct,
    *,
    subject: str,
    numbers: Iterable[object],
    datasource: int,
    address: str = "",
) -> None:
    """That the person has done this to each of them, in one statement."""
    token = _token_of(person)
    AuditEntry.objects.bulk_create(
        AuditEntry(
            person=person,
            email=person.email,
            token=token,
            act=act,
            subject=subject,
            number=str(number),
            datasource=datasource,
            address=address[:ADDRESS_SHOWN],
        )
        for number in numbers
    )


def _token_of(person: User) -> str:
    """How the API token begins that speaks for the person in this request."""
    return person.api_token.beginning if person.api_token else ""


def named_in_audit_log(request: HttpRequest | Request, documents: Iterable[int | None]) -> None:
    """The request is about these documents, which its address does not name: it is noted with each."""
    request.META[DOCUMENTS] = [document for document in documents if document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a request has made, which its address can't name: it had no number yet."""

    subject: str
    numbers: tuple[int, ...]
    datasource: int


def made_in_audit_log(
    request: HttpRequest | Request, subject: str, numbers: Iterable[int], datasource: int
) -> None:
    """The request has made these, or sent them again: it is noted with each of them. subject: their kind."""
    if made := tuple(numbers):
        request.META.setdefault(MADE, []).append(Made(subject=subject, numbers=made, datasource=datasource))
