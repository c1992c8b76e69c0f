"""What documents are cited as where an app above knows a shorter name (settings.SHORT_NAMES)."""

from collections.abc import Collection

from django.conf import settings
from django.utils.module_loading import import_string


def short_names(document_ids: Collection[int]) -> dict[int, str]:
    """By document; those without one are missing."""
    if not settings.SHORT_NAMES:
        return {}
    names: dict[int, str] = import_string(settings.SHORT_NAMES)(document_ids)
    return names
