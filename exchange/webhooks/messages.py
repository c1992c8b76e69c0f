"""Which events of a datasource are told, and in which words: numbers and states, no titles."""

from collections.abc import Iterator
from typing import Any

from events.models import Event
from exchange.webhooks.models import Kind

Message = tuple[Kind, dict[str, Any]]


def messages_of(event: Event) -> Iterator[Message]:
    """None, one or two."""
    data = event.data
    if event.kind == "document_ready":
        yield Kind.READY, {"document": data["document"], "state": "ready"}
    elif event.kind == "document_failed" and "document" in data:  # else it is about ready-made passages
        error = data.get("error") or {}
        yield Kind.FAILED, {"document": data["document"], "state": "failed", "code": error.get("code")}
    elif event.kind == "run_finished":
        yield Kind.FINISHED, {"run": data["run"], "state": data["status"]}
        if data.get("fallen"):
            yield Kind.FELL, {"run": data["run"], "state": "fallen"}
    elif event.kind == "deletion_finished":
        yield Kind.DELETED, {"deletion": data["deletion"], "state": "complete"}
