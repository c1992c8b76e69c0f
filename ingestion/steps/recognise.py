"""The step that reads scans: OCR of pages that are pictures, each kept as soon as it is read."""

import zlib
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import Datasource, Document, DocumentStatus
from datasources.storage.files import source_file
from formats import PageText
from formats.base.doubts import DoubtKind
from formats.base.layout import Layout
from formats.ocr.by_words import recognise_by
from formats.ocr.certainty import after_own_text
from formats.ocr.reader import RecognisedPage, ScannedPage, recognise
from formats.registry import format_of
from ingestion.models import Doubt, OcrOutcome, Page, PageSource
from ingestion.queueing import queue_for_ocr
from ingestion.recognition import EXPECTED_SPEED, engine_of, pages_to_read
from ingestion.run import DocumentRun
from ingestion.step import Step
from ingestion.steps.extract import reading_limits, store_doubts
from ingestion.tasks import OCR_QUEUE
from jobs.runs import Stopped
from localization.numbers import numeral

PAGES_A_TURN = 20  # then other scans that wait come first
NO_INK = 8  # bytes of a character's box, all of them 0 where it has no ink
PROVEN = 2  # suspect pages whose text is right prove the others of the file


class Recognise(Step):
    name = "ocr"
    label = gettext_lazy("Recognise")
    status = DocumentStatus.RECOGNISING
    counted = "page_count"
    expected_speed = EXPECTED_SPEED

    def run(self, run: DocumentRun) -> None:
        """Read the pages that wait for it; a page at which OCR fails keeps what it had."""
        document = run.document
        if document.chunk_count:
            return
        waiting = pages_to_read(document)
        if not waiting:
            return
        if not run.may_recognise:
            queue_again(run)
        done = document.pages.exclude(ocr="").count()
        run.enter(self.status, total=done + len(waiting), done=done)
        with source_file(document) as file:
            if scan := format_of(document.mime).scan(file, reading_limits()):
                _Reading(run, scan, done).read(waiting)

    def takes_long(self, datasource: Datasource) -> bool:
        """Which pages need it is known only when it begins."""
        return False

    def now(self, document: Document) -> str:
        at, total = min(document.stage_done + 1, document.stage_total), document.stage_total
        if not total:
            return _("Recognising text")
        return _("Recognising text, page {n} of {total}").format(n=numeral(at), total=numeral(total))


class _Reading:
    """One document's pages on their way through OCR."""

    def __init__(self, run: DocumentRun, scan: Path, done: int) -> None:
        self._run = run
        self._scan = scan
        self._done = done
        self._right = 0  # texts of suspect pages that were right

    def read(self, waiting: Sequence[ScannedPage]) -> None:
        """A few suspect pages come first: they may prove the others."""
        suspects = [page for page in waiting if page.has_text]
        tried, rest = suspects[:PROVEN], suspects[PROVEN:]
        self._read_all(tried)
        if rest and self._right == PROVEN:
            self._trust()
            rest = []
        self._read_all([*rest, *(page for page in waiting if not page.has_text)])

    def _read_all(self, pages: Sequence[ScannedPage]) -> None:
        for start in range(0, len(pages), PAGES_A_TURN):
            self._read_turn(pages[start : start + PAGES_A_TURN])
            if pages[start + PAGES_A_TURN :] and others_wait():
                queue_again(self._run)

    def _read_turn(self, pages: Sequence[ScannedPage]) -> None:
        beside = {page.number for page in pages if page.is_beside}
        with closing(self._recognised(pages)) as read:
            for page in read:
                self._store(page, beside=page.number in beside)

    def _recognised(self, pages: Sequence[ScannedPage]) -> Generator[RecognisedPage]:
        datasource = self._run.document.datasource
        engine = engine_of(datasource)
        if engine is None:
            return recognise(
                self._scan,
                pages,
                languages=datasource.scan_languages,
                memory_bytes=settings.OCR_MEMORY_BYTES,
            )
        return recognise_by(engine, self._scan, pages, self._own, reading_limits())

    def _own(self, number: int) -> PageText:
        row = self._run.document.pages.get(number=number)
        return PageText(
            number=number, text=row.text, boxes=bytes(row.boxes), width=row.width, height=row.height
        )

    def _trust(self) -> None:
        with self._run.writing():
            suspects = self._run.document.pages.filter(suspect=True)
            Doubt.objects.filter(page__in=suspects, kind=DoubtKind.LETTERS).delete()
            trusted = suspects.update(suspect=False)
            self._done += trusted
            self._run.advance(self._done)

    def _store(self, read: RecognisedPage, *, beside: bool) -> None:
        self._done += 1
        with self._run.writing():
            self._keep(self._run.document.pages.get(number=read.number), read, beside=beside)
            self._run.advance(self._done)
        self._run.tick()

    def _keep(self, row: Page, read: RecognisedPage, *, beside: bool) -> None:
        """What was read takes the place of the page's own text or goes `beside` it, if anything was."""
        page = read.page
        if read.lost:
            row.ocr = OcrOutcome.FAILED
        elif page is None:
            self._right += row.suspect
            row.suspect = False
        else:
            row.ocr, row.suspect, row.picture = OcrOutcome.DONE, False, False
        if page is not None and beside:
            add_to_own(row, read, page)
        elif page is not None and (page.text.strip() or not row.text.strip()):
            row.source = PageSource.OCR
            row.layout = Layout().as_json()
            row.text, row.boxes, row.width, row.height = page.text, page.boxes, page.width, page.height
            row.quarter_turns, row.certainty, row.confidence = (
                read.quarter_turns,
                read.certainty,
                read.confidence,
            )
        row.save()
        if not read.lost:
            replace_doubts(row, read)


def replace_doubts(row: Page, read: RecognisedPage) -> None:
    """What is left unread after OCR takes the place of the doubts that it has looked at: of all where its
    text is the page's now.
    """
    looked_at = Doubt.objects.filter(page=row)
    if read.page is None:
        looked_at = looked_at.filter(kind=DoubtKind.LETTERS)
    elif row.source != PageSource.OCR:
        looked_at = looked_at.filter(kind=DoubtKind.UNREAD)
    looked_at.delete()
    last = Doubt.objects.filter(page=row).aggregate(last=Max("position", default=0))["last"]
    store_doubts([row], [read.unread], first=last + 1)


def add_to_own(row: Page, read: RecognisedPage, page: PageText) -> None:
    """Put what was read in a page's pictures behind its own text."""
    if not page.text.strip():
        return
    own = row.text.rstrip("\n") + "\n"
    boxes = zlib.decompress(row.boxes)[: NO_INK * (len(own) - 1)] + bytes(NO_INK)
    row.source = PageSource.BOTH
    row.certainty, row.confidence = after_own_text(read.certainty, len(own)), read.confidence
    row.text, row.boxes = own + page.text, zlib.compress(boxes + zlib.decompress(page.boxes), 1)


def queue_again(run: DocumentRun) -> NoReturn:
    """Queue the document for the rest of its pages, behind other scans. Raises Stopped."""
    with run.writing() as document:
        queue_for_ocr(document)
    raise Stopped


def others_wait() -> bool:
    """Whether other scans are to be read now; those that failed are tried again only later."""
    due = Q(scheduled_at=None) | Q(scheduled_at__lte=timezone.now())
    return ProcrastinateJob.objects.filter(due, queue_name=OCR_QUEUE, status="todo").exists()
