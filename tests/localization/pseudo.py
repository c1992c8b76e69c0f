"""A language in which every message is its English self in ⁅ ⁆: what is not in brackets was never marked."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.catalog import Catalog
from django.conf import settings
from django.test import override_settings
from django.utils import translation

from tools.messages import compiled, marked

CODE = "qps"
HEADERS = {"Accept-Language": CODE}


@cache
def _catalogues() -> TemporaryDirectory[str]:
    """Made once: all sources are read for it. Held by the cache, so that the folder stays."""
    folder = TemporaryDirectory(prefix="svq-pseudo-")
    catalog = Catalog(project="SVQ")
    for message in marked("django"):
        if message.id:
            catalog.add(message.id, _bracketed(message.id), context=message.context)
    file = Path(folder.name) / CODE / "LC_MESSAGES" / "django.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(catalog))
    return folder


def _bracketed(text: Any) -> Any:
    return tuple(map(_bracketed, text)) if isinstance(text, (list, tuple)) else f"⁅{text}⁆"


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Spoken here, and offered to browsers that ask with HEADERS. Numbers are written as Germans do."""
    languages = [*settings.LANGUAGES, (CODE, "⁅⁆")]
    numbers = {"DECIMAL_SEPARATOR": ",", "THOUSAND_SEPARATOR": ".", "NUMBER_GROUPING": 3}
    with (
        override_settings(LANGUAGES=languages, LOCALE_PATHS=[_catalogues().name], **numbers),
        translation.override(CODE),
    ):
        yield
