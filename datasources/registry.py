"""Lists of classes in the settings, by which apps add to rooms below them; their order counts."""

from functools import cache
from typing import TypeVar, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

Entry = TypeVar("Entry")


def registered(setting: str, kind: type[Entry]) -> tuple[Entry, ...]:
    """One instance of each class that the setting lists. Raises ImproperlyConfigured, ImportError."""
    return cast(tuple[Entry, ...], _instances(tuple(getattr(settings, setting)), kind))


@cache
def _instances(paths: tuple[str, ...], kind: type) -> tuple[object, ...]:
    entries = tuple(import_string(path)() for path in paths)
    for path, entry in zip(paths, entries, strict=True):
        if not isinstance(entry, kind):
            raise ImproperlyConfigured(f"{path} is no {kind.__module__}.{kind.__name__}.")
    return entries
