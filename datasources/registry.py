"""Lists of classes in the settings, by which apps add to rooms below them; their order counts."""

from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

Entry = TypeVar("Entry")


def registered(setting: str, kind: type[Entry]) -> tuple[Entry, ...]:
    """One instance of each class that the setting lists. Raises ImproperlyConfigured, ImportError."""
    paths = tuple(getattr(settings, setting))
    for path, entry in zip(paths, entries := _instances(paths), strict=True):
        if not isinstance(entry, kind):
            raise ImproperlyConfigured(f"{path} is no {kind.__module__}.{kind.__name__}.")
    return entries


@cache
def _instances(paths: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(import_string(path)() for path in paths)
