"""Sessions that still count: how many each person has, and their end."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User

Contents = dict[str, Any]
READ_SECONDS = 60  # for so long, whose sessions there are is not read anew


def end_sessions(ends: Callable[[str, Contents], bool]) -> int:
    """Those for whose key and contents it is true. How many."""
    ended = 0
    for session in _current().iterator():
        if ends(session.session_key, session.get_decoded()):
            session.delete()
            ended += 1
    return ended


def sessions_of(people: Iterable[int]) -> Counter[int]:
    """How many browsers each of them is signed in with, by the person's number. What has ended is not
    counted; what has begun within READ_SECONDS may not be yet.
    """
    persons: dict[str, int] = cache.get_or_set("sessions", _persons, READ_SECONDS) or {}
    wanted = set(people)
    theirs = [key for key, person in persons.items() if person in wanted]
    return Counter(persons[key] for key in _current().filter(pk__in=theirs).values_list("pk", flat=True))


def _persons() -> dict[str, int]:
    """Whose each session is, by its key. Every session has to be decoded for that."""
    contents = ((one.session_key, one.get_decoded()) for one in _current().iterator())
    return {key: int(one["_auth_user_id"]) for key, one in contents if is_signed_in(one)}


def is_signed_in(contents: Contents) -> bool:
    return "_auth_user_id" in contents


def is_of(contents: Contents, person: User) -> bool:
    return bool(contents.get("_auth_user_id") == str(person.pk))


def _current() -> QuerySet[Session]:
    return Session.objects.filter(expire_date__gt=timezone.now())
