"""The log as JSON: which request or job a line is of, and what is in no line."""

import asyncio
import json
import logging
import re
import sys
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from procrastinate.jobs import Job

from jobs.reports import reporting
from svq_site.host.json_log import JsonFormatter
from svq_site.host.log_lines import LineFormatter, RefusalsInOneLine
from svq_site.serving.request_id import RequestId


def line(message: str, *args: object, exc_info: Any = None) -> dict[str, Any]:
    record = logging.LogRecord("svq", logging.ERROR, __file__, 1, message, args, exc_info)
    written = JsonFormatter().format(record)
    assert "\n" not in written
    told: dict[str, Any] = json.loads(written)
    return told


def test_a_line_has_no_stored_value_and_no_token() -> None:
    title = "LLIM".lower()[::-1]  # a traceback has the lines of this file
    try:
        raise psycopg.errors.UniqueViolation(f"duplicate key value\nDETAIL:  Key (title)=({title})")
    except psycopg.Error:
        told = line("not stored: %s", "/s/abcdefghijklmnopqrstuvwxyz/", exc_info=sys.exc_info())
    assert told["message"] == "not stored: /s/…/"
    assert "duplicate key value" in told["error"]
    assert title not in told["error"]
    assert (told["level"], told["logger"]) == ("ERROR", "svq")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", told["time"])


@pytest.mark.parametrize(("status", "has_traceback"), [(403, False), (500, True)])
def test_a_refusal_leaves_no_traceback(status: int, has_traceback: bool) -> None:
    try:
        raise PermissionDenied
    except PermissionDenied:
        record = logging.LogRecord("django.request", 30, __file__, 1, "Forbidden", (), sys.exc_info())
    record.status_code = status
    assert RefusalsInOneLine().filter(record)
    assert ("Traceback" in LineFormatter().format(record)) == has_traceback


def answered(settings: Any, client: str, *headers: tuple[bytes, bytes]) -> tuple[str, dict[str, Any]]:
    """The id in the response's header, and a line that the application has logged."""
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    logged, sent = {}, []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        logged.update(line("hello"))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {}

    async def ask() -> None:
        await RequestId(application)({"headers": headers, "client": (client, 1)}, receive, send)

    asyncio.run(ask())
    return dict(sent[0]["headers"])[b"x-request-id"].decode(), logged


def test_a_proxy_names_the_request_and_nobody_else(settings: Any) -> None:
    given = (b"x-request-id", b"abc-1234.Z")
    name, logged = answered(settings, "10.1.2.3", given)
    assert (name, logged["request"]) == ("abc-1234.Z", "abc-1234.Z")
    own, logged = answered(settings, "192.0.2.7", given)
    assert own == logged["request"]
    assert re.fullmatch("[0-9a-f]{32}", own)


@pytest.mark.parametrize("given", [b"short", b"a" * 65, b'abc"defgh', b"abcdefgh\nx", b"\xff" * 10])
def test_a_malformed_id_is_not_taken_over(settings: Any, given: bytes) -> None:
    name, _ = answered(settings, "10.1.2.3", (b"x-request-id", given))
    assert re.fullmatch("[0-9a-f]{32}", name)


def test_a_line_of_a_job_has_its_number() -> None:
    async def job() -> dict[str, Any]:
        return await asyncio.to_thread(line, "at work")  # as jobs that are no coroutines

    of_job = Job(id=7, queue="upkeep", lock=None, queueing_lock=None, task_name="tidy")
    context: Any = SimpleNamespace(job=of_job)
    assert asyncio.run(reporting(job, context, None))["job"] == 7  # type: ignore[arg-type]
    assert "job" not in line("outside")
