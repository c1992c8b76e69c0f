"""What became of a pack's documents since it was written, in the deployment that wrote it."""

from collections.abc import Iterator, Mapping
from typing import Any

from datasources.models import Document
from exchange.packs.facts import CURRENT, DELETED, REPLACED, state_of

NOW = {
    CURRENT: "is as it was quoted",
    REPLACED: "has been replaced by a newer version",
    DELETED: "has been deleted",
}


def documents_now(facts: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each document. facts: of a pack that this deployment has signed."""
    told = facts["documents"]
    there = Document.objects.in_bulk([each["id"] for each in told if each["id"] is not None])
    for each in told:
        document = there.get(each["id"])
        if document is not None and document.sha256 != each["sha256"]:
            document = None  # another database: the number is another document's
        yield f"“{each['title']}” {NOW[state_of(document)]}."
