"""One look at a connected source: what is new is added, what has changed becomes a new version, what is gone
there goes here.

Each file is written down with its document, in one transaction: a worker that is killed costs the file it was
at. What cannot be listed as a whole deletes nothing.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.quotas import QuotaUsedUp
from datasources.refusals import sentence_of
from exchange.connectors import readers
from exchange.connectors.look import Look, begin
from exchange.connectors.missing import forget, missing_of, refuse_to_empty
from exchange.connectors.models import Connector, FollowedFile, Status
from exchange.connectors.opening import source_of
from exchange.connectors.services import defer_look
from exchange.connectors.sources.source import (
    LONGEST_PATH,
    OF_SOME_FILES,
    Entry,
    Source,
    SourceError,
)
from exchange.connectors.taking import is_readable, take
from jobs.failures import Failure
from jobs.models import RELEASED
from jobs.runs import FencedRun, Stopped
from localization.stored import said

MOST_FILES = 20_000  # of a folder
LONGEST_PATHS = 5_000_000  # characters of all together
LOOK_SECONDS = 900  # of a turn: then it is ended
PROGRESS_EVERY = 25  # unchanged files between two marks of progress
TEMPORARY = ("~$", ".")  # how names of files begin that programs keep for themselves


class Later(Exception):
    """Others have their turn."""


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
        look.fail(
            Failure(
                code="quota", message=sentence_of(refusal), hint=gettext_noop("It goes on by itself then.")
            )
        )
        return
    with look.writing() as row:
        nothing = {name: RELEASED[name] for name in RELEASED if name.startswith("error_")}
        values = {"next_look": max(row.next_look, look.not_before()), "looked": timezone.now(), "failures": 0}
        look.close(**nothing, **values, status=Status.IDLE, attempts=0, unended=0)


def _compare(look: Look, source: Source) -> None:
    """Raises Later once its time is over, but never before it has taken a file, nor before it has compared as
    long as the list took, which the next turn begins with again. That is a third of its task's time at most,
    as the list and the last file may each take as long.
    """
    begun = time.monotonic()
    entries = _listed(look, source)
    as_long = min(time.monotonic() - begun, LOOK_SECONDS / 3)
    seconds = None if look.seconds is None else max(look.seconds, as_long)
    entries = _as_they_may_be_read(look, entries)
    look.paths = entries.keys()
    end = None if seconds is None else time.monotonic() + seconds
    known = {file.path: file for file in look.row.files.select_related("document")}
    with look.writing():
        look.row.write(found=len(entries), done=0)
    for number, entry in enumerate(_in_turn(entries, known)):
        file = known.get(entry.path)
        is_due = _is_due(entry, file)
        if is_due or number % PROGRESS_EVERY == 0:
            with look.writing():
                look.row.write(done=number)
        if is_due:
            take(look, source, entry, file)
            if _is_over(end):
                raise Later
    both = sorted(entries.keys() & known.keys())
    _try_again(look, source, [(entries[path], known[path]) for path in both], end)
    missing = missing_of(look.row, entries)
    refuse_to_empty(look, missing)
    forget(look, missing)


def _as_they_may_be_read(look: Look, entries: dict[str, Entry]) -> dict[str, Entry]:
    """What some can read here who can't read it there is refused; if it is here, it goes before anything else
    is done.
    """
    if all(entry.readers is None for entry in entries.values()):
        return entries
    with look.writing() as row:
        readers.note_readers(row, entries)
        readers.withdraw(row)
        return readers.judged(row, entries)


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
        if entry.refusal or not is_readable(entry):
            continue
        if _is_over(end):
            return
        try:
            take(look, source, entry, file)
        except SourceError as error:
            if error.code not in OF_SOME_FILES:
                raise
            look.alone = error.retry_after
            return


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
                said(
                    "There are more than {n} files in this source, or their names are too long.", n=MOST_FILES
                ),
                gettext_noop("Nothing was changed. Connect folders in it, one by one."),
            )
    return entries
