"""Tells the event log how far the reading of a document is."""

from collections.abc import Collection, Sequence
from typing import Any

from datasources.models import Document
from events import log


def channel(datasource_id: int) -> str:
    """The channel of everything that happens in a datasource."""
    return f"datasource:{datasource_id}"


def describe(document: Document) -> dict[str, Any]:
    """A document's state as events and the REST interface tell it."""
    return {
        "document": document.pk,
        "title": document.title,
        "status": document.status,
        "done": document.stage_done,
        "total": document.stage_total,
        "pages": document.page_count,
        "pages_without_text": document.pages_without_text,
        "pages_unreadable": document.pages_unreadable,
        "chunks": document.chunk_count,
        "error": document.error,
    }


def announce(document: Document, kind: str, *, ephemeral: bool = False) -> None:
    """Append the document's state to its datasource's channel."""
    tell(document.datasource_id, kind, describe(document), ephemeral=ephemeral)


def announce_all(datasource_id: int, kind: str, document_ids: Sequence[int]) -> None:
    """Append one event about many documents, by their ids: a thousand of them are one event."""
    tell(datasource_id, kind, {"documents": list(document_ids)})


def tell(datasource_id: int, kind: str, data: dict[str, Any], *, ephemeral: bool = False) -> None:
    """Append an event to the datasource's channel."""
    log.append(channel(datasource_id), kind, data, ephemeral=ephemeral)


def forget(datasource_id: int, document_ids: Collection[int]) -> None:
    """Delete what the channel says of these documents: their titles, and why they could not be read."""
    if document_ids:
        log.forget(channel(datasource_id), "document", document_ids)
