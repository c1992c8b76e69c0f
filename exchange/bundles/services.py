"""Taking bundles in: what a person hands over becomes a row and a job; what is left behind is removed."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts import quotas
from accounts.models import UsageKind, User
from datasources.models import Datasource
from datasources.storage.errors import as_os_errors
from datasources.storage.files import documents_storage
from datasources.storage.stored_files import is_older, stored_names
from exchange.bundles import checking, importing
from exchange.bundles.checking import Checked
from exchange.bundles.errors import BundleError
from exchange.bundles.models import BundleImport, ImportStatus
from jobs.failures import Failure
from jobs.lanes import Lane
from jobs.runs import FencedRun, Stopped, claim
from localization.stored import Said, said
from providers.embedders import AbsentEmbedder, embedder

FOLDER = "imports"  # of the storage, in which bundles wait
MOST_AT_ONCE = 3  # bundles of one person
TOLD_EVERY = 1.0  # seconds
FORGOTTEN_AFTER = timedelta(days=14)
LEFT_AFTER = timedelta(hours=2)  # without any progress: its process is gone
OTHER_MODEL = gettext_noop(
    "Its passages were embedded with “{was}”, which this SVQ does not have. Documents, quotes, tables and the"
    " graph are all there, and searches find words; searches by meaning come back once the passages are"
    " embedded again (Settings, Models)."
)
LOST = Failure(
    code="gave_up",
    message=gettext_noop("This import stopped its worker, so it is not tried again."),
    hint=gettext_noop("Nothing was stored. Export it again, and import that; the worker's log says why."),
)
SHUT_OFF = gettext_noop("The account that imports it is switched off.")
OPEN_IT = gettext_noop(
    "Nothing was stored. Have an administrator switch the account on, then import it again."
)
MISSING = gettext_noop(
    "{count} of its documents came without their file, which the other host had lost. Their text is there."
)


def hand_over(owner: User, filename: str, file: BinaryIO) -> BundleImport:
    """Keep the file, and queue its import. Raises ValidationError, OSError."""
    _refuse_if_many(owner)
    if file.read(2) != b"PK":
        raise ValidationError(
            _(
                "“{file}” was not exported by SVQ as a datasource. Choose the .zip file that an export made."
            ).format(file=filename[:200]),
            code="no_bundle",
        )
    file.seek(0)
    row = _new(owner, filename)
    row.archive = f"{FOLDER}/{row.pk.hex}"
    with as_os_errors():
        row.archive = documents_storage().save(row.archive, File(file))
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=owner.pk)  # another upload may have come meanwhile
            _refuse_if_many(owner)
            row.save()
            task = app.configure_task("bundles.tasks.import_bundle", allow_unknown=False)
            lane = Lane(person=owner.pk, datasource=0)
            row.write(job_id=task.defer(import_id=str(row.pk), lane=lane.place()))
    except BaseException:
        _discard(row.archive)
        raise
    return row


def _refuse_if_many(owner: User) -> None:
    unfinished = BundleImport.objects.filter(owner=owner, status__in=BundleImport.unfinished)
    if unfinished.count() >= MOST_AT_ONCE:
        raise ValidationError(
            _("{n} imports are under way already. Wait until one is done.").format(n=MOST_AT_ONCE),
            code="busy",
        )


def take_in(owner: User, path: Path) -> BundleImport:
    """At once, from a file of this machine; what an operator does uses up nobody's quota.

    Raises BundleError, OSError; nothing is left of it then.
    """
    row = _new(owner, path.name, counted=False)
    row.run_token = uuid4()
    row.save()
    try:
        carry_out(Importing(row), path)
    except BaseException as error:
        Importing(row).fail(Importing(row).explain(error if isinstance(error, Exception) else Stopped()))
        _remove_originals(row)
        raise
    row.refresh_from_db()
    return row


def _new(owner: User, filename: str, *, counted: bool = True) -> BundleImport:
    name = filename.replace("\0", "")[:300] or "bundle.zip"
    return BundleImport(owner=owner, filename=name, reserved=importing.reserve_number(), counted=counted)


class Importing(FencedRun[BundleImport]):
    """One run of an import."""

    deadly = gettext_noop("This import stopped its worker twice, so it is not tried again.")
    safe = gettext_noop("Nothing was stored.")

    def announce(self, failure: Failure) -> None:
        """Nothing to do: the page of imports shows it."""


def run_import(row_id: str, should_stop: "object" = None) -> None:
    """The job: to a definite end."""
    row = claim(BundleImport.objects.filter(pk=row_id))
    if row is None:
        return
    run = Importing(row, should_stop) if callable(should_stop) else Importing(row)
    if not run.gives_up():
        run.carry_out(_from_storage)
    try:
        row.refresh_from_db()
    except BundleImport.DoesNotExist:  # it went with its person
        _discard(row.archive)
        _remove_originals(row)
        return
    if not row.is_unfinished:
        _discard(row.archive)
    if row.status == ImportStatus.FAILED:
        _remove_originals(row)


def _from_storage(run: Importing) -> None:
    with _on_disk(run.row.archive) as path:
        carry_out(run, path)


def carry_out(run: Importing, path: Path) -> None:
    """Check the bundle, store its files, and then all rows in one transaction: until that ends nobody sees
    anything of it. Raises BundleError, ValidationError, OSError, Stopped.
    """
    row = run.row
    _refuse_if_shut_off(row)
    _remove_originals(row)  # of a run before, whose process was killed
    with _Progress(run) as progress, checking.checked(path, progress.of(ImportStatus.CHECKING)) as bundle:
        _check_quota(row, bundle)
        row.write(originals=len(bundle.originals))
        stored = importing.store_originals(bundle, row.reserved, row.pk, progress.of(ImportStatus.STORING))
        with transaction.atomic():
            datasource = importing.write_rows(
                bundle, row.owner, row.reserved, stored, progress.of(ImportStatus.STORING)
            )
            if row.counted:
                quotas.use(row.owner, _amounts(bundle))
            notices = notices_of(bundle, datasource)
            _refuse_if_shut_off(row)  # it may have taken hours
            with run.writing():
                run.close(
                    status=ImportStatus.DONE,
                    done=1,
                    datasource=datasource,
                    notices=notices,
                    notice_words=[each.words for each in notices],
                )


def _refuse_if_shut_off(row: BundleImport) -> None:
    """Raises BundleError."""
    if not User.objects.filter(pk=row.owner_id, is_active=True).exists():
        raise BundleError(SHUT_OFF, OPEN_IT)


def notices_of(bundle: Checked, datasource: Datasource) -> list[Said]:
    notices = []
    if bundle.manifest.missing:
        notices.append(said(MISSING, count=len(bundle.manifest.missing)))
    if isinstance(embedder(datasource), AbsentEmbedder):
        notices.append(said(OTHER_MODEL, was=datasource.embedding_model))
    return notices


def _check_quota(row: BundleImport, bundle: Checked) -> None:
    if row.counted:
        try:
            quotas.check(row.owner, _amounts(bundle))
        except quotas.QuotaUsedUp as error:
            raise BundleError(error.message) from error


def _amounts(bundle: Checked) -> dict[UsageKind, int]:
    return {UsageKind.DOCUMENTS: bundle.documents, UsageKind.BYTES: bundle.size}


class _Progress:
    """Tells how far the import is, on a connection of its own: within the transaction nobody would see it."""

    def __init__(self, run: Importing) -> None:
        self.run = run
        self._told = 0.0

    def __enter__(self) -> "_Progress":
        self._own = connection.copy()
        return self

    def __exit__(self, *_: object) -> None:
        self._own.close()

    def of(self, status: ImportStatus) -> checking.Watch:
        def watch(done: int, total: int) -> None:
            if time.monotonic() - self._told < TOLD_EVERY:
                return
            self._told = time.monotonic()
            if self.run.should_stop():
                raise Stopped
            with self._own.cursor() as cursor:
                cursor.execute(
                    "UPDATE bundles_bundleimport SET status = %s, done = %s, changed = now()"
                    " WHERE id = %s AND run_token = %s",
                    [status.value, min(1.0, done / total), self.run.row.pk, self.run.token],
                )

        return watch


@contextmanager
def _on_disk(name: str) -> Iterator[Path]:
    """A stored bundle as a file of this machine. Raises OSError."""
    storage = documents_storage()
    try:
        yield Path(storage.path(name))
    except NotImplementedError:  # a remote storage has no paths
        with tempfile.NamedTemporaryFile() as copy:
            with as_os_errors(), storage.open(name) as source:
                for block in source.chunks():
                    copy.write(block)
            copy.flush()
            yield Path(copy.name)


def _discard(name: str) -> None:
    with suppress(OSError), as_os_errors():
        if name:
            documents_storage().delete(name)


def _remove_uploads_without_a_row() -> None:
    """A bundle is stored before its row: a kill between them leaves it."""
    with suppress(OSError):
        for name in stored_names(FOLDER):
            if is_older(name, LEFT_AFTER) and not BundleImport.objects.filter(archive=name).exists():
                _discard(name)


def _remove_originals(row: BundleImport) -> None:
    if row.originals and not Datasource.objects.filter(pk=row.reserved).exists():
        importing.remove_originals(row.reserved, row.pk, row.originals)


def _fail_lost() -> None:
    """Imports whose job is gone: their worker ran out of memory, or somebody took it off the queue."""
    jobs = ProcrastinateJob.objects.filter(id=OuterRef("job_id"), status__in=("todo", "doing"))
    waiting = BundleImport.objects.filter(status__in=BundleImport.unfinished).exclude(archive="")
    for pk in waiting.exclude(Exists(jobs)).values_list("pk", flat=True):
        if row := claim(BundleImport.objects.filter(pk=pk)):
            Importing(row).fail(LOST)
            row.refresh_from_db()
            _discard(row.archive)
            _remove_originals(row)


def tidy() -> None:
    """Remove what killed commands have left, bundles that nobody waits for, and rows of long ago."""
    now = timezone.now()
    for row in BundleImport.objects.filter(status__in=BundleImport.unfinished, archive=""):
        if row.changed < now - LEFT_AFTER:
            _remove_originals(row)
            row.delete()
    _fail_lost()
    ended = BundleImport.objects.exclude(status__in=BundleImport.unfinished)
    for row in ended.filter(changed__lt=now - FORGOTTEN_AFTER):
        _discard(row.archive)
        row.delete()
    _remove_uploads_without_a_row()
