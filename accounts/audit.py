"""The audit log: what is noted about accounts and sign-in."""

from typing import Any

from django.db.models import Model

from accounts.models import AuditAct, AuditEntry, User

ADDRESS_SHOWN = 500  # characters


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
