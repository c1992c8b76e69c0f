"""The models that a server offers: the one request to it that costs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from localization.stored import said, sentences
from providers.http.clients import sync_client
from providers.http.public_addresses import NOT_PUBLIC, NotPublic
from providers.http.time_limit import within
from providers.protocols import ProviderError

LONGEST_LIST = 1_000
LARGEST_ANSWER = 5_000_000  # bytes
CHECK_ADDRESS = gettext_noop("Check that the address ends where the OpenAI protocol begins, often in /v1.")
NO_LIST = gettext_noop("The server sends no list of models.")
WINDOWS = ("context_length", "max_model_len", "context_window", "max_context_length", "inputTokenLimit")


class NoList(ProviderError):
    """A server answers, but with no list of models: not every protocol has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A model by its name. `window`: how many tokens it reads, None where the server does not say."""

    name: str
    window: int | None = None


def offered(address: str, key: str, timeout: float, *, public_only: bool = False) -> list[Offered]:
    """The models in the server's order, embedders and the like among them. `timeout`: seconds in all. Raises
    ProviderError, NoList.
    """
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with (
            sync_client(public_only=public_only, timeout=timeout) as client,
            within(timeout, client),
            client.stream("GET", f"{address.rstrip('/')}/models", headers=headers) as answer,
        ):
            status, body = answer.status_code, _body(answer)
    except NotPublic as error:
        raise ProviderError(NOT_PUBLIC) from error
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, UnicodeError, ValueError) as error:
        raise ProviderError(
            _("No server answers there. Check the address, and whether the server is running.")
        ) from error
    if status in (401, 403):
        raise ProviderError(_("The server refuses the key.") if key else _("The server wants a key."))
    if status == 429:
        raise ProviderError(_("The server gets more requests than it allows (status 429)."), transient=True)
    if status != 200:
        failure = ProviderError if status >= 500 else NoList
        told = said("The server answers with status {status}.", status=status)
        raise failure(sentences(told, CHECK_ADDRESS))
    return _listed(body)


def _body(answer: httpx.Response) -> bytes:
    """Raises ValueError for what has no end."""
    body = b""
    for piece in answer.iter_bytes():
        body += piece
        if len(body) > LARGEST_ANSWER:
            raise ValueError
    return body


def _listed(body: bytes) -> list[Offered]:
    try:
        rows = httpx.Response(200, content=body).json()["data"]
        models = [Offered(name=str(row["id"]), window=_window(row)) for row in rows[:LONGEST_LIST]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NoList(sentences(NO_LIST, CHECK_ADDRESS)) from error
    return models


def _window(row: Mapping[str, Any]) -> int | None:
    return next((row[name] for name in WINDOWS if isinstance(row.get(name), int) and row[name] > 0), None)
