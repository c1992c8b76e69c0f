"""A folder of the server that is followed: what comes, changes, moves and goes there does so here."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from connectors import following, services
from connectors.models import Connector, FollowedFile, Status
from datasources.matters import archive, make_matter, open_again, put_in
from datasources.models import Datasource, DocumentStatus
from ingestion.lifecycle.deletion import delete
from ingestion.upload import accept_upload

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
    monkeypatch.setattr("connectors.sources.folder.FolderSource.fetch", None)
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
    contracts.documents.all().delete()  # as when it is purged
    path.write_text("Rent is due on the first.")
    look(connector)
    assert here(contracts) == {}


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
    services.look_now(connector, may_go=2)  # as when one more is missing by then
    look(connector)
    assert (connector.error_code, len(here(contracts))) == ("many_gone", 3)
    services.look_now(connector, may_go=3)
    look(connector)
    assert (connector.status, connector.may_go, connector.gone) == (Status.IDLE, 0, 0)
    assert here(contracts) == {}


def test_what_was_allowed_is_not_for_a_later_look(
    contracts: Datasource, connected: Connected, folder: Path, look: Any
) -> None:
    paths = [write(folder, f"{n}.txt", f"Text {n}") for n in range(3)]
    connector = look(connected())
    folder.rename(folder.with_name("elsewhere"))
    services.look_now(connector, may_go=3)
    assert look(connector).error_code == "not_there"
    folder.mkdir()  # an empty mount point
    assert look(connector).error_code == "many_gone"
    assert len(here(contracts)) == len(paths)


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


def test_no_link_leads_out(contracts: Datasource, connected: Connected, folder: Path, look: Any) -> None:
    secret = write(folder.parent.parent, "secret.txt", "Not released.")
    (folder / "link.txt").symlink_to(secret)
    (folder / "elsewhere").symlink_to(secret.parent)
    os.mkfifo(folder / "pipe.txt")
    look(connected())
    assert here(contracts) == {}


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
    fetch = following._fetch

    def noting(source: Any, entry: Any, content: Any) -> None:
        fetched.append(entry.path)
        fetch(source, entry, content)

    look(connector)
    assert "lease.txt" in here(contracts)
    monkeypatch.setattr(following, "_fetch", noting)
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

    keep = following._keep

    def killed(look: Any, entry: Any, *rest: Any) -> None:
        if entry.path == "1.txt":
            raise Killed
        keep(look, entry, *rest)

    monkeypatch.setattr(following, "_keep", killed)
    with pytest.raises(Killed):
        following.carry_on(connector.pk)
    assert here(contracts) == {"0.txt": 1}, "the document and its row are written together"
    monkeypatch.undo()
    fetched: list[str] = []
    fetch = following._fetch

    def noting(source: Any, entry: Any, content: Any) -> None:
        fetched.append(entry.path)
        fetch(source, entry, content)

    monkeypatch.setattr(following, "_fetch", noting)
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
