"""Sessions that still count, and their end."""

from collections.abc import Callable
from typing import Any

from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User

Contents = dict[str, Any]


def end_sessions(ends: Callable[[str, Contents], bool]) -> int:
    """Those for whose key and contents it is true. How many."""
    ended = 0
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if ends(session.session_key, session.get_decoded()):
            session.delete()
            ended += 1
    return ended


def is_signed_in(contents: Contents) -> bool:
    return "_auth_user_id" in contents


def is_of(contents: Contents, person: User) -> bool:
    return bool(contents.get("_auth_user_id") == str(person.pk))
