"""Sessions that still count: how many each person has, and their end."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User

Contents = dict[str, Any]


def end_sessions(ends: Callable[[str, Contents], bool]) -> int:
    """Those for whose key and contents it is true. How many."""
    ended = 0
    for session in _current().iterator():
        if ends(session.session_key, session.get_decoded()):
            session.delete()
            ended += 1
    return ended


def sessions_by_person() -> Counter[int]:
    """How many browsers each person is signed in with, by the person's number."""
    contents = (session.get_decoded() for session in _current().iterator())
    return Counter(int(one["_auth_user_id"]) for one in contents if is_signed_in(one))


def is_signed_in(contents: Contents) -> bool:
    return "_auth_user_id" in contents


def is_of(contents: Contents, person: User) -> bool:
    return bool(contents.get("_auth_user_id") == str(person.pk))


def _current() -> QuerySet[Session]:
    return Session.objects.filter(expire_date__gt=timezone.now())
