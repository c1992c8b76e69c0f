"""Where personal data is masked in what models say of documents, as an app above knows (settings.MASKED)."""

from collections.abc import Collection

from django.conf import settings
from django.utils.module_loading import import_string

from text.personal_data import mask


def masked(datasource_ids: Collection[int]) -> set[int]:
    """Those of the datasources whose owners want it masked."""
    found: set[int] = import_string(settings.MASKED)(datasource_ids)
    return found


def shown(text: str, datasource_id: int) -> str:
    """The text as people of the datasource may see it."""
    return mask(text) if text and masked([datasource_id]) else text
