"""Failed requests to OpenAI-compatible servers, explained for the person who waits."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

from localization.stored import Said, said, said_of, sentences
from providers.http.public_addresses import NOT_PUBLIC, NotPublic
from providers.http.size_limit import TooLarge
from providers.openai.redaction import public_words, shortened
from providers.protocols import ProviderError

logger = logging.getLogger(__name__)

LONGEST_DETAIL = 300  # characters of the server's own words
LONGEST_IN_FULL = 4000  # characters
SHORTEST_KEY = 6  # characters: “none” stands for no key
TRANSIENT_STATUSES = {408, 409, 429}
TOO_LONG_CODES = {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
_SAYS_TOO_LONG = re.compile(
    r"context (?:length|window|size)|maximum (?:context|input|prompt)|(?:prompt|input|request|messages?) "
    r"(?:is|are|exceeds?)(?: the)? ?(?:too long|too large|maximum|limit)|too many tokens|reduce the length",
    re.IGNORECASE,
)

_CONNECTION = gettext_noop(
    "The model server cannot be reached, or the connection broke. Nothing is lost. "
    "Try again; if it keeps failing, check the server's address."
)
_TIMEOUT = gettext_noop(
    "The model server does not answer in time. Nothing is lost. Try again, or allow it more time."
)
_KEY = gettext_noop("The model server refuses the API key. Nothing is lost. Check the key in the settings.")
_CREDIT = gettext_noop(
    "The account at the model server has no credit left. Nothing is lost. Add credit, then try again."
)
TOO_LARGE = gettext_noop(
    "The model server sent more than any answer should have, and was stopped. Nothing is lost. "
    "Ask for less, or connect another model."
)
_UNREADABLE = gettext_noop(
    "The model server sent something that is not an answer. Nothing is lost. "
    "Check that its address ends where the OpenAI protocol begins, often in /v1."
)


def provider_error(error: Exception, model: str) -> ProviderError:
    """The ProviderError for whatever the openai package raised while asking for `model`."""
    failure = _explained(error, model)
    failure.detail = _in_full(error)
    logger.warning("%s", failure.detail)
    return failure


def _explained(error: Exception, model: str) -> ProviderError:
    match error:
        case APITimeoutError() if isinstance(error.__cause__, httpx.ConnectTimeout):
            return ProviderError(_TIMEOUT, transient=True)  # it has not been asked
        case APITimeoutError():
            return ProviderError(_TIMEOUT, transient=True, stalled=True)
        case APIConnectionError() if isinstance(error.__cause__, NotPublic):
            return ProviderError(NOT_PUBLIC)
        case APIConnectionError() if isinstance(error.__cause__, TooLarge):
            return ProviderError(TOO_LARGE, may_cost=True)
        case APIConnectionError():
            return ProviderError(_CONNECTION, transient=True)
        case APIStatusError():
            return _status_error(error, model)
        case APIError():  # An error that came inside a stream which had begun well.
            return ProviderError(
                said(
                    "The model server broke off its answer: {words}. Nothing is lost. Try again.",
                    words=_words(error, model),
                ),
                transient=error.code != "insufficient_quota",
                may_cost=True,
            )
        case ValueError():
            return ProviderError(_UNREADABLE)
    return ProviderError(_("The request to the model server failed. Nothing is lost. Check the settings."))


def _status_error(error: APIStatusError, model: str) -> ProviderError:
    status = error.status_code
    wait = _retry_after(error.response.headers)
    if status in (401, 403):
        return ProviderError(_KEY)
    if error.code == "insufficient_quota" or status == 402:
        return ProviderError(_CREDIT)
    if status == 429:
        return busy(wait)
    if status == 404:
        return ProviderError(
            said(
                "The model server does not know the model {model}, or its address is wrong: {words}. "
                "Nothing is lost. Check both in the settings.",
                model=model,
                words=_words(error, model),
            )
        )
    if is_too_long(error):
        return ProviderError(
            said(
                "The model server refuses the request: {words}. Nothing is lost. The question and "
                "its passages are longer than {model} can read: ask for less, or connect another "
                "model.",
                words=_words(error, model),
                model=model,
            ),
            too_long=True,
        )
    if status >= 500 or status in TRANSIENT_STATUSES:
        fails = said("The model server fails with status {status}. Nothing is lost.", status=status)
        return ProviderError(sentences(fails, _again(wait)), transient=True, retry_after=wait)
    return ProviderError(
        said(
            "The model server refuses the request: {words}. Nothing is lost. Check that {model} "
            "is the right model, and that the question is not too long for it.",
            words=_words(error, model),
            model=model,
        )
    )


def is_too_long(error: APIStatusError) -> bool:
    """Servers say it in a code or, as vLLM, llama.cpp and gateways do, in words; some with 413 or 500."""
    if error.status_code == 413 or error.code in TOO_LONG_CODES:
        return True
    text = f"{error.message} {error.body}" if error.status_code in (400, 422, 500) else ""
    return bool(_SAYS_TOO_LONG.search(text))


def _words(error: APIError, model: str) -> str:
    """The server's own words, as far as everybody may see them, without a full stop at the end."""
    words = error.body.get("message") if isinstance(error.body, dict) else None
    return shortened(public_words(str(words or error.message), known={model}), LONGEST_DETAIL).rstrip(".")


def _in_full(error: Exception) -> str:
    """What happened, for administrators: the server's whole answer and its address, without the key."""
    parts = [f"{type(error).__name__}: {error}"]
    if isinstance(error, APIError):
        parts[0] += f" ({error.request.method} {error.request.url})"
    if isinstance(error, APIStatusError):
        parts.append(f"Status {error.status_code}: {error.response.text}")
    if error.__cause__:
        parts.append(f"{type(error.__cause__).__name__}: {error.__cause__}")
    told = " | ".join(" ".join(part.replace("\0", " ").split()) for part in parts)
    if isinstance(error, APIError) and len(key := _key_of(error)) >= SHORTEST_KEY:
        told = told.replace(key, "[key]")
    return shortened(told.encode(errors="replace").decode(), LONGEST_IN_FULL)


def _key_of(error: APIError) -> str:
    """The key that was sent with the request."""
    return error.request.headers.get("authorization", "").removeprefix("Bearer ")


def busy(wait: float | None) -> ProviderError:
    """The error of a server that gets too many requests. `wait`: the seconds that it asked for, if it did."""
    busy = said("The model server gets more requests than it allows. Nothing is lost.")
    message = sentences(busy, _again(wait))
    return ProviderError(message, transient=True, retry_after=wait, busy=True)


def _again(wait: float | None) -> Said:
    if wait is None:
        return said("Try again in a minute.")
    seconds = math.ceil(wait)
    if not seconds:
        return said("Try again now.")
    if seconds < 120:
        return said_of(
            "Try again in {n} second, as it asks.", "Try again in {n} seconds, as it asks.", seconds
        )
    minutes = math.ceil(seconds / 60)
    if minutes < 120:
        return said_of(
            "Try again in {n} minute, as it asks.", "Try again in {n} minutes, as it asks.", minutes
        )
    hours = math.ceil(minutes / 60)
    return said_of("Try again in {n} hour, as it asks.", "Try again in {n} hours, as it asks.", hours)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a header that holds milliseconds, seconds or a date; None where none does."""
    return next(
        (max(found, 0.0) for found in _waits(headers) if found is not None and math.isfinite(found)), None
    )


def _waits(headers: Mapping[str, str]) -> Iterator[float | None]:
    exact = _number(headers.get("retry-after-ms"))
    yield None if exact is None else exact / 1000
    yield _number(headers.get("retry-after"))
    with suppress(ValueError, TypeError):
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        yield (date - datetime.now(UTC)).total_seconds()


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
