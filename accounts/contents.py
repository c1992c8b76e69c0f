"""Which administrators may see names and texts of what belongs to others, and how names are hidden."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest

from accounts.audit import note
from accounts.models import AuditAct, User

_hidden: ContextVar[bool] = ContextVar("contents_hidden", default=False)


def may_see(request: HttpRequest) -> bool:
    """Superusers too have to switch it on for themselves."""
    return bool(getattr(request.user, "may_see_contents", False))


@transaction.atomic
def allow(person: User, *, by: Any, allowed: bool) -> None:
    """From now on they may see names and texts, or may not: `by` whom goes into the audit log."""
    person.may_see_contents = allowed
    person.save(update_fields=["may_see_contents"])
    note(by, AuditAct.ALLOWED if allowed else AuditAct.FORBADE, person, f"for {person.email}")


@contextmanager
def names_hidden(hidden: bool) -> Iterator[None]:
    """Within, rows with `numbered_when_hidden` have a number in place of their name."""
    before = _hidden.set(hidden)
    try:
        yield
    finally:
        _hidden.reset(before)


def numbered_when_hidden(model: type[Model]) -> None:
    """Replaces `__str__`: the admin uses it in titles, links, filters, questions, messages and its log."""
    name: Callable[[Any], str] = model.__str__

    @wraps(name)
    def shown(row: Any) -> str:
        return f"{row._meta.verbose_name} {row.pk}" if _hidden.get() else name(row)

    model.__str__ = shown  # type: ignore[method-assign]
