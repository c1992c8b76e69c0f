"""A folder of the server that is followed: what comes, changes, moves and goes there does so here."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone
from django.utils.translation import override
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.matters import archive, make_matter, open_again, put_in
from datasources.models import Datasource, Document, DocumentStatus
from exchange.connectors import following, missing, services, taking
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.look import Look
from exchange.connectors.models import Connector, FollowedFile, Status
from exchange.connectors.sources.folder import FolderSource
from exchange.connectors.sources.source import Entry, FileRefused, SourceError
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete, restore
from ingestion.lifecycle.purging import purge_datasource
from jobs.runs import Stopped
from localization.stored import told
from tests.processes import PATIENCE

Connected = Callable[..., Connector]


@pytest.fixture
def look(contracts: Datasource) -> Callable[[Connector], Connector]:
    """A look as the worker has it, from now."""

    def now(connector: Connector) -> Connector:
        services.look_now(connector)
        following.carry_on(connector.pk)
        connector.refresh_from_db()
        return connector

    return now


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def here(datasource: Datasource) -> dict[str, int]:
    """The documents by file name, with their versions."""
    return dict(datasource.documents.current().order_by("pk").values_list("filename", "version"))


def become(document: Document, status: str) -> None:
    """As when it was read, to its end or not; with READY its earlier version answers no more."""
    document.write(status=status, ready_at=timezone.now() if status == DocumentStatus.READY else None)
    if status == DocumentStatus.READY and document.replaces:
        document.replaces.write(status=DocumentStatus.SUPERSEDED)


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def test_what_comes_changes_and_goes_there(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    lease, memo = write(folder, "lease.txt", "Rent is due."), write(folder, "2026/May/memo.txt", "Dear all")
    connector = look(connected())
    assert (connector.status, connector.found, connector.error) == (Status.IDLE, 2, None)
    assert here(contracts) == {"lease.txt": 1, "memo.txt": 1}
    assert contracts.documents.get(filename="memo.txt").tags == ["2026/May"], "its folders"
    lease.write_text("Rent is due on the first.")
    write(folder, "new.txt", "Something else.")
    memo.unlink()
    look(connector)
    assert here(contracts) == {"lease.txt": 2, "new.txt": 1}


def test_a_second_look_fetches_nothing(
    connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    monkeypatch.setattr("exchange.connectors.sources.folder.FolderSource.fetch", None)
    assert look(connector).error is None


def test_a_file_that_is_moved_stays_the_same_document(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "draft.txt", "Rent is due.")
    connector = look(connected())
    before = contracts.documents.get()
    os.rename(folder / "draft.txt", folder / "lease.txt")
    look(connector)
    now = contracts.documents.get()
    assert (now.pk, now.filename, now.title, now.status) == (before.pk, "lease.txt", "lease", before.status)


def test_one_content_in_two_places_goes_with_the_last(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    one, two = write(folder, "a.txt", "Rent is due."), write(folder, "b/b.txt", "Rent is due.")
    write(folder, "other.txt", "It stays.")
    connector = look(connected())
    assert len(here(contracts)) == 2
    one.unlink()
    assert len(here(look(connector).datasource)) == 2
    two.unlink()
    look(connector)
    assert here(contracts) == {"other.txt": 1}


def test_one_content_in_two_folders_goes_with_the_last(
    contracts: Datasource, chief: User, folder: Path, look: Any
) -> None:
    places = [folder / name for name in ("a", "b")]
    files = [write(place, "lease.txt", "Rent is due.") for place in places]
    for place in places:
        write(place, f"{place.name}.txt", f"Only in {place.name}.")
    one, two = (look(services.connect(contracts, Kind.FOLDER, str(place), by=chief)) for place in places)
    files[0].unlink()
    look(one)
    assert "lease.txt" in here(contracts)
    files[1].unlink()
    look(two)
    assert here(contracts) == {"a.txt": 1, "b.txt": 1}


def test_of_two_folders_one_changes_alone(
    contracts: Datasource, chief: User, folder: Path, look: Any
) -> None:
    places = [folder / name for name in ("a", "b")]
    files = [write(place, f"{place.name}.txt", "Rent is due.") for place in places]
    one, _ = (look(services.connect(contracts, Kind.FOLDER, str(place), by=chief)) for place in places)
    files[0].write_text("Rent is due on the first.")
    look(one)
    assert list(contracts.documents.current().values_list("version", flat=True)) == [1, 1]


def test_a_folder_that_is_connected_again_takes_up_where_it_was(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    lease, mine = write(folder, "lease.txt", "Rent is due."), write(folder, "mine.txt", "Dear all")
    write(folder, "stays.txt", "Keys.")
    accept_upload(contracts, contracts.owner, "mine.txt", BytesIO(b"Dear all"))
    services.disconnect(look(connected()))
    connector = look(connected())
    lease.unlink()
    mine.unlink()
    look(connector)
    assert here(contracts) == {"mine.txt": 1, "stays.txt": 1}


def test_a_file_that_grows_while_it_is_copied_is_too_large(folder: Path) -> None:
    path = write(folder, "log.txt", "x" * 100)
    source = FolderSource(str(folder))
    (entry,) = source.entries()
    taken = BytesIO()

    class Growing(BytesIO):
        def write(self, block: Any) -> int:
            with path.open("a") as more:
                more.write("x" * len(block))
            return taken.write(block)

    with pytest.raises(FileRefused):
        source.fetch(entry, Growing(), 1000)
    assert len(taken.getvalue()) <= 1000


def test_what_is_overwritten_by_another_file_goes(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    """As by `mv draft.txt lease.txt`: what stood in lease.txt before is in no file any more."""
    draft, lease = write(folder, "draft.txt", "Rent is due."), write(folder, "lease.txt", "Nothing is due.")
    write(folder, "other.txt", "It stays.")
    connector = look(connected())
    kept = contracts.documents.get(filename="draft.txt").pk
    draft.replace(lease)
    assert look(connector).error is None
    assert here(contracts) == {"lease.txt": 1, "other.txt": 1}
    assert contracts.documents.current().get(filename="lease.txt").pk == kept
    assert set(connector.files.values_list("path", flat=True)) == {"lease.txt", "other.txt"}


@pytest.mark.parametrize("becomes", [DocumentStatus.QUEUED, DocumentStatus.FAILED])
def test_all_versions_go_that_still_answer(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, becomes: str
) -> None:
    """The first answers as long as the second isn't read, which it may never be."""
    lease = write(folder, "lease.txt", "The fee is 7777 euros.")
    write(folder, "other.txt", "It stays.")
    connector = look(connected())
    become(contracts.documents.get(filename="lease.txt"), DocumentStatus.READY)
    lease.write_text("The fee is no longer told.")
    look(connector)
    become(contracts.documents.get(version=2), becomes)
    lease.unlink()
    assert look(connector).error is None
    assert here(contracts) == {"other.txt": 1}


@pytest.mark.parametrize("changes", [False, True])
def test_a_version_that_a_person_has_added_stays(
    contracts: Datasource, chief: User, connected: Connected, folder: Path, look: Any, changes: bool
) -> None:
    """Whether or not the file changes there as well before it goes."""
    lease = write(folder, "lease.txt", "Rent is due.")
    write(folder, "other.txt", "It stays.")
    connector = look(connected())
    first = contracts.documents.get(filename="lease.txt")
    become(first, DocumentStatus.READY)
    accept_upload(contracts, chief, "mine.txt", BytesIO(b"As I have it."), replaces=first)
    become(contracts.documents.get(version=2), DocumentStatus.READY)
    if changes:
        lease.write_text("Rent is due on the first.")
        look(connector)
        become(contracts.documents.get(version=3), DocumentStatus.READY)
    before = here(contracts)
    lease.unlink()
    assert look(connector).error is None
    assert here(contracts) == before
    assert len(before) == 2


def test_what_is_as_it_was_before_still_came_from_there(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    """It changes back before the change is read."""
    lease = write(folder, "lease.txt", "Rent is due.")
    write(folder, "other.txt", "It stays.")
    connector = look(connected())
    become(contracts.documents.get(filename="lease.txt"), DocumentStatus.READY)
    for text in ("Rent is due on the first.", "Rent is due."):
        lease.write_text(text)
        look(connector)
    assert here(contracts) == {"lease.txt": 1, "other.txt": 1}, "the change is not read any more"
    lease.unlink()
    look(connector)
    assert here(contracts) == {"other.txt": 1}


def test_of_two_alike_one_changes_alone(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    one, _ = write(folder, "a.txt", "Rent is due."), write(folder, "b/b.txt", "Rent is due.")
    connector = look(connected())
    one.write_text("Rent is due on the first.")
    look(connector)
    assert contracts.documents.current().count() == 2
    assert set(contracts.documents.values_list("version", flat=True)) == {1}


def test_what_people_added_stays_when_it_goes_there(
    contracts: Datasource, chief: User, connected: Connected, folder: Path, look: Any
) -> None:
    path = write(folder, "lease.txt", "Rent is due.")
    write(folder, "other.txt", "It stays.")
    with path.open("rb") as file:
        accept_upload(contracts, chief, "my lease.txt", file)
    connector = look(connected())
    path.unlink()
    look(connector)
    assert here(contracts) == {"my lease.txt": 1, "other.txt": 1}


def test_what_is_deleted_here_stays_away(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    path = write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    delete(contracts.documents.get())
    look(connector)
    path.write_text("Rent is due on the first.")
    look(connector)
    assert here(contracts) == {}, "also within the seconds in which it can be brought back"
    contracts.documents.all().delete()  # as when it is purged
    path.write_text("Rent is due on the second.")
    look(connector)
    assert here(contracts) == {}


def test_what_was_brought_back_follows_what_has_changed_meanwhile(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    path = write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    document = contracts.documents.get()
    delete(document)
    path.write_text("Rent is due on the first.")
    look(connector)
    restore(document)
    look(connector)
    assert contracts.documents.order_by("pk").last().version == 2  # type: ignore[union-attr]


def test_what_is_deleted_there_stays_where_that_was_chosen(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    path = write(folder, "lease.txt", "Rent is due.")
    connector = look(connected(deletes=False))
    path.unlink()
    assert look(connector).error is None
    assert here(contracts) == {"lease.txt": 1}


def test_an_empty_folder_deletes_nothing_until_somebody_says_so(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    paths = [write(folder, f"{n}.txt", f"Text {n}") for n in range(3)]
    connector = look(connected())
    for path in paths:
        path.unlink()
    look(connector)
    assert (connector.status, connector.error_code) == (Status.FAILED, "many_gone")
    assert len(here(contracts)) == 3
    assert connector.gone == 3
    with pytest.raises(ValidationError, match="answer again"):
        services.look_now(connector, may_go=4)  # which nobody was shown
    services.look_now(connector, may_go=3)
    look(connector)
    assert (connector.status, connector.may_go, connector.gone) == (Status.IDLE, 0, 0)
    assert here(contracts) == {}


def test_what_was_allowed_is_not_for_more(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(missing, "MANY", 2)
    paths = [write(folder, f"{n}.txt", f"Text {n}") for n in range(9)]
    connector = look(connected())
    for path in paths[:3]:
        path.unlink()
    assert (look(connector).error_code, connector.gone) == ("many_gone", 3), "though most are left"
    paths[3].unlink()  # after a person was shown the number
    services.look_now(connector, may_go=3)
    assert (look(connector).error_code, connector.gone) == ("many_gone", 4)
    assert len(here(contracts)) == 9


@pytest.mark.parametrize("seconds", [None, 0])
def test_another_folder_in_its_place_deletes_nothing(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, seconds: float | None
) -> None:
    """A mount point need not be empty, and a look may take turns."""
    for number in range(3):
        write(folder, f"{number}.txt", f"Text {number}")
    write(folder, "desktop.ini", "kept by a program")
    connector = look(connected())
    empty(folder)
    write(folder, "desktop.ini", "kept by a program")
    assert (look(connector).error_code, connector.gone) == ("many_gone", 3)
    for number in range(3):
        write(folder, f"other {number}.txt", f"Other text {number}")
    services.look_now(connector)
    for _ in range(4):
        following.carry_on(connector.pk, seconds=seconds)
    connector.refresh_from_db()
    assert (connector.error_code, connector.gone, len(here(contracts))) == ("many_gone", 3, 6)


def test_a_folder_in_it_that_is_renamed_asks_nothing(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    for number in range(3):
        write(folder, f"old/{number}.txt", f"Text {number}")
    connector = look(connected())
    (folder / "old").rename(folder / "new")
    (folder / "new" / "2.txt").unlink()
    assert look(connector).error is None
    assert len(here(contracts)) == 2


def test_what_lies_below_something_that_is_not_given_stays(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    for name in ("sub/a.txt", "b.txt", "c.txt"):
        write(folder, name, f"Text of {name}")
    connector = look(connected())

    def withheld(source: FolderSource) -> Any:
        yield Entry(path="sub", version="", refusal="The server does not give it (HTTP 403).")
        yield Entry(path="b.txt", version="", refusal="The server does not give it (HTTP 403).")

    monkeypatch.setattr(FolderSource, "entries", withheld)
    assert look(connector).error is None
    assert here(contracts) == {"a.txt": 1, "b.txt": 1}
    assert list(connector.files.refused().values_list("path", flat=True)) == ["sub"]


def test_what_was_allowed_is_not_for_a_later_look(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    paths = [write(folder, f"{n}.txt", f"Text {n}") for n in range(3)]
    connector = look(connected())
    empty(folder)
    assert look(connector).gone == 3
    folder.rename(folder.with_name("elsewhere"))
    services.look_now(connector, may_go=3)
    assert look(connector).error_code == "not_there"
    folder.mkdir()  # an empty mount point
    assert look(connector).error_code == "many_gone"
    assert len(here(contracts)) == len(paths)


@pytest.mark.parametrize("meanwhile", ["archived", "off"])
def test_what_was_allowed_ends_with_a_look_that_does_not_come_about(
    contracts: Datasource, chief: User, connected: Connected, folder: Path, look: Any, meanwhile: str
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector, matter = look(connected()), make_matter("Arden", by=chief)
    put_in(matter, contracts, by=chief)
    empty(folder)
    look(connector)
    services.look_now(connector, may_go=1)
    if meanwhile == "archived":
        archive(matter, by=chief)
        following.carry_on(connector.pk)
        open_again(matter, by=chief)
    else:
        services.switch_off(connector)
        services.switch_on(connector)
    assert look(connector).error_code == "many_gone"
    assert here(contracts) == {"lease.txt": 1}


def test_nothing_is_allowed_to_a_look_under_way(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    empty(folder)
    look(connector)

    def allowed_now(source: FolderSource) -> Any:
        with pytest.raises(ValidationError, match="answer again"):
            services.look_now(connector, may_go=1)
        yield from ()

    monkeypatch.setattr(FolderSource, "entries", allowed_now)
    assert look(connector).error_code == "many_gone"
    assert (connector.may_go, here(contracts)) == (0, {"lease.txt": 1})


def test_a_second_copy_renames_nothing(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    write(folder, "copy of lease.txt", "Rent is due.")
    look(connector)
    assert here(contracts) == {"lease.txt": 1}


def test_a_folder_that_is_gone_deletes_nothing(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    folder.rename(folder.with_name("elsewhere"))
    assert look(connector).error_code == "not_there"
    assert here(contracts) == {"lease.txt": 1}


def test_what_cannot_be_read_is_listed_with_its_reason(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    write(folder, "clip.mp4", "no film")
    write(folder, "large.txt", "x" * 1001)
    write(folder, "fake.pdf", "this is no PDF")
    write(folder, "lease.txt", "Rent is due.")
    for name in ("~$lease.docx", ".hidden.txt", ".git/config.txt"):
        write(folder, name, "kept by a program")
    connector = look(connected())
    reasons = dict(connector.files.refused().values_list("path", "refusal"))
    assert "cannot read files of this kind" in reasons["clip.mp4"]
    assert "larger than" in reasons["large.txt"]
    assert set(connector.files.values_list("path", flat=True)) == {
        "clip.mp4",
        "large.txt",
        "fake.pdf",
        "lease.txt",
    }
    assert "lease.txt" in here(contracts)
    settings.MAX_UPLOAD_BYTES = 10_000
    (folder / "large.txt").write_text("y" * 1001)
    look(connector)
    assert "large.txt" in here(contracts), "a change is a new attempt"


def test_why_files_wait_or_were_refused_is_told_in_the_readers_language(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, settings: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    settings.MAX_DATASOURCE_BYTES = 4
    connector = look(connected())
    (refused,) = connector.files.refused()
    with override("de"):
        assert "MB an Dateien und fasst höchstens" in told(refused.refusal, refused.refusal_words)
    settings.MAX_DATASOURCE_BYTES = 2**30
    settings.DOCUMENTS_PER_HOUR = 1
    write(folder, "fee.txt", "The fee is due.")
    write(folder, "notice.txt", "Notice is due.")
    connector = look(connector)
    assert connector.error_code == "quota"
    with override("de"):
        assert connector.why_failed.startswith("Die Grenze liegt bei 1 Dokument"), connector.why_failed


def test_no_link_leads_out(contracts: Datasource, connected: Connected, folder: Path, look: Any) -> None:
    secret = write(folder.parent.parent, "secret.txt", "Not released.")
    (folder / "link.txt").symlink_to(secret)
    (folder / "elsewhere").symlink_to(secret.parent)
    os.mkfifo(folder / "pipe.txt")
    look(connected())
    assert here(contracts) == {}


@pytest.mark.parametrize("swapped_at", ["inner", "s.txt"])
def test_no_folder_is_swapped_for_a_link_meanwhile(folder: Path, monkeypatch: Any, swapped_at: str) -> None:
    """Whoever may write there can do so at any moment: also between a look at a path and its opening."""
    secret = write(folder.parent.parent, "outside/s.txt", "Not released.")
    write(folder, "inner/s.txt", "inside")
    open_it = os.open

    def swapping(path: Any, *rest: Any, **more: Any) -> int:
        if os.path.basename(path) == swapped_at and not (folder / "kept").exists():
            (folder / "inner").rename(folder / "kept")
            (folder / "inner").symlink_to(secret.parent)
        return open_it(path, *rest, **more)

    monkeypatch.setattr("exchange.connectors.sources.folder.os.open", swapping)
    content = BytesIO()
    with suppress(FileRefused):
        FolderSource(str(folder)).fetch(Entry(path="inner/s.txt", version=""), content, 1000)
    assert content.getvalue() in (b"", b"inside")
    assert (folder / "kept").exists(), "it was swapped"


def test_a_name_that_is_no_text_is_refused_alone(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("Latin-1 in its name")
    connector = look(connected())
    assert (connector.error, here(contracts)) == (None, {"lease.txt": 1})
    (refused,) = connector.files.refused()
    assert "UTF-8" in refused.refusal


def test_it_ends_with_the_rights_of_who_connected_it(
    contracts: Datasource, chief: User, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = connected()
    chief.is_superuser = False
    chief.save(update_fields=["is_superuser"])
    assert look(connector).error_code == "no_access"
    assert here(contracts) == {}


def test_an_archived_datasource_follows_nothing_until_it_is_back(
    contracts: Datasource, chief: User, connected: Connected, folder: Path
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = connected()
    matter = make_matter("Arden", by=chief)
    put_in(matter, contracts, by=chief)
    archive(matter, by=chief)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert (connector.status, here(contracts)) == (Status.IDLE, {})
    services.queue_due()
    connector.refresh_from_db()
    assert connector.status == Status.IDLE
    open_again(matter, by=chief)
    services.queue_due()
    following.carry_on(connector.pk)
    assert here(contracts) == {"lease.txt": 1}


def test_a_long_look_takes_turns(contracts: Datasource, connected: Connected, folder: Path) -> None:
    """However short its turns are: each takes a file."""
    for number in range(3):
        write(folder, f"{number}.txt", f"Text {number}")
    connector = connected()
    for taken in (1, 2, 3):
        connector.refresh_from_db()
        assert connector.status == Status.QUEUED
        following.carry_on(connector.pk, seconds=0)
        assert len(here(contracts)) == taken
    following.carry_on(connector.pk, seconds=0)
    connector.refresh_from_db()
    assert connector.status == Status.IDLE


def list_in(monkeypatch: Any, *, seconds: float) -> None:
    """So long a folder takes from now on until it has said what is in it."""
    entries = FolderSource.entries

    def slowly(source: FolderSource) -> Any:
        time.sleep(seconds)
        return entries(source)

    monkeypatch.setattr(FolderSource, "entries", slowly)


def test_a_turn_is_as_long_as_the_list_took(
    contracts: Datasource, connected: Connected, folder: Path, monkeypatch: Any
) -> None:
    """Else most of a look would be lists, of which each turn needs one."""
    for number in range(3):
        write(folder, f"{number}.txt", f"Text {number}")
    list_in(monkeypatch, seconds=2)
    following.carry_on(connected().pk, seconds=0)
    assert len(here(contracts)) == 3


def test_a_turn_is_over_before_its_task_is_ended(
    contracts: Datasource, connected: Connected, folder: Path, monkeypatch: Any
) -> None:
    for number in range(3):
        write(folder, f"{number}.txt", f"Text {number}")
    list_in(monkeypatch, seconds=1)
    monkeypatch.setattr(following, "LOOK_SECONDS", 0.0)
    following.carry_on(connected().pk, seconds=0)
    assert len(here(contracts)) == 1


def test_what_was_refused_for_a_reason_that_passed_is_tried_again(
    contracts: Datasource, connected: Connected, folder: Path, look: Any, settings: Any, monkeypatch: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    write(folder, "rubbish.pdf", "this is no PDF")
    settings.MAX_DATASOURCE_DOCUMENTS = 0
    connector = look(connected())
    assert here(contracts) == {}
    settings.MAX_DATASOURCE_DOCUMENTS = 10
    fetched: list[str] = []
    fetch = taking._fetch

    def noting(source: Any, entry: Any, content: Any) -> str:
        fetched.append(entry.path)
        return fetch(source, entry, content)

    look(connector)
    assert "lease.txt" in here(contracts)
    monkeypatch.setattr(taking, "_fetch", noting)
    look(connector)
    assert fetched == [], "what is no file that SVQ reads is not fetched again"


def test_a_look_that_was_killed_goes_on_where_it_was(
    contracts: Datasource, connected: Connected, folder: Path, monkeypatch: Any
) -> None:
    for number in range(3):
        write(folder, f"{number}.txt", f"Text {number}")
    connector = connected()

    class Killed(BaseException):
        pass

    keep = taking._keep

    def killed(look: Any, entry: Any, *rest: Any) -> None:
        if entry.path == "1.txt":
            raise Killed
        keep(look, entry, *rest)

    monkeypatch.setattr(taking, "_keep", killed)
    with pytest.raises(Killed):
        following.carry_on(connector.pk)
    assert here(contracts) == {"0.txt": 1}, "the document and its row are written together"
    monkeypatch.undo()
    fetched: list[str] = []
    fetch = taking._fetch

    def noting(source: Any, entry: Any, content: Any) -> str:
        fetched.append(entry.path)
        return fetch(source, entry, content)

    monkeypatch.setattr(taking, "_fetch", noting)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert (fetched, connector.status) == (["1.txt", "2.txt"], Status.IDLE)
    assert len(here(contracts)) == 3


def test_it_is_looked_at_when_it_is_due_and_when_its_job_was_lost(connected: Connected, folder: Path) -> None:
    connector = connected(every=15)
    following.carry_on(connector.pk)
    ProcrastinateJob.objects.all().delete()
    services.queue_due()
    assert not ProcrastinateJob.objects.exists()
    Connector.objects.update(next_look=timezone.now() - timedelta(seconds=1))
    services.queue_due()
    assert ProcrastinateJob.objects.get().task_name == "look_at_folder"
    ProcrastinateJob.objects.all().delete()
    services.queue_due()
    assert ProcrastinateJob.objects.count() == 1


def test_it_is_switched_off_and_on_and_disconnected(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    write(folder, "lease.txt", "Rent is due.")
    connector = look(connected())
    services.switch_off(connector)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert connector.status == Status.OFF
    services.switch_on(connector)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert connector.status == Status.IDLE
    services.disconnect(connector)
    assert not FollowedFile.objects.exists()
    assert contracts.documents.get().status != DocumentStatus.DELETED


def test_another_place_ends_the_look_at_the_one_before(
    contracts: Datasource, connected: Connected, folder: Path, monkeypatch: Any
) -> None:
    """Else files of both would be kept as files of the new one."""
    write(folder, "lease.txt", "Rent is due on the first.")
    other = folder.parent / "other"
    write(other, "keys.txt", "The keys are handed over.")
    connector = connected()
    fetch = FolderSource.fetch

    def meanwhile(source: FolderSource, *asked: Any) -> str:
        monkeypatch.setattr(FolderSource, "fetch", fetch)
        services.change(connector, place=str(other))
        return fetch(source, *asked)

    monkeypatch.setattr(FolderSource, "fetch", meanwhile)
    with pytest.raises(Stopped):
        following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert (here(contracts), connector.status) == ({}, Status.QUEUED)
    following.carry_on(connector.pk)
    assert set(connector.files.values_list("path", flat=True)) == {"keys.txt"}


def test_a_folder_that_fails_waits_longer_each_time(connected: Connected, folder: Path, look: Any) -> None:
    connector, waits = connected(every=15), []
    folder.rename(folder.with_name("elsewhere"))
    for _ in range(7):
        look(connector)
        waits.append(round((connector.next_look - timezone.now()).total_seconds() / 60))
    assert waits == [15, 30, 60, 120, 240, 240, 240]
    folder.mkdir()
    look(connector)
    assert round((connector.next_look - timezone.now()).total_seconds() / 60) == 15
    folder.rmdir()
    assert look(connector).failures == 1, "it begins anew"


def test_a_look_that_took_long_to_fail_is_not_due_at_once(
    connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    connector = look(connected(every=15))

    def long(source: FolderSource) -> Any:
        Connector.objects.update(next_look=timezone.now() - timedelta(minutes=1))  # it began 16 minutes ago
        raise SourceError("slow", "The server answers too slowly.")

    monkeypatch.setattr(FolderSource, "entries", long)
    assert look(connector).error_code == "slow"
    services.queue_due()
    connector.refresh_from_db()
    assert connector.status == Status.FAILED


def test_a_look_that_ends_its_worker_at_each_attempt_gives_up(
    connected: Connected, folder: Path, look: Any, monkeypatch: Any
) -> None:
    write(folder, "a.txt", "Rent is due.")
    connector = look(connected())
    write(folder, "z.txt", "This one is deadly.")

    class Killed(BaseException):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr(taking, "_fetch", killed)
    services.look_now(connector)
    for _ in range(Look.max_deaths):
        with pytest.raises(Killed):
            following.carry_on(connector.pk)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert (connector.status, connector.error_message) == (Status.FAILED, Look.deadly)
    services.queue_due()
    connector.refresh_from_db()
    assert connector.status == Status.FAILED, "not at once again"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whose", ["look", "request"])
def test_a_datasource_is_deleted_meanwhile(
    contracts: Datasource, chief: User, connected: Connected, folder: Path, monkeypatch: Any, whose: str
) -> None:
    """While a look takes a file, or somebody asks for one: none of them waits for the other for ever."""
    write(folder, "lease.txt", "Rent is due.")
    connector, failed = connected(), []
    Connector.objects.update(status=Status.QUEUED if whose == "look" else Status.IDLE)

    def delete_it() -> None:
        try:
            purge_datasource(contracts, chief)
        except Exception as error:  # noqa: BLE001 - shown below
            failed.append(error)
        finally:
            connection.close()

    deleting = Thread(target=delete_it)

    def once_it_waits(act: Callable[..., Any]) -> Callable[..., Any]:
        def meanwhile(*told: Any) -> Any:
            deleting.start()
            end = time.monotonic() + PATIENCE
            with connection.cursor() as cursor:
                while time.monotonic() < end:
                    cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
                    if cursor.fetchone() != (0,):
                        break
            return act(*told)

        return meanwhile

    if whose == "look":
        monkeypatch.setattr(taking, "_accepted", once_it_waits(taking._accepted))
        with suppress(Stopped):
            following.carry_on(connector.pk)
    else:
        monkeypatch.setattr(services, "defer_look", once_it_waits(services.defer_look))
        services.look_now(connector)
    deleting.join()
    assert failed == []
    assert not Datasource.objects.filter(pk=contracts.pk).exists()
