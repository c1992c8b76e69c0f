"""Slots for reports that are made and frameworks that are read: each costs a process and its memory."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from jobs.fair_slots import Busy, FairSlots

FILES = FairSlots(3)  # two for one person, so that one is free for who comes next


@contextmanager
def file_slot(person: int) -> Iterator[None]:
    """Raises ValidationError when none is free in time."""
    try:
        with FILES.taken_by(person):
            yield
    except Busy:
        raise ValidationError(
            _("Two files of yours are being made or read. Nothing was done; try again when they are ready."),
            code="busy",
        ) from None
