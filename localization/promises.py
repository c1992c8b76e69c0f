"""Words that are translated when they are shown, in whichever language that is then."""

from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
else:
    StrOrPromise = str | Promise

__all__ = ["StrOrPromise"]
