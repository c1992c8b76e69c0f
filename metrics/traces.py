"""Traces for OpenTelemetry: what a question or a document took, from web server and queue to models.

All spans of one question, or of one document, are of one trace, whichever process they are made in: its
number is worked out from theirs, so nothing has to travel with a job. Spans name kinds of work; of an error
they have the class and not the words. Nothing is recorded until svq_site.monitoring.tracing uses a tracer.
"""

import hashlib
import hmac
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.conf import settings
from opentelemetry import context, trace
from opentelemetry.trace import (
    NonRecordingSpan,
    NoOpTracer,
    Span,
    SpanContext,
    Status,
    StatusCode,
    TraceFlags,
    Tracer,
)

Value = str | int | float

_tracer: Tracer = NoOpTracer()
# The trace and the span that the next new span is, where that is given.
given_ids: ContextVar[tuple[int, int] | None] = ContextVar("given_ids", default=None)


def use(tracer: Tracer | None) -> None:
    """From now on spans are recorded by this tracer; None: by nobody."""
    global _tracer
    _tracer = tracer or NoOpTracer()


@contextmanager
def part_of(kind: str, number: object) -> Iterator[None]:
    """Spans of the block belong to the trace of this "turn" or "document"."""
    trace_id, span_id = _ids(kind, number)
    parent = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    token = context.attach(trace.set_span_in_context(NonRecordingSpan(parent)))
    try:
        yield
    finally:
        context.detach(token)


@contextmanager
def span(name: str, *, is_parent: bool = True, **attributes: Value) -> Iterator[Span]:
    """A span as long as the block. `is_parent`: it is the parent of those that begin in the block; not for an
    asynchronous generator, which may end in another context.
    """
    made = _tracer.start_span(name, attributes=_named(attributes))
    token = context.attach(trace.set_span_in_context(made)) if is_parent else None
    try:
        yield made
    except BaseException as error:
        made.set_status(Status(StatusCode.ERROR, type(error).__name__))
        raise
    finally:
        if token:
            context.detach(token)
        made.end()


def waited(name: str, since: datetime) -> None:
    """A span that began then and ends now."""
    _tracer.start_span(name, start_time=_nanoseconds(since)).end()


def whole(kind: str, number: object, since: datetime, **attributes: Value) -> None:
    """The span that all others of this turn or document are parts of: it began then and ends now."""
    given = given_ids.set(_ids(kind, number))
    try:
        begun = _nanoseconds(since)
        made = _tracer.start_span(kind, context.Context(), start_time=begun, attributes=_named(attributes))
    finally:
        given_ids.reset(given)
    made.end(time.time_ns())


def _ids(kind: str, number: object) -> tuple[int, int]:
    """Of the trace and of its first span. Of another deployment's question they are others."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"trace {kind} {number}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:16]), int.from_bytes(digest[16:24])


def _named(attributes: dict[str, Value]) -> dict[str, Value]:
    return {f"svq.{name}": value for name, value in attributes.items()}


def _nanoseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1e9)
