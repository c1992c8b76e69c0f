"""Calls of model servers as Prometheus counts them: how long they took, and how they ended."""

import time
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from metrics import MODEL_CALLS, MODEL_SECONDS
from metrics.traces import span
from providers.protocols import ProviderError


@dataclass(slots=True)
class Call:
    """`is_done`: whoever leaves now has had all of it."""

    is_done: bool = False


@contextmanager
def watched(kind: str) -> Iterator[Call]:
    """Around one call; `kind` is what the model does, such as "chat"."""
    begun, status, call = time.monotonic(), "ok", Call()
    try:
        with span(f"model {kind}", is_parent=False):
            yield call
    except (GeneratorExit, CancelledError):
        status = "ok" if call.is_done else "stopped"
        raise
    except ProviderError as error:
        status = _how(error)
        raise
    except Exception:
        status = "fault"
        raise
    finally:
        MODEL_CALLS.labels(kind, status).inc()
        MODEL_SECONDS.labels(kind).observe(time.monotonic() - begun)


def _how(error: ProviderError) -> str:
    if error.busy:
        return "busy"
    if error.stalled:
        return "stalled"
    if error.cut:
        return "cut"
    return "unavailable" if error.transient else "refused"
