"""An import under way: what arXiv says about all papers first, their abstracts, then one PDF after the other.

Each step is written down when it is done, so a worker that is killed costs the download it was at.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import BinaryIO

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.quotas import QuotaUsedUp
from datasources.models import GONE, Document, Role
from datasources.refusals import sentence_of
from desks.research import papers, queue
from desks.research.arxiv_api import client
from desks.research.arxiv_api.errors import BadContent, GaveUp, NotThere
from desks.research.arxiv_api.feed import ArxivPaper
from desks.research.models import UNFINISHED_ITEMS, ImportedPaper, ImportStatus, ItemStatus, PaperImport
from desks.research.services import defer_import
from ingestion.adding.upload import Accepted, accept_upload
from ingestion.lifecycle.purging import purge
from jobs.failures import Failure
from jobs.runs import FencedRun, Stopped, claim
from localization.stored import said, sentences

logger = logging.getLogger(__name__)

PATIENCE = 20  # seconds: for a longer wait the job leaves its place to others
IN_A_ROW = 3  # papers that arXiv refuses one after the other: then the import stops
TOLD_EVERY = 0.5  # seconds between two marks of progress
NO_ACCESS = Failure(
    code="no_access",
    message=gettext_noop("The person who started this can no longer add documents here."),
    hint=gettext_noop("Another editor can start an import."),
)


class Later(Exception):
    """arXiv is free only after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(seconds)


class ImportRun(FencedRun[PaperImport]):
    """Created by `begin`."""

    safe = gettext_noop("What was imported is kept.")
    deadly = gettext_noop("This stopped its worker several times, so it is not tried again.")
    max_deaths = 5
    counted = True  # in the hour's quota of its person
    until: float | None = None  # of time.monotonic: when others have their turn
    refused = 0  # papers one after the other

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""

    def waiting(self, seconds: float) -> None:
        """Raises Stopped when it was paused or cancelled, Later where the wait is long."""
        if self.should_stop() or not self._mine().exists():
            raise Stopped
        if self.until is not None and seconds > PATIENCE:
            raise Later(seconds)

    def left(self) -> Iterator[ImportedPaper]:
        items = self.row.imported_papers.filter(status__in=UNFINISHED_ITEMS)
        yield from items.select_related("document").order_by("position")


@transaction.atomic
def begin(import_id: int, should_stop: Callable[[], bool]) -> ImportRun | None:
    """Take over the import from any other worker; None if it has ended or was deleted."""
    rows = PaperImport.objects.select_related("datasource", "asked_by")
    row = claim(rows.filter(pk=import_id).order_by())
    if row is None:
        return None
    run = ImportRun(row, should_stop)
    if run.gives_up():
        return None
    if row.asked_by is None or not row.datasource.allows(row.asked_by, Role.EDITOR, even_archived=True):
        run.fail(NO_ACCESS)
        return None
    row.write(status=ImportStatus.RUNNING)
    return run


def carry_on(
    import_id: int,
    should_stop: Callable[[], bool] = lambda: False,
    seconds: float | None = None,
    *,
    counted: bool = True,
) -> None:
    """Go on with an import: for so many seconds, then its job is queued again. None: to its end.

    Raises what `FencedRun.settle` raises.
    """
    if run := begin(import_id, should_stop):
        run.counted = counted
        run.until = None if seconds is None else time.monotonic() + seconds
        run.carry_out(_import)


def _import(run: FencedRun[PaperImport]) -> None:
    assert isinstance(run, ImportRun)
    try:
        _ask_about(run)
        for item in run.left():
            if run.until is not None and time.monotonic() > run.until:
                raise Later(0)
            _fetch(run, item)
    except Later as later:
        with run.writing():
            run.close(job_id=defer_import(run.row, round(later.seconds)), attempts=0, unended=0)
        return
    with run.writing():
        run.close(status=ImportStatus.DONE, finished=timezone.now(), attempts=0, unended=0)


# --- what arXiv says -------------------------------------------------------------------------------------
def _ask_about(run: ImportRun) -> None:
    """Keep what arXiv says about the papers, and read their abstracts, for so many papers at once."""
    while unknown := [item for item in run.left() if not item.told][: client.AT_ONCE]:
        found = _asked(run, unknown)
        papers.heard_of(run.row.asked_by, found)
        by_number = {(each.number, each.version): each for each in found}
        newest = {each.number: each for each in found}
        here = papers.here(run.row.datasource, list(newest))
        for item in unknown:
            told = by_number.get((item.number, item.version)) if item.version else newest.get(item.number)
            with run.writing():
                _decide(run, item, told, here.get(item.number))


def _asked(run: ImportRun, items: Sequence[ImportedPaper]) -> list[ArxivPaper]:
    first = items[0]
    return queue.ask(
        lambda turn: client.by_ids([item.id_at_arxiv for item in items], turn.keep),
        tried=first.tries,
        waiting=run.waiting,
        refused=lambda tries: first.write(tries=tries),
    )


def _decide(run: ImportRun, item: ImportedPaper, told: ArxivPaper | None, known: papers.Paper | None) -> None:
    """What is to be done about a paper, now that arXiv has said what it is; called within `writing`."""
    run.row.write(unended=0)
    if told is None:
        item.say(ItemStatus.FAILED, said("arXiv has no paper {paper}.", paper=str(item.id_at_arxiv)))
        return
    item.write(title=told.title, told=told.as_json(), tries=0)
    if known and known.has_full_text and known.version >= told.version:
        item.write(status=ItemStatus.HERE, document=known.document, told={})
    elif told.is_withdrawn:
        why = told.comment or said("arXiv only has its abstract.")
        item.say(ItemStatus.WITHDRAWN, said("Withdrawn by its authors or by arXiv: {why}", why=why))
    elif known:
        item.write(document=known.document)
    elif told.abstract:
        _store_abstract(run, item, told)


def _store_abstract(run: ImportRun, item: ImportedPaper, told: ArxivPaper) -> None:
    try:
        with transaction.atomic():
            row = run.row
            document = papers.keep_abstract(row.datasource, row.asked_by, told, counted=run.counted)
            item.write(document=document)
    except ValidationError as refusal:
        item.say(ItemStatus.FAILED, sentence_of(refusal))


# --- the PDF ---------------------------------------------------------------------------------------------
def _fetch(run: ImportRun, item: ImportedPaper) -> None:
    told = item.paper
    assert told is not None
    with run.writing():
        item.write(status=ItemStatus.DOWNLOADING, size_done=0, size_total=0)
    try:
        with TemporaryFile() as file:
            _download(run, item, told, file)
            with run.writing():
                _store(run, item, told, file)
                run.row.write(unended=0)
        run.refused = 0
    except (BadContent, NotThere, GaveUp) as error:
        run.refused = run.refused + 1 if isinstance(error, GaveUp) else 0
        if run.refused >= IN_A_ROW:
            raise
        _fail(run, item, sentences(error.message, error.hint))
    except QuotaUsedUp as refusal:
        with run.writing():
            item.write(status=ItemStatus.WAITING)
            hint = gettext_noop("Go on with the import then.")
            failure = Failure(code="quota", message=sentence_of(refusal), hint=hint)
            run.close(status=ImportStatus.FAILED, finished=timezone.now(), **failure.columns())
        raise Stopped from None
    except ValidationError as refusal:
        _fail(run, item, sentence_of(refusal))


def _download(run: ImportRun, item: ImportedPaper, told: ArxivPaper, file: BinaryIO) -> None:
    marked = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal marked
        if time.monotonic() - marked >= TOLD_EVERY:
            marked = time.monotonic()
            with run.writing():
                item.write(size_done=done, size_total=total)

    def request(turn: queue.Turn) -> None:
        file.seek(0)
        file.truncate()
        client.pdf(told.id, file, turn.keep, progress)

    queue.ask(request, tried=item.tries, waiting=run.waiting, refused=lambda tries: item.write(tries=tries))


def _store(run: ImportRun, item: ImportedPaper, told: ArxivPaper, file: BinaryIO) -> None:
    """The PDF takes the place of the abstract, or of the version before; called within `writing`."""
    old = Document.objects.filter(pk=item.document_id or 0).first()
    if old is not None and old.status in GONE:
        gone = gettext_noop("Its document was deleted or replaced meanwhile.")
        item.say(ItemStatus.FAILED, gone)
        return
    size = file.seek(0, 2)
    accepted = _stored(run, f"{str(told.id).replace('/', '-')}.pdf", file, replaces=old)
    document = accepted.document
    papers.describe(document, told, has_full_text=True, renamed=not accepted.duplicate)
    item.write(
        status=ItemStatus.DONE,
        document=document,
        told={},
        size_done=size,
        size_total=size,
        message="",
        message_words=None,
    )
    if accepted.duplicate and old is not None and old.pk != document.pk and not old.paper.has_full_text:
        purge(old, run.row.asked_by)  # the file was here already, so nothing replaces the abstract


def _stored(run: ImportRun, name: str, file: BinaryIO, *, replaces: Document | None = None) -> Accepted:
    row = run.row
    file.seek(0)
    return accept_upload(row.datasource, row.asked_by, name, file, replaces=replaces, counted=run.counted)[0]


def _fail(run: ImportRun, item: ImportedPaper, message: str) -> None:
    if item.document_id:
        message = sentences(message, gettext_noop("Its abstract is here."))
    with run.writing():
        item.say(ItemStatus.FAILED, message)
