"""How one document is told on the documents page: its state in words, its stages as percents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasources.models import IN_PROGRESS, UNFINISHED, Document, DocumentStatus
from formats.registry import format_of
from ingestion.step import Step, steps
from ingestion.throughput import as_words, seconds_left, throughput_of
from ingestion.web.contributions import contributions

FAILURES = {"encrypted": "Needs a password", "needs_ocr": "Needs OCR"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document and its state: `tone` is a kind of pill, `stages` are (name, percent) while it is read.

    `numbers` are (name, number) of the columns that apps add. `left` is the time until it is ready, such as
    “40 s”, or empty when that can't be told.
    """

    document: Document
    tone: str
    icon: str
    label: str
    stages: tuple[tuple[str, int], ...] = ()
    percent: int = 0
    numbers: tuple[tuple[str, int], ...] = ()
    left: str = ""

    @property
    def wants_password(self) -> bool:
        document = self.document
        return document.error_code == "encrypted" and format_of(document.mime).takes_password

    @property
    def can_retry(self) -> bool:
        return self.document.status in (DocumentStatus.FAILED, DocumentStatus.CANCELLED)


def rows_of(documents: Sequence[Document], *, paused: bool) -> list[Row]:
    """The rows of a page, all of one datasource; each added column is counted in one query."""
    ready = [document.pk for document in documents if document.status == DocumentStatus.READY]
    columns = [(part.column.lower(), part.numbers(ready)) for part in contributions()]
    being_read = [document for document in documents if document.status in IN_PROGRESS]
    left = {} if paused else times_left(being_read)
    return [
        replace(
            row(document, paused=paused),
            numbers=tuple((name, counts.get(document.pk, 0)) for name, counts in columns),
            left=left.get(document.pk, ""),
        )
        for document in documents
    ]


def times_left(being_read: Sequence[Document]) -> dict[int, str]:
    """By document, where it can be told."""
    if not being_read:
        return {}
    throughput = throughput_of(being_read[0].datasource)
    seconds = {document.pk: seconds_left(document, throughput) for document in being_read}
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
    percents = [round(100 * part) for part in fractions(document)]
    return Row(
        document=document,
        tone="info",
        icon="",
        label=current(document).now(document),
        stages=tuple((step.name, percent) for step, percent in zip(steps(), percents, strict=True)),
        percent=sum(percents) // len(percents),
    )


def current(document: Document) -> Step:
    """The step that a document in progress is in."""
    return next(step for step in steps() if step.status == document.status)


def fractions(document: Document) -> list[float]:
    """How much of each step a document in progress has behind it, 0 to 1."""
    here = steps().index(current(document))
    done = document.stage_done / document.stage_total if document.stage_total else 0.0
    return [1.0 if index < here else done if index == here else 0.0 for index in range(len(steps()))]
