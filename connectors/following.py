"""One look at a followed folder: what is new is added, what has changed becomes a new version, what is gone
there goes here.

Each file is written down with its document, in one transaction: a worker that is killed costs the file it was
at. What cannot be listed as a whole deletes nothing.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.quotas import QuotaUsedUp
from chat.scope import newest_versions
from connectors.models import Brought, Connector, FollowedFile, FollowedFileQuerySet, Kind, Status, parted
from connectors.opening import source_of
from connectors.services import SITE_ADVICE, defer_look, lock_datasource
from connectors.sources.source import (
    LONGEST_PATH,
    OF_SOME_FILES,
    Entry,
    FileGone,
    FileRefused,
    Source,
    SourceError,
    Unchanged,
    too_large,
)
from datasources.models import GONE, Document, DocumentStatus, Role, WebPage
from datasources.models.documents import name_of_file
from datasources.models.tags import folder_tag
from formats.registry import SUFFIXES, describe_formats
from ingestion.adding import describing
from ingestion.adding.naming import is_named
from ingestion.adding.upload import Accepted, accept_upload
from ingestion.lifecycle.deletion import delete_documents
from ingestion.web_pages.adding import OFF
from jobs.failures import Failure
from jobs.runs import FencedRun, Stopped, claim
from text.counted import counted

MOST_FILES = 20_000  # of a folder
LONGEST_PATHS = 5_000_000  # characters of all together
LOOK_SECONDS = 900  # of a turn: then it is ended
AT_ONCE = 50  # documents that a transaction deletes
TOLD_EVERY = 25  # unchanged files between two marks of progress
# What goes at once only when a person has said so, as a folder that is not mounted looks empty: more than
# FEW documents that are more than this SHARE of all, or more than MANY.
FEW, SHARE, MANY = 20, 0.5, 100
ALIKE = 2  # pages of a site that may become the same as others there, unless they are half of all
LONGEST_WAIT = 240  # minutes to the next look at a folder that failed, unless it usually waits longer
LONGEST_ALONE = 86_400.0  # seconds for which a place is left alone that asks for it
PASSING = ("quota", "many_gone")  # failures that end by themselves, or by a person's word: no longer waits
TEMPORARY = ("~$", ".")  # how names of files begin that programs keep for themselves
NO_ACCESS = Failure(
    code="no_access",
    message="The person who connected this folder can no longer add documents here.",
    hint="Another owner can delete it and connect it again.",
)
NO_ADMINISTRATOR = Failure(
    code="no_access",
    message="The person who connected this folder of the server is no longer an administrator.",
    hint="Another administrator can delete it and connect it again.",
)
FETCHING_OFF = Failure(code="fetching_off", message=OFF, hint=f"{SITE_ADVICE} Its documents stay.")


class Later(Exception):
    """Others have their turn."""


class Look(FencedRun[Connector]):
    activity = "Comparing this folder"
    advice = "What is here stays. Look again"
    deadly = "This stopped its worker several times, so it is not tried again."
    max_deaths: ClassVar[int] = 5
    seconds: float | None = None  # that it compares before others have their turn; None: to its end
    may_go: int = 0  # documents that a person lets go with this look
    alone: float = 0.0  # seconds for which the place asks to be left alone
    paths: Collection[str] = ()  # of all files there

    @contextmanager
    def writing(self) -> Iterator[Connector]:
        with transaction.atomic():
            lock_datasource(self.row.pk)
            with super().writing() as row:
                yield row

    @transaction.atomic
    def fail(self, failure: Failure) -> None:
        lock_datasource(self.row.pk)
        super().fail(failure)

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there. It waits longer with each failure in a row."""
        failures = 0 if failure.code in PASSING else self.row.failures + 1
        longer = self.row.every * 2 ** min(max(failures - 1, 0), 5)
        wait = timedelta(minutes=max(self.row.every, min(longer, LONGEST_WAIT)))
        next_look = max(timezone.now() + wait, self.not_before())
        self.row.write(failures=failures, next_look=next_look)

    def not_before(self) -> datetime:
        """When the place may be asked again."""
        return timezone.now() + timedelta(seconds=min(self.alone, LONGEST_ALONE))


@transaction.atomic
def begin(connector: int, should_stop: Callable[[], bool]) -> Look | None:
    """Take it over from any other worker; None if it is not due any more."""
    lock_datasource(connector)
    rows = Connector.objects.select_related("datasource", "made_by")
    row = claim(rows.filter(pk=connector).order_by())
    if row is None:
        return None
    look = Look(row, should_stop)
    if row.datasource.archived:
        look.close(status=Status.IDLE, attempts=0, unended=0, may_go=0)
        return None
    # What a person has allowed is for this look alone, whatever becomes of it.
    look.may_go = row.may_go
    due = timezone.now() + timedelta(minutes=row.every)
    row.write(status=Status.RUNNING, next_look=due, may_go=0, gone=0)
    if look.gives_up():
        return None
    person = row.made_by
    if person is None or not person.is_active or not row.datasource.allows(person, Role.EDITOR):
        look.fail(NO_ACCESS)
        return None
    if row.is_of_server and not person.is_superuser:
        look.fail(NO_ADMINISTRATOR)
        return None
    if row.kind == Kind.SITE and not settings.FETCH_WEB_PAGES:
        look.fail(FETCHING_OFF)
        return None
    return look


def carry_on(
    connector: int, should_stop: Callable[[], bool] = lambda: False, seconds: float | None = None
) -> None:
    """Look, or go on with a look, for so many seconds; then its job is queued again. None: to its end.

    Raises what `FencedRun.settle` raises.
    """
    if look := begin(connector, should_stop):
        look.seconds = seconds
        look.carry_out(_look)


def _look(look: FencedRun[Connector]) -> None:
    assert isinstance(look, Look)
    try:
        source = source_of(look.row, look.should_stop)
        try:
            _compare(look, source)
        except SourceError as error:
            if look.should_stop():  # which has cut the request off
                raise Stopped from None
            look.alone = error.retry_after
            raise
        finally:
            source.close()
    except Later:
        with look.writing():
            again = {"may_go": look.may_go, "job_id": defer_look(look.row)}
            look.close(**again, status=Status.QUEUED, attempts=0, unended=0)
        return
    except QuotaUsedUp as refusal:
        look.fail(Failure(code="quota", message=refusal.messages[0], hint="It goes on by itself then."))
        return
    with look.writing() as row:
        nothing = {"error_code": "", "error_message": "", "error_hint": "", "error_detail": ""}
        told = {"next_look": max(row.next_look, look.not_before()), "looked": timezone.now(), "failures": 0}
        look.close(**nothing, **told, status=Status.IDLE, attempts=0, unended=0)


# --- what is there ---------------------------------------------------------------------------------------
def _compare(look: Look, source: Source) -> None:
    """Raises Later once its time is over, but never before it has taken a file, nor before it has compared as
    long as the list took, which the next turn begins with again. That is a third of its task's time at most,
    as the list and the last file may each take as long.
    """
    begun = time.monotonic()
    entries = _listed(look, source)
    as_long = min(time.monotonic() - begun, LOOK_SECONDS / 3)
    seconds = None if look.seconds is None else max(look.seconds, as_long)
    look.paths = entries.keys()
    end = None if seconds is None else time.monotonic() + seconds
    known = {file.path: file for file in look.row.files.select_related("document")}
    with look.writing():
        look.row.write(found=len(entries), done=0)
    for number, entry in enumerate(_in_turn(entries, known)):
        file = known.get(entry.path)
        is_due = _is_due(entry, file)
        if is_due or number % TOLD_EVERY == 0:
            with look.writing():
                look.row.write(done=number)
        if is_due:
            _take(look, source, entry, file)
            if _is_over(end):
                raise Later
    both = sorted(entries.keys() & known.keys())
    _try_again(look, source, [(entries[path], known[path]) for path in both], end)
    missing = _missing(look.row, entries)
    _refuse_to_empty(look, missing)
    _forget(look, missing)


def _is_due(entry: Entry, file: FollowedFile | None) -> bool:
    return file is None or (file.version != entry.version and not entry.refusal)


def _in_turn(entries: Mapping[str, Entry], known: Mapping[str, FollowedFile]) -> list[Entry]:
    """What has to be fetched comes last, and of that first what is new here, then the pages that were asked
    for the longest time ago, as their versions say: a slow site is never read to its end in a day.
    """

    def turn(entry: Entry) -> tuple[bool, bool, str, str]:
        file = known.get(entry.path)
        day = file.version.rpartition(" ")[2] if file is not None and entry.address else ""
        return _is_due(entry, file), file is not None, day, entry.path

    return sorted(entries.values(), key=turn)


def _missing(row: Connector, entries: Mapping[str, Entry]) -> list[FollowedFile]:
    """What was there and is no longer: in no list, or the place says so when it is fetched. What lies below
    something that the place does not give may be.
    """
    withheld = tuple(f"{entry.path}/" for entry in entries.values() if entry.refusal)
    files = row.files.select_related("document").order_by("path")
    return [
        file
        for file in files
        if (file.is_gone and file.document_id)
        or (file.path not in entries and not file.path.startswith(withheld))
    ]


def _is_over(end: float | None) -> bool:
    return end is not None and time.monotonic() > end


def _try_again(
    look: Look, source: Source, pairs: Sequence[tuple[Entry, FollowedFile]], end: float | None
) -> None:
    """What was refused for something that may have passed: its server, a limit, a right. As far as the time
    suffices: the next look tries the rest.
    """
    for entry, file in pairs:
        if file.version != entry.version or not file.refusal or file.is_unreadable:
            continue
        if entry.refusal or not _is_readable(entry):
            continue
        if _is_over(end):
            return
        try:
            _take(look, source, entry, file)
        except SourceError as error:
            if error.code not in OF_SOME_FILES:
                raise
            look.alone = error.retry_after
            return


def _is_readable(entry: Entry) -> bool:
    return entry.called.suffix.lower() in SUFFIXES


def _listed(look: Look, source: Source) -> dict[str, Entry]:
    """By path, without what programs keep for themselves. Raises SourceError, Stopped."""
    entries: dict[str, Entry] = {}
    characters = 0
    for entry in source.entries():
        if look.should_stop():
            raise Stopped
        if any(part.startswith(TEMPORARY) for part in PurePosixPath(entry.path).parts):
            continue
        if len(entry.path) > LONGEST_PATH or "\0" in entry.path:
            continue
        entries[entry.path] = entry
        characters += len(entry.path)
        if len(entries) > MOST_FILES or characters > LONGEST_PATHS:
            raise SourceError(
                "many_files",
                f"There are more than {MOST_FILES:,} files in this folder, or their names are too long.",
                "Nothing was changed. Connect folders in it, one by one.",
            )
    return entries


def _refuse_to_empty(look: Look, missing: Sequence[FollowedFile]) -> None:
    """Raises SourceError."""
    going = len(_going(look.row, missing))
    if not look.row.deletes or going <= look.may_go:
        return
    kept = look.row.files.kept()
    documents = kept.values("document").distinct().count()
    left = set(kept.exclude(pk__in=[file.pk for file in missing]).values_list("document", flat=True))
    is_empty = left.isdisjoint(_known_before(look.row))
    alike = _alike(look.row, missing)
    is_wall = alike > ALIKE or (alike > 0 and alike >= SHARE * documents)
    if is_wall or is_empty or going > MANY or (going > FEW and going > SHARE * documents):
        with look.writing():
            look.row.write(gone=going)
            if look.row.kind == Kind.SITE:
                look.row.files.update(version="")  # the next look asks for each page, to see if it is back
        raise SourceError(
            "many_gone",
            f"{counted(alike, 'page')} of the site became the same as others there, as where all lead to one "
            "that asks to sign in. No document was deleted."
            if is_wall
            else f"The files of {counted(going, 'document')} are no longer there. No document was deleted.",
            "If that is right, let them be deleted here, too; else see whether the folder is all there.",
        )


def _alike(row: Connector, missing: Sequence[FollowedFile]) -> int:
    """Pages of a site whose content is now that of another one there."""
    if row.kind != Kind.SITE:
        return 0
    ends = {file.path: parted(file.document_id) for file in missing}
    replaced = {path.removesuffix(end) for path, end in ends.items() if path.endswith(end)}
    left = row.files.kept().exclude(path__in=ends).values_list("path", "document")
    having = Counter(document for _, document in left)
    return sum(having[document] > 1 for path, document in left if path[:900] in replaced)


def _known_before(row: Connector) -> set[int | None]:
    """The documents of the last look that came to its end: what this one has taken may be of another folder
    that lies there now.
    """
    kept = row.files.kept()
    known = kept if row.looked is None else kept.filter(created__lte=row.looked)
    return set(known.values_list("document", flat=True))


# --- one file --------------------------------------------------------------------------------------------
def _take(look: Look, source: Source, entry: Entry, file: FollowedFile | None) -> None:
    """Add it, or its new version. What people have deleted here stays away."""
    values: dict[str, object]
    if file is not None and _is_deleted_here(file):
        if file.document_id:  # for a moment yet: a later look sees whether it was brought back
            return
        values = {}
    else:
        if file is not None and file.document_id and not file.is_unreadable:
            entry = replace(entry, remembered=file.remembered)
        try:
            with TemporaryFile() as content:
                remembered = _fetch(source, entry, content)
                with look.writing():
                    if file is None or not _is_deleted_here(file):
                        accepted = _accepted(look.row, entry, file, content)
                        _keep(look, replace(entry, remembered=remembered), file, accepted)
            return
        except Unchanged:
            values = {"refusal": "", "is_gone": False}
        except FileRefused as refusal:
            is_gone = isinstance(refusal, FileGone)
            values = {"refusal": refusal.message[:500], "is_unreadable": False, "is_gone": is_gone}
        except QuotaUsedUp:
            raise
        except ValidationError as refusal:
            is_unreadable = getattr(refusal, "code", "") == "unsupported"
            said = refusal.messages[0][:500]
            values = {"refusal": said, "is_unreadable": is_unreadable, "is_gone": False}
    with look.writing():
        _write(look.row, entry, values)
        if file is None or file.version != entry.version:  # else the next look is as far as this one
            look.row.write(unended=0)


def _is_deleted_here(file: FollowedFile) -> bool:
    """Whether people have deleted its document, or the one that has replaced it: now, as looks take long."""
    file.refresh_from_db(fields=["document", "refusal"])
    if file.document_id is None:
        return not file.refusal
    ids = {file.document_id}
    while ids:
        documents = Document.objects.filter(pk__in=ids)
        if documents.removed().exists():
            return True
        replaced = documents.filter(status=DocumentStatus.SUPERSEDED)
        ids = set(Document.objects.filter(replaces__in=replaced).values_list("pk", flat=True))
    return False


def _fetch(source: Source, entry: Entry, content: BinaryIO) -> str:
    """Raises FileRefused before anything is fetched that would not be taken, and what `fetch` raises."""
    if entry.refusal:
        raise FileRefused(entry.refusal)
    if not _is_readable(entry):
        raise FileRefused(f"SVQ cannot read files of this kind, only {describe_formats()}.")
    if entry.size is not None and entry.size > settings.MAX_UPLOAD_BYTES:
        raise too_large(settings.MAX_UPLOAD_BYTES)
    return source.fetch(entry, content, settings.MAX_UPLOAD_BYTES)


def _accepted(row: Connector, entry: Entry, file: FollowedFile | None, content: BinaryIO) -> Accepted:
    called, old = entry.called, _newest(row, file)
    return accept_upload(
        row.datasource,
        row.made_by,
        called.name,
        content,
        replaces=old,
        tag="" if old else folder_tag(str(called)),
    )[0]


def _newest(row: Connector, file: FollowedFile | None) -> Document | None:
    """The version that is here now, if it is not deleted. None where another file, of whichever folder, still
    has it: then the change is of this file alone.
    """
    if file is None or file.document_id is None:
        return None
    if _followed(row).filter(document=file.document_id).exclude(pk=file.pk).exists():
        return None
    return Document.objects.filter(pk__in=newest_versions(row.datasource_id, [file.document_id])).last()


def _keep(look: Look, entry: Entry, file: FollowedFile | None, accepted: Accepted) -> None:
    """Within the transaction that has stored the document."""
    document = accepted.document
    before = look.row.files.filter(document=document).exclude(path=entry.path).first()
    if before is not None and before.path not in look.paths and _brought([document.pk]):
        _rename(document, entry)
    if file is not None and accepted.duplicate and file.document_id != document.pk:
        _part_with(look.row, file)
    if not accepted.duplicate and (document.replaces_id is None or _brought([document.replaces_id])):
        Brought.objects.create(document=document)
    if entry.address and not accepted.duplicate:
        WebPage.objects.create(
            document=document, address=entry.address, final_address=entry.address, fetched=timezone.now()
        )
    values = {"document": document, "refusal": "", "is_unreadable": False, "is_gone": False}
    _write(look.row, entry, values | {"remembered": entry.remembered})
    look.row.write(unended=0)


def _followed(row: Connector) -> FollowedFileQuerySet:
    """In all folders of the datasource."""
    return FollowedFile.objects.filter(connector__datasource=row.datasource_id)


def _brought(documents: Collection[int]) -> set[int]:
    """Those of them that came from a folder, with all their versions. The next one of what a person has
    added, or has changed by hand, is theirs as well.
    """
    return set(Brought.objects.filter(document__in=documents).values_list("document_id", flat=True))


def _part_with(row: Connector, file: FollowedFile) -> None:
    """Another file has taken its path. What it was is gone, which is settled at the end of the look, with all
    else that is: under a path that no file has.
    """
    if file.document_id and _brought([file.document_id]):
        path = f"{file.path[:900]}{parted(file.document_id)}"
        was = {"version": file.version, "document": file.document}
        FollowedFile.objects.update_or_create(connector=row, path=path, defaults=was)


def _rename(document: Document, entry: Entry) -> None:
    """The same content under another path: renamed or moved there."""
    name = entry.called.name
    if name == document.filename:
        return
    if not is_named(document) and document.title == name_of_file(document.filename):
        document.write(filename=name)
        describing.describe(document, title=name_of_file(name))
    else:
        document.write(filename=name)


def _write(row: Connector, entry: Entry, values: Mapping[str, object]) -> None:
    FollowedFile.objects.update_or_create(
        connector=row, path=entry.path, defaults={"version": entry.version, **values}
    )


# --- what is gone ----------------------------------------------------------------------------------------
def _forget(look: Look, missing: Sequence[FollowedFile]) -> None:
    for start in range(0, len(missing), AT_ONCE):
        some = missing[start : start + AT_ONCE]
        with look.writing() as row:
            going = _going(row, some) if row.deletes else {}
            versions = [pk for each in going.values() for pk in each]
            delete_documents(row.datasource, versions, row.made_by)
            row.files.filter(pk__in=[file.pk for file in some]).delete()


def _going(row: Connector, missing: Sequence[FollowedFile]) -> dict[int, set[int]]:
    """The documents that came from there, and whose last file this is, each with its versions that are here
    yet. A version that people have added to one is theirs, and stays.
    """
    came = _brought({file.document_id for file in missing if file.document_id})
    versions = _still_here(came)
    others = _followed(row).exclude(pk__in=[file.pk for file in missing])
    theirs = set(
        others.filter(document__in=came.union(*versions.values())).values_list("document_id", flat=True)
    )
    left = {pk: each - theirs for pk, each in versions.items() if pk not in theirs}
    return {pk: each for pk, each in left.items() if each}


def _still_here(documents: Collection[int]) -> dict[int, set[int]]:
    """Of each document the versions that are here, itself and those before it: an earlier one answers until
    its successor is read, which it may never be.
    """
    found: dict[int, set[int]] = {}
    document_of = {pk: pk for pk in documents}
    while document_of:
        rows = Document.objects.filter(pk__in=document_of).values_list("pk", "status", "replaces_id")
        earlier: dict[int, int] = {}
        for pk, status, replaces in rows:
            if status not in GONE:
                found.setdefault(document_of[pk], set()).add(pk)
            if replaces:
                earlier[replaces] = document_of[pk]
        document_of = earlier
    return found
