"""Writing into the audit log."""

from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import AuditAct, AuditEntry, User
from accounts.sql import query

ADDRESS_SHOWN = 500  # characters
SEEN_AGAIN = 3600  # seconds in which the same person's second look at the same thing makes no second entry


def note(person: Any, act: AuditAct, about: Model, said: str) -> None:
    """That the person has done this to a row. said: to whom, or what exactly."""
    if isinstance(person, User):
        AuditEntry.objects.create(
            person=person,
            email=person.email,
            act=act,
            subject=about._meta.label,
            number=str(about.pk or ""),
            address=said[:ADDRESS_SHOWN],
        )


def seen_in_audit_log(request: HttpRequest | Request, document: int | None) -> None:
    """The request shows words of this document, which its address does not name: it is noted with it."""
    request.META["audit_document"] = document


def note_request(
    person: User, act: AuditAct, *, subject: str, number: str, datasource: int | None, address: str
) -> None:
    """That a person's request has done this. A look is noted once in SEEN_AGAIN seconds: a page has pictures.

    subject: what kind of thing it was about, such as "document". number: which one. address: method and path.
    """
    query(
        "note_request",
        person=person.pk,
        email=person.email,
        token=person.api_token.beginning if person.api_token else "",
        act=act.value,
        subject=subject,
        number=number,
        datasource=datasource,
        address=address[:ADDRESS_SHOWN],
        seconds=SEEN_AGAIN if act == AuditAct.SAW else 0,
    )
