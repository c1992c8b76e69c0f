"""Files, notes and packs are in English, whatever the language of the page that asks: others read them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import override

from localization.languages import ENGLISH


@contextmanager
def in_english() -> Iterator[None]:
    """Around some lines, or as `@in_english()` around a function. Django's `override` would do for the lines,
    but around a function it keeps the language before in one place for all threads.
    """
    with override(ENGLISH):
        yield
