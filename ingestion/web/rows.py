"""How one document is told on the documents page: its state in words, its stages as percents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasources.models import UNFINISHED, Document, DocumentStatus
from graph.models.listing import entities_per_document
from ingestion.throughput import as_words, pace_of, seconds_left

# The stages in their order, by the status in which each runs: name in the page's style sheet and on the page.
STAGES = {
    DocumentStatus.EXTRACTING: ("extract", "Extract"),
    DocumentStatus.SPLITTING: ("chunk", "Chunk"),
    DocumentStatus.EMBEDDING: ("embed", "Embed"),
    DocumentStatus.LINKING: ("graph", "Graph"),
}
ORDER = list(STAGES)
FAILURES = {"encrypted": "Needs a password", "needs_ocr": "Needs OCR"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document and its state: `tone` is a kind of pill, `stages` are (name, percent) while it is read.

    `entities` counts the things of the graph that it names. `left` is the time until it is ready, such as
    “40 s”, or empty when that can't be told.
    """

    document: Document
    tone: str
    icon: str
    label: str
    stages: tuple[tuple[str, int], ...] = ()
    percent: int = 0
    entities: int = 0
    left: str = ""

    @property
    def wants_password(self) -> bool:
        return self.document.error_code == "encrypted"

    @property
    def can_retry(self) -> bool:
        return self.document.status in (DocumentStatus.FAILED, DocumentStatus.CANCELLED)


def rows_of(documents: Sequence[Document], *, paused: bool) -> list[Row]:
    """The rows of a page, all of one datasource; their entities are counted in one query."""
    counts = entities_per_document(
        [document.pk for document in documents if document.status == DocumentStatus.READY]
    )
    left = {} if paused else times_left([document for document in documents if document.status in ORDER])
    return [
        replace(
            row(document, paused=paused),
            entities=counts.get(document.pk, 0),
            left=left.get(document.pk, ""),
        )
        for document in documents
    ]


def times_left(being_read: Sequence[Document]) -> dict[int, str]:
    """By document, where it can be told."""
    if not being_read:
        return {}
    pace = pace_of(being_read[0].datasource)
    seconds = {document.pk: seconds_left(document, pace) for document in being_read}
    return {pk: as_words(left) for pk, left in seconds.items() if left is not None}


def row(document: Document, *, paused: bool) -> Row:
    """`paused`: whether reading waits in the document's datasource."""
    status = document.status
    if status in UNFINISHED:
        if paused:
            return Row(document=document, tone="", icon="pause", label="Paused")
        if status == DocumentStatus.QUEUED:
            return Row(document=document, tone="", icon="clock", label="Queued")
        return _being_read(document)
    if status == DocumentStatus.FAILED:
        label = FAILURES.get(document.error_code, "Failed")
        return Row(document=document, tone="bad", icon="circle-alert", label=label)
    if status == DocumentStatus.READY:
        return _ready(document)
    return Row(document=document, tone="", icon="circle-x", label=DocumentStatus(status).label)


def _ready(document: Document) -> Row:
    missing = document.pages_without_text
    if not missing:
        return Row(document=document, tone="ok", icon="check", label="Ready")
    pages = "1 page needs OCR" if missing == 1 else f"{missing:,} pages need OCR"
    return Row(document=document, tone="warn", icon="scan-text", label=f"Ready, {pages}")


def _being_read(document: Document) -> Row:
    done, total = document.stage_done, document.stage_total
    labels = {
        DocumentStatus.EXTRACTING: f"Extracting page {done:,} of {total:,}" if done else "Extracting pages",
        DocumentStatus.SPLITTING: "Cutting into chunks",
        DocumentStatus.EMBEDDING: f"Embedding {done:,} of {total:,} chunks",
    }
    status = DocumentStatus(document.status)
    percents = [round(100 * fraction(document, stage)) for stage in ORDER]
    return Row(
        document=document,
        tone="info",
        icon="",
        label=labels.get(status, str(status.label)),
        stages=tuple((STAGES[stage][0], percent) for stage, percent in zip(ORDER, percents, strict=True)),
        percent=sum(percents) // len(percents),
    )


def fraction(document: Document, stage: DocumentStatus) -> float:
    """How much of a stage an unfinished document has behind it, 0 to 1."""
    if document.status not in ORDER:
        return 0.0
    here, there = ORDER.index(DocumentStatus(document.status)), ORDER.index(stage)
    if here != there:
        return float(here > there)
    return document.stage_done / document.stage_total if document.stage_total else 0.0
