"""Secrets that people enter for servers elsewhere are tried there before they are kept: only so often that
this server is no way to guess those of others.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.utils.translation import ngettext

from accounts.limits import Limit
from accounts.models import User
from localization.numbers import numeral


@contextmanager
def one_try(limit: Limit, person: User, *, code: str) -> Iterator[None]:
    """What ends well does not count. Raises ValidationError with that code."""
    who = str(person.pk)
    if left := limit.take(who):
        raise ValidationError(
            ngettext(
                "You have tried this too often. Try again in {n} second. Nothing was saved.",
                "You have tried this too often. Try again in {n} seconds. Nothing was saved.",
                left,
            ).format(n=numeral(left)),
            code=code,
        )
    yield
    limit.give_back(who)
