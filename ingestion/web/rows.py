"""How one document is told on the documents page: its state in words, how far it is, what can help."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from datasources.models import IN_PROGRESS, UNFINISHED, Document, DocumentStatus
from datasources.templatetags.amounts import counted
from formats import IN_THE_FILE
from formats.base.annotations import AnnotationKind
from formats.base.doubts import DoubtKind
from formats.registry import format_of
from ingestion.models import Annotation, Doubt, Page
from ingestion.page_numbers import named
from ingestion.recognition import SURE, expected_time, offer_of, waits_for_recognition
from ingestion.step import Step, steps
from ingestion.throughput import as_words, seconds_left, throughput_of
from ingestion.web.contributions import contributions
from ingestion.web_pages.errors import ALREADY_HERE, WRONG_TYPE
from jobs.lanes import before
from localization.lists import joined
from localization.numbers import numeral

PASSWORD = gettext_lazy("Enter its password, which is used once and not stored.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartCount:
    """How many documents are attached to one, of them in work, failed."""

    count: int
    in_work: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document and its state: `tone` is a kind of pill, `stages` are (step, percent) while it is read.

    `numbers` are (name, number) of the columns that apps add, `about` is their line under the title,
    `came_from` how it came if nobody added it. `left` is the time until it is ready, such as “40 s”, or
    empty when that can't be told. `before`: how many documents of the same person come before one that is
    queued. `note` names pages whose words cannot be searched; `pictures` are those that OCR has not seen.

    `markup`: what people added to it, such as “2 comments”, and how many parts disagree with their page.

    `depth`: 1 for what is attached to the document above, and so on. `parts`: its own attachments, None when
    it has none; `is_unfolded`: they are the next rows. `toggled`: which documents are unfolded after a click.
    """

    document: Document
    tone: str
    icon: str
    label: str
    stages: tuple[tuple[Step, int], ...] = ()
    percent: int = 0
    before: int | None = None
    numbers: tuple[tuple[str, int], ...] = ()
    about: str = ""
    came_from: str = ""
    left: str = ""
    note: str = ""
    pictures: tuple[int, ...] = ()
    markup: str = ""
    depth: int = 0
    parts: PartCount | None = None
    is_unfolded: bool = False
    toggled: tuple[int, ...] = ()

    @property
    def classes(self) -> str:
        """Of its row in the table."""
        is_failed = self.document.status == DocumentStatus.FAILED
        state = "failed" if is_failed else "remedied" if self.remedy else ""
        return " ".join(filter(None, [state, f"part-{self.depth}" if self.depth else ""]))

    @property
    def offer(self) -> str:
        """What has its pictures read, and which these are; empty without any."""
        return offer_of(self.pictures)

    @property
    def remedy(self) -> str:
        """The one thing that can help a document that was not read, or not wholly: "password", "recognise",
        "replace" or "retry"; "" where nothing can.
        """
        document = self.document
        if waits_for_recognition(document):
            return "recognise"
        if document.status == DocumentStatus.CANCELLED:
            return "retry"
        if document.status != DocumentStatus.FAILED:
            return ""
        if document.error_code == "encrypted" and format_of(document.mime).takes_password:
            return "password"
        if document.error_code == ALREADY_HERE:
            return ""
        is_in_file = document.error_code in (*IN_THE_FILE, WRONG_TYPE)
        return "replace" if is_in_file and not document.passage else "retry"

    @property
    def next_step(self) -> str:
        """What to do with a document that was not read, in a sentence; pages that need OCR have theirs."""
        if self.remedy == "password":
            return str(PASSWORD)
        return self.note or self.document.what_helps


def rows_of(documents: Sequence[Document], *, paused: bool) -> list[Row]:
    """The rows of a page, all of one datasource; each added column is counted in one query."""
    ready = [document.pk for document in documents if document.status == DocumentStatus.READY]
    columns = [(part.column.lower(), part.numbers(ready)) for part in contributions() if part.column]
    about = {pk: line for part in contributions() for pk, line in part.about(ready).items()}
    every = [document.pk for document in documents]
    places_of = {pk: place for part in contributions() for pk, place in part.came_from(every).items()}
    being_read = [document for document in documents if document.status in IN_PROGRESS]
    left = {} if paused else times_left(being_read)
    pictures = pictures_of(documents)
    notes = notes_of(documents, pictures)
    markup = markup_of(ready)
    doubts = doubts_of(ready)
    queued = [document for document in documents if document.status == DocumentStatus.QUEUED]
    jobs = [document.job_id for document in queued if document.job_id is not None and not paused]
    places = before(jobs)
    return [
        replace(
            row(document, paused=paused),
            about=about.get(document.pk, ""),
            came_from=places_of.get(document.pk, ""),
            numbers=tuple((name, counts.get(document.pk, 0)) for name, counts in columns),
            left=left.get(document.pk, ""),
            before=places.get(document.job_id or 0) if document in queued else None,
            note=notes.get(document.pk, ""),
            pictures=tuple(pictures.get(document.pk, ())),
            markup=joined([each for each in (markup.get(document.pk), doubts.get(document.pk)) if each]),
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
            return Row(document=document, tone="", icon="pause", label=_("Paused"))
        if status == DocumentStatus.QUEUED:
            return Row(document=document, tone="", icon="clock", label=_("Queued"))
        return _being_read(document)
    if status == DocumentStatus.FAILED:
        return Row(
            document=document,
            tone="bad",
            icon="circle-alert",
            label=document.why_failed if document.error_message else _("Failed"),
        )
    if status == DocumentStatus.READY:
        if document.pages_without_text or document.pages_unreadable:
            return Row(
                document=document, tone="warn", icon="triangle-alert", label=_("Ready, but not all of it")
            )
        if document.pages_unsure:
            return Row(
                document=document, tone="warn", icon="triangle-alert", label=_("Ready, check the text")
            )
        return Row(document=document, tone="ok", icon="check", label=_("Ready"))
    return Row(document=document, tone="", icon="circle-x", label=str(DocumentStatus(status).label))


# --- while it is read ------------------------------------------------------------------------------------
def _being_read(document: Document) -> Row:
    here = current(document)
    percents = {step: round(100 * part) for step, part in fractions(document).items()}
    return Row(
        document=document,
        tone="info",
        icon="",
        label=here.now(document),
        stages=tuple(percents.items()),
        percent=sum(percents.values()) // len(percents),
    )


def current(document: Document) -> Step:
    """The step that a document in progress is in."""
    return next(step for step in steps() if step.status == document.status)


def fractions(document: Document) -> dict[Step, float]:
    """How much of each measured step a document in progress has behind it, 0 to 1."""
    here = steps().index(current(document))
    done = document.stage_done / document.stage_total if document.stage_total else 0.0
    return {
        step: 1.0 if index < here else done if index == here else 0.0
        for index, step in enumerate(steps())
        if step.is_measured
    }


def markup_of(document_ids: Sequence[int]) -> dict[int, str]:
    """“14 tracked changes, 2 comments”, by document; those without any are missing."""
    of = Annotation.objects.filter(page__document__in=document_ids).order_by()
    is_comment = Q(kind=AnnotationKind.COMMENT)
    counts = of.values_list("page__document").annotate(
        changes=Count("pk", filter=~is_comment), comments=Count("pk", filter=is_comment)
    )
    return {
        pk: joined(
            [
                counted(number, noun)
                for number, noun in ((changes, "tracked change"), (comments, "comment"))
                if number
            ]
        )
        for pk, changes, comments in counts
    }


def doubts_of(document_ids: Sequence[int]) -> dict[int, str]:
    """“3 places where the page and its text differ, 2 pages not compared”, by document; without those that
    have none.
    """
    of = Doubt.objects.filter(page__document__in=document_ids).order_by()
    is_skipped = Q(kind=DoubtKind.SKIPPED)
    counts = of.values_list("page__document").annotate(
        found=Count("pk", filter=~is_skipped), skipped=Count("pk", filter=is_skipped)
    )
    return {
        pk: joined(
            [
                told.format(n=numeral(number))
                for number, told in (
                    (
                        found,
                        ngettext(
                            "{n} place where the page and its text differ",
                            "{n} places where the page and its text differ",
                            found,
                        ),
                    ),
                    (skipped, ngettext("{n} page not compared", "{n} pages not compared", skipped)),
                )
                if number
            ]
        )
        for pk, found, skipped in counts
    }


# --- pages that cannot be searched -----------------------------------------------------------------------
NEED_OCR = ngettext_lazy(
    "Page {pages} needs OCR, about {time}.", "Pages {pages} need OCR, about {time}.", "n"
)
UNREADABLE = ngettext_lazy("Page {pages} could not be read.", "Pages {pages} could not be read.", "n")
OCR_FAILED = ngettext_lazy(
    "Page {pages} could not be read by OCR.", "Pages {pages} could not be read by OCR.", "n"
)
HARD_TO_READ = ngettext_lazy("Page {pages} was hard to read.", "Pages {pages} were hard to read.", "n")


def pictures_of(documents: Iterable[Document]) -> Mapping[int, list[int]]:
    """The pages that OCR would help, by document."""
    waiting = [document.pk for document in documents if waits_for_recognition(document)]
    return _numbers(Page.objects.filter(document__in=waiting).without_text()) if waiting else {}


def notes_of(documents: Iterable[Document], pictures: Mapping[int, list[int]]) -> dict[int, str]:
    """Which pages cannot be searched, and why: “Page 3 needs OCR, about 5 s.”, by document."""
    partly = [
        document.pk
        for document in documents
        if waits_for_recognition(document)
        or (document.status == DocumentStatus.READY and (document.pages_unreadable or document.pages_unsure))
    ]
    if not partly:
        return {}
    of = Page.objects.filter(document__in=partly)
    unreadable = _numbers(of.unreadable())
    failed = _numbers(of.ocr_failed())
    unsure = _numbers(of.recognised().filter(confidence__lt=SURE))
    return {
        pk: " ".join(
            sentence
            for sentence in (
                _sentence(pictures.get(pk, []), NEED_OCR),
                _sentence(unreadable.get(pk, []), UNREADABLE),
                _sentence(failed.get(pk, []), OCR_FAILED),
                _sentence(unsure.get(pk, []), HARD_TO_READ),
            )
            if sentence
        )
        for pk in partly
    }


def _numbers(pages: QuerySet[Page]) -> Mapping[int, list[int]]:
    """Page numbers by document, ascending."""
    found = pages.order_by("document_id", "number").values_list("document_id", "number")
    return {pk: [number for _, number in rows] for pk, rows in groupby(found, key=lambda pair: pair[0])}


def _sentence(numbers: Sequence[int], told: Any) -> str:
    """“Page 3 needs OCR, about 5 s.”, “Pages 3-5, 9 need OCR, about 20 s.”; empty without pages."""
    if not numbers:
        return ""
    return told.format(n=len(numbers), pages=named(numbers), time=expected_time(len(numbers)))
