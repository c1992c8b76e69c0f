"""Refusals, in the three parts in which people and programs are told of them."""

import re

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.utils.translation import gettext_noop

from jobs.fair_slots import Busy
from localization.promises import StrOrPromise
from localization.sentences import Sentence

ARCHIVED = gettext_noop(
    "This datasource is archived with its matter: it can be read, and not be changed. Who owns the matter "
    "can open it again."
)

# The end of a sentence, unless it is inside “quotes”: names may have full stops in them.
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^“”]*(?:“[^“”]*”[^“”]*)*$)")


class Archived(PermissionDenied):
    """Whoever asks has the right, but the datasource is archived: 409, with these words."""

    code = "archived"

    def __init__(self) -> None:
        super().__init__(ARCHIVED)


def split(text: str) -> tuple[str, str]:
    """Message and hint: the last of several sentences says what to do."""
    ends = list(SENTENCE_END.finditer(text))
    return (text[: ends[-1].start()], text[ends[-1].end() :]) if ends else (text, "")


def sentence_of(refusal: ValidationError) -> str:
    """Its first sentence with the words that it is made of, where it was `said`; ValidationError.messages are
    plain texts.
    """
    first: object = refusal.error_list[0].message
    return first if isinstance(first, Sentence) else str(refusal.messages[0])


def in_parts(refusal: ValidationError) -> dict[str, str]:
    """{"code", "message", "hint"}; the hint may be empty."""
    message, hint = split(refusal.messages[0])
    return {"code": str(getattr(refusal, "code", None) or "invalid"), "message": message, "hint": hint}


def too_busy(words: StrOrPromise, busy: Busy) -> HttpResponse:
    """For who waits for a file: 503 with these words, and when to try again."""
    headers = {"Retry-After": str(busy.wait)}
    return HttpResponse(words, status=503, content_type="text/plain; charset=utf-8", headers=headers)
