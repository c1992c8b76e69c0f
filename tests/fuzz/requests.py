"""Hostile values, and requests that are sent with them and undone again.

SVQ_FUZZ is how many times as many requests are made, others each time: `make fuzz` sets it. Without it an
address gets one of the values that are tried on all, and the next address the next one.
"""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, settings

from tests.responses import content_of

MORE = int(os.environ.get("SVQ_FUZZ", "0"))
SLOW = 20.0  # seconds; the machine of a test may be busy
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
# What views read from an address or a form; all of them are given to all.
PARAMETERS = (
    "after",
    "chunk",
    "cite",
    "conversation",
    "current",
    "datasource",
    "decided",
    "document",
    "documents",
    "entity",
    "filter",
    "find",
    "format",
    "list",
    "n",
    "next",
    "only",
    "ordering",
    "page",
    "page_size",
    "q",
    "question",
    "scope",
    "sort",
    "status",
    "turn",
    "type",
    "types",
    "shown",
    "name",
    "title",
    "email",
    "role",
    "action",
    "text",
    "hits",
    "mode",
    "wait",
    "last",
    "channel",
    "kind",
    "state",
    "batch",
    "left_out",
    "search",
    "exact",
    "since",
    "until",
    "all",
    "strict",
    "address",
    "again",
    "against",
    "answer",
    "at",
    "batches",
    "before",
    "cell",
    "columns",
    "down",
    "framework",
    "fresh",
    "from",
    "helpful",
    "into",
    "key",
    "language",
    "model",
    "money_budget",
    "near",
    "new",
    "note",
    "number",
    "of",
    "own",
    "pasted",
    "piece",
    "place",
    "preset",
    "reason",
    "remark",
    "result",
    "set",
    "start",
    "statement",
    "suggestion",
    "supported",
    "tags",
    "to",
    "token_budget",
    "variant",
    "vendor",
    "which",
    "words",
    "attributes",
    "count",
    "excludedAttributes",
    "startIndex",
)
HOSTILE = (
    "a\0b",
    "9" * 5000,
    b"\xed\xa0\x80",
    "-1",
    "9223372036854775808",
    "[" * 3000,
    "0",
    "1e400",
    "٣",
    "½",
    b"\xff\xfe",
    "{{7*7}}",
    "%s%n",
    "../../etc/passwd",
    "' OR 1=1 --",
    "<script>",
    "⟦1⟧",
    "a" * 9000,
    "",
    "\0",
    "true",
    "null",
    "all",
    "\u202e",
    "💥",
    "\r\nX-Injected: 1",
    "\\",
    "%",
    "*:*",
    "(((",
    "\u2028",
)
BODIES = (
    "[" * 100_000,
    '{"question":' * 100_000,
    "null",
    '"\\ud800"',
    '{"question": "\\ud800\\u0000", "name": "\\udfff"}',
    "1" * 5000,
    '{"documents": [%s]}' % ("9" * 4000),
    '{"question": NaN, "entity": 1e999, "chunk_size": 1e999}',
    '{"email": ["a"], "password": {"a": 1}, "name": {"a": [1]}, "question": [], "documents": {}}',
    b"\xff",
)


def tried(values: Sequence[Any], index: int) -> Sequence[Any]:
    """Which of the values the address with that index gets."""
    return values if MORE else [values[index % len(values)]]


def bounded(examples: int) -> settings:
    """The same requests in every run of the suite, of which there are so many."""
    return settings(
        max_examples=examples * (MORE or 1),
        derandomize=not MORE,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def request(client: Client, method: str, path: str, data: Any = b"", **more: Any) -> list[str]:
    """What is wrong with the answer to one request; its changes are undone."""
    begun = time.monotonic()
    with transaction.atomic():
        response: Any = client.generic(method, path, data, **more)
        content_of(response)
        transaction.set_rollback(True)
    seconds = time.monotonic() - begun
    said = f"{method} {path[:150]} {str(data)[:150]!r} {str(more)[:150]}"
    problems = []
    if response.status_code >= 500 and not path.startswith("/healthz"):  # which tells what is not ready
        problems.append(f"{response.status_code}: {said}")
    if seconds > SLOW:
        problems.append(f"{seconds:.0f} s: {said}")
    if "X-Injected" in response.headers:
        problems.append(f"header injected: {said}")
    return problems


def query(values: Mapping[str, Any]) -> str:
    """Brackets are not escaped, which is the same to a server: with thousands of them that takes long."""
    return urlencode(values, safe="[")


def encoded(values: Mapping[str, Any]) -> dict[str, bytes]:
    """As bytes, halves of characters too."""
    return {
        name: value.encode(errors="surrogatepass") if isinstance(value, str) else value
        for name, value in values.items()
    }
