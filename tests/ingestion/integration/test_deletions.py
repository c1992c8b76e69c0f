"""Deleting leaves nothing, says so in a receipt, and survives whatever happens in between."""

import io
import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from chat.models import Citation, Turn
from datasources.models import Datasource, Deletion, Document, DocumentStatus, Membership, Role
from datasources.services import create_datasource
from datasources.storage.files import derived_folder
from events.models import Event
from graph.models import Entity, EntityMention
from ingestion import progress
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion, finishing
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.models import Chunk, Page
from tests.factories import SAMPLE, make_document, make_turn
from tests.faults.harness import HOW_MANY
from tests.people import browser_of
from tests.processes import url_of_test_database

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for an undo."""
    monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)


def now_due() -> None:
    """Let no job wait for its time."""
    ProcrastinateJob.objects.filter(status="todo").update(scheduled_at=None)


def stored(settings: Any) -> list[Path]:
    places = [Path(settings.STORAGES["documents"]["OPTIONS"]["location"]), Path(settings.CACHE_DIR)]
    return [path for place in places for path in place.rglob("*") if path.is_file()]


def read(datasource: Datasource, user: User, work: Any) -> Document:
    """A document that was read by the product itself, with a page image."""
    document = accept_upload(datasource, user, SAMPLE.name, io.BytesIO(SAMPLE.read_bytes()))[0].document
    work()
    browser_of(user).get(reverse("page_image", args=[datasource.pk, document.pk, 1]))
    document.refresh_from_db()
    return document


def many(datasource: Datasource, count: int) -> list[int]:
    """Ready documents of one page and one chunk, without files."""
    documents = Document.objects.bulk_create(
        Document(
            datasource=datasource,
            title=f"Note {n}",
            filename=f"{n}.pdf",
            mime="application/pdf",
            size=1,
            sha256=uuid.uuid4().hex * 2,
            status=DocumentStatus.READY,
            page_count=1,
            chunk_count=1,
        )
        for n in range(count)
    )
    Page.objects.bulk_create(Page(document=document, number=1, text="x") for document in documents)
    Chunk.objects.bulk_create(
        Chunk(
            datasource=datasource,
            document=document,
            index=0,
            text="x",
            start=0,
            end=1,
            first_page=1,
            last_page=1,
        )
        for document in documents
    )
    return [document.pk for document in documents]


def explained(rows: Any) -> str:
    """The plan of a query among many rows, which are counted first as the database does now and then."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return str(rows.explain())


# --- many of everything ----------------------------------------------------------------------------------
def test_what_the_log_says_of_a_document_is_found_without_reading_all_of_it(contracts: Datasource) -> None:
    channel = progress.channel(contracts.pk)
    Event.objects.bulk_create(
        Event(channel=channel, seq=n, kind="x", data={"document": n}, created=timezone.now())
        for n in range(1, 3000)
    )
    rows = Event.objects.filter(channel=channel, data__document__in=[7, 8])
    assert rows.count() == 2
    assert "event_of_document" in explained(rows)


def test_open_deletions_are_found_without_reading_all_receipts(contracts: Datasource) -> None:
    old = {"batch": uuid.uuid4(), "owner": contracts.owner, "datasource": contracts.pk, "document": 1}
    now = timezone.now()
    Deletion.objects.bulk_create(Deletion(**old, purged=now, completed=now) for _ in range(2000))
    assert "deletion_open" in explained(Deletion.objects.filter(completed=None))
    assert "deletion_open" in explained(Deletion.objects.undoable().filter(datasource=contracts.pk))


def test_only_turns_that_show_passages_of_a_deleted_document_are_read(
    contracts: Datasource, alice: User
) -> None:
    gone, stays = make_document(contracts), make_document(contracts, "B", "b")
    turn = make_turn(alice, stays)
    passages = [{"document": gone.pk, "text": "a"}, {"document": stays.pk, "text": "b"}]
    shows = Turn.objects.create(
        conversation=turn.conversation, number=2, question="x", status="not_found", nearest=passages
    )
    Turn.objects.bulk_create(
        Turn(conversation=turn.conversation, number=n, question="x", nearest=[{"document": -n}])
        for n in range(3, 2000)
    )
    rows = Turn.objects.filter(nearest__contains=[{"document": gone.pk}])
    assert "turn_nearest" in explained(rows)
    with CaptureQueriesContext(connection) as queries:
        purge(gone)
    shows.refresh_from_db()
    assert shows.nearest == passages[1:]
    of_turns = [query["sql"] for query in queries if '"chat_turn"' in query["sql"]]
    locking = [sql for sql in of_turns if "FOR UPDATE" in sql]
    assert locking
    assert all(" @> " in sql for sql in locking)


def test_a_portion_of_deletions_is_checked_together(
    contracts: Datasource, alice: User, work: Any, at_once: None
) -> None:
    few, more = many(contracts, 5), many(contracts, 25)
    counts = []
    for chosen in (few, more):
        deletion.delete_documents(contracts, chosen, alice)
        purging = Deletion.objects.filter(document__in=chosen).values_list("batch", flat=True)[0]
        deletion.purge_deleted.func(mock.Mock(should_abort=lambda: False), batch=str(purging))
        ids = [str(pk) for pk in Deletion.objects.unfinished().values_list("pk", flat=True)]
        with CaptureQueriesContext(connection) as queries:
            finishing.finish_deletions.func(ids)
        counts.append(sum("COUNT(" in query["sql"] for query in queries))
        assert not Deletion.objects.filter(completed=None).exists()
    assert counts[0] == counts[1]


# --- the receipt -----------------------------------------------------------------------------------------
def test_a_receipt_counts_what_was_removed_and_that_nothing_is_left(
    contracts: Datasource, alice: User, work: Any, at_once: None, settings: Any
) -> None:
    document = read(contracts, alice, work)
    chunks, mentions = document.chunks.count(), EntityMention.objects.filter(document=document).count()
    assert chunks
    assert mentions
    deletion.delete(document, alice)
    work()
    receipt = Deletion.objects.get()
    assert receipt.completed
    assert (receipt.left, receipt.left_in_all) == ({}, 0)
    assert (receipt.name, receipt.deleted_by, receipt.owner) == (SAMPLE.stem, alice, alice)
    assert document.title != SAMPLE.stem, "a title that the file gave itself does not outlive it"
    expected = {
        "documents": 1,
        "files": 1,
        "pages": 2,
        "chunks": chunks,
        "vectors": chunks,
        "mentions": mentions,
        "page_images": 1,
    }
    assert {kind: receipt.removed.get(kind) for kind in expected} == expected
    assert stored(settings) == []
    assert (receipt.files, receipt.contents) == ([], [])
    assert not Entity.objects.exists()


def test_a_receipt_names_no_kind_twice_and_counts_earlier_versions(
    contracts: Datasource, alice: User, work: Any, at_once: None, settings: Any
) -> None:
    old = read(contracts, alice, work)
    changed = io.BytesIO(SAMPLE.read_bytes() + b"\n%changed")
    new = accept_upload(contracts, alice, "new.pdf", changed, replaces=old)[0].document
    work()
    deletion.delete(new)
    work()
    receipt = Deletion.objects.get()
    assert (receipt.removed["documents"], receipt.removed["files"]) == (2, 2)
    assert receipt.left_in_all == 0
    assert stored(settings) == []


def test_a_datasource_leaves_a_receipt_that_its_owner_can_read(
    contracts: Datasource, alice: User, bob: User, work: Any, settings: Any
) -> None:
    read(contracts, alice, work)
    make_turn(alice, make_document(contracts))
    page = browser_of(alice).post(reverse("datasource_delete", args=[contracts.pk]), {"name": "Contracts"})
    receipt = Deletion.objects.get()
    assert page["Location"] == reverse("receipt", args=[receipt.pk])
    work()
    receipt.refresh_from_db()
    assert receipt.completed
    assert receipt.left_in_all == 0
    expected = {"documents": 2, "files": 2, "conversations": 1, "questions": 1}
    assert receipt.removed.items() >= expected.items()
    assert receipt.removed["entities"]
    assert stored(settings) == []
    shown = browser_of(alice).get(page["Location"]).content.decode()
    assert "Nothing left" in shown
    assert "Contracts" in shown
    assert browser_of(bob).get(page["Location"]).status_code == 404
    assert "Contracts" in browser_of(alice).get(reverse("receipts")).content.decode()


def test_a_check_that_finds_something_is_told_and_made_again(
    contracts: Datasource, alice: User, work: Any, settings: Any
) -> None:
    document = read(contracts, alice, work)
    receipt = purge(document)
    progress.announce(document, "document_progressed")  # by a reader that was frozen until now
    folder = derived_folder(document.content)
    swept = finishing.derived.sweep
    pictures = [folder / "late.webp"]

    def sweep(subject: Any) -> None:
        swept(subject)
        for picture in pictures:  # drawn by another process at this moment
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(b"x")
        pictures.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finishing.derived, "sweep", sweep)
        work()
    receipt.refresh_from_db()
    assert (receipt.left, receipt.completed) == ({"page_images": 1}, None)
    shown = browser_of(alice).get(reverse("receipt", args=[receipt.pk])).content.decode()
    assert "1 left, tried again" in shown
    now_due()
    work()
    receipt.refresh_from_db()
    assert (receipt.left, bool(receipt.completed)) == ({}, True)
    assert stored(settings) == []


def test_of_a_cited_document_the_quote_stays_and_nothing_around_it(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = make_document(contracts)
    turn = make_turn(alice, document)
    Citation.objects.update(
        before="Unless otherwise agreed, ",
        after=" but for drills.",
        reason="It goes on: but for drills.",
        checks=[{"name": "condition", "passed": False, "detail": "but for drills"}],
        judge={"supported": False, "reason": "but for drills", "model": "m"},
    )
    Turn.objects.update(nearest=[{"document": document.pk, "text": "but for drills"}])
    quote = turn.citations.get().quote
    purge(document)
    work()
    citation = turn.citations.get()
    assert citation.quote == quote
    with connection.cursor() as cursor:
        for table in ("chat_turn", "chat_citation", "event"):
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%drills%'")
            assert cursor.fetchone() == (0,), table
    assert "was deleted" in citation.reason


def posted(client: Client, address: str, documents: list[int]) -> Any:
    return client.post(address, {"documents": documents}, content_type="application/json")


# --- many at once ----------------------------------------------------------------------------------------
def test_a_thousand_documents_are_deleted_and_restored_by_a_few_statements(
    contracts: Datasource, alice: User
) -> None:
    client = browser_of(alice)
    delete = f"/api/v1/data-sources/{contracts.pk}/documents/delete"
    restore = f"/api/v1/data-sources/{contracts.pk}/documents/restore"

    def statements(address: str, ids: list[int]) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            answer = posted(client, address, ids)
        assert answer.status_code in (200, 202), answer.content
        return len(captured)

    few, lots = many(contracts, 3), many(contracts, 1000)
    assert statements(delete, lots) <= statements(delete, few) + 12  # rows are inserted in portions
    assert not contracts.documents.current().exists()
    assert statements(restore, lots) <= statements(restore, few) + 12
    assert contracts.documents.ready().count() == 1003
    assert not Deletion.objects.exists()


def test_many_documents_are_one_pass_over_the_graph_in_a_job_that_tells_its_progress(
    contracts: Datasource, alice: User, work: Any, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph.aggregate import update

    passes: list[int] = []
    relink = update.relink

    def counted(datasource: int, keys: Any, **more: Any) -> Any:
        if keys:
            passes.append(len(keys))
        return relink(datasource, keys, **more)

    read(contracts, alice, work)
    more = [
        accept_upload(contracts, alice, f"{n}.pdf", io.BytesIO(SAMPLE.read_bytes() + b"%" * n))[0].document
        for n in (1, 2)
    ]
    work()
    assert {document.status for document in Document.objects.all()} == {"ready"}, more
    monkeypatch.setattr(update, "relink", counted)
    monkeypatch.setattr(deletion, "AT_ONCE", 1)
    told: list[dict[str, int]] = []
    tell = progress.tell

    def heard(datasource: int, kind: str, data: Any, **more: Any) -> None:
        tell(datasource, kind, data, **more)
        if kind == "deletion_progressed":
            told.append(data)

    monkeypatch.setattr(progress, "tell", heard)
    deletion.delete_documents(contracts, list(contracts.documents.values_list("pk", flat=True)), alice)
    assert passes == []
    work()
    assert len(passes) == 1
    assert told == [{"done": n, "total": 3} for n in (1, 2, 3)]
    assert not EntityMention.objects.exists()
    assert Deletion.objects.filter(left={}, completed__isnull=False).count() == 3


def test_the_page_deletes_and_undoes_a_selection_larger_than_a_form_may_be(
    contracts: Datasource, alice: User, work: Any
) -> None:
    ids = many(contracts, 1200)
    client = browser_of(alice)
    client.post(
        reverse("documents_selection", args=[contracts.pk]),
        {"action": "delete", "documents": [str(pk) for pk in ids]},
    )
    page = client.get(reverse("documents", args=[contracts.pk])).content.decode()
    assert "1,200 documents are deleted." in page
    batch = str(Deletion.objects.values_list("batch", flat=True).distinct().get())
    assert f'name="batches" value="{batch}"' in page
    client.post(reverse("documents_undo", args=[contracts.pk]), {"batches": [batch]})
    assert contracts.documents.ready().count() == 1200
    work()
    assert contracts.documents.ready().count() == 1200


def test_strangers_and_viewers_delete_and_restore_nothing(
    contracts: Datasource, bob: User, charlie: User
) -> None:
    (pk,) = many(contracts, 1)
    for act in ("delete", "restore"):
        address = f"/api/v1/data-sources/{contracts.pk}/documents/{act}"
        for person, code in ((bob, 403), (charlie, 404)):
            answer = posted(browser_of(person), address, [pk])
            assert answer.status_code == code
    other = create_datasource(charlie, "Own")
    address = f"/api/v1/data-sources/{other.pk}/documents/delete"
    answer = posted(browser_of(charlie), address, [pk])
    assert answer.json()["deletions"] == []
    assert contracts.documents.ready().exists()


def test_rest_and_the_command_tell_the_receipts(
    contracts: Datasource,
    alice: User,
    bob: User,
    work: Any,
    at_once: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = make_document(contracts)
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    gone = browser_of(bob).delete(f"/api/v1/documents/{document.pk}")
    assert gone.status_code == 204
    assert browser_of(bob).get(f"/api/v1/documents/{document.pk}").status_code == 404
    work()
    for person in (alice, bob):  # the owner, and who deleted it
        receipt = browser_of(person).get(gone["Location"]).json()
        assert (receipt["document_name"], receipt["left"], receipt["left_in_all"]) == ("Questionnaire", {}, 0)
        assert (receipt["deleted_by"], receipt["removed"]["files"]) == (bob.email, 1)
    listed = browser_of(alice).get(f"/api/v1/deletions?document={document.pk}").json()
    assert [row["id"] for row in listed["results"]] == [receipt["id"]]
    assert browser_of(alice).get("/api/v1/deletions?document=x").status_code == 400
    call_command("deletions", user=alice.email, json=True)
    assert json.loads(capsys.readouterr().out)[0]["removed"]["files"] == 1
    call_command("deletions", user=alice.email)
    assert "Questionnaire" in capsys.readouterr().out


def test_the_page_tells_when_a_deletion_is_complete(
    contracts: Datasource, alice: User, work: Any, at_once: None
) -> None:
    client: Client = browser_of(alice)
    document = make_document(contracts)
    client.post(reverse("document_remove", args=[contracts.pk, document.pk]))
    work()
    page = client.get(reverse("documents", args=[contracts.pk])).content.decode()
    assert "is deleted; nothing of it is left." in page
    assert reverse("receipt", args=[Deletion.objects.get().pk]) in page


# --- a replacement comes while the old version is deleted ------------------------------------------------
def test_a_deleted_document_is_not_kept_as_an_earlier_version(
    contracts: Datasource, alice: User, work: Any, settings: Any, at_once: None
) -> None:
    old = read(contracts, alice, work)
    changed = io.BytesIO(SAMPLE.read_bytes() + b"\n%changed")
    new = accept_upload(contracts, alice, "new.pdf", changed, replaces=old)[0].document
    deletion.delete(old)
    work()
    assert list(contracts.documents.all()) == [new]
    assert len([path for path in stored(settings) if "documents" in path.parts]) == 1


# --- killed at each phase --------------------------------------------------------------------------------
PURGING, FINISHING = "ingestion.lifecycle.purging", "ingestion.lifecycle.finishing"
PHASES = [
    ("datasources.derived", "apply", "after", 2),  # the rows are gone, not committed
    ("reader.derived", "delete_derived_files", "before", 1),
]
MORE_PHASES = [  # by `make faults`
    ("ingestion.lifecycle.deletion", "follow", "after", 1),
    (PURGING, "purge_rows", "before", 2),  # the first portion is committed
    (FINISHING, "delete_stored", "before", 1),
    (FINISHING, "counted", "after", 3),  # all is done, and not written down
    ("ingestion.lifecycle.deletion", "follow", "before", 1),
    (PURGING, "purge_rows", "before", 1),
    (PURGING, "purge_rows", "after", 2),
    (FINISHING, "_finish", "before", 1),
    (FINISHING, "delete_stored", "after", 1),
    (FINISHING, "_finish", "after", 1),
]


@pytest.mark.parametrize(("module", "name", "moment", "call"), PHASES + (MORE_PHASES if HOW_MANY else []))
def test_a_worker_that_is_killed_in_the_middle_leaves_nothing(
    module: str,
    name: str,
    moment: str,
    call: int,
    contracts: Datasource,
    alice: User,
    work: Any,
    at_once: None,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = [make_document(contracts, title, title) for title in ("A", "B")]
    for document in documents:
        browser_of(alice).get(reverse("page_image", args=[contracts.pk, document.pk, 1]))
    assert len(stored(settings)) == 4
    deletion.delete_documents(contracts, [document.pk for document in documents], alice)
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
    }
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed", module, name, moment, str(call)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    ProcrastinateJob.objects.filter(status="doing").update(status="todo")  # as retry_stalled does
    work()
    assert not contracts.documents.exists()
    assert stored(settings) == []
    receipts = list(Deletion.objects.order_by("document"))
    assert [receipt.document_name for receipt in receipts] == ["A", "B"]
    for receipt in receipts:
        assert (receipt.left, bool(receipt.completed)) == ({}, True)
        expected = {"documents": 1, "files": 1, "pages": 1, "chunks": 1, "page_images": 1}
        assert receipt.removed.items() >= expected.items()


def test_a_deletion_whose_job_was_lost_gets_another(contracts: Datasource, work: Any, settings: Any) -> None:
    purge(make_document(contracts, "A", "A"))
    deletion.delete(make_document(contracts, "B", "B"))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs")
    finishing.resume_deletions(timestamp=0)
    assert not ProcrastinateJob.objects.exists()  # it may be on its way still
    Deletion.objects.update(requested="2020-01-01T00:00:00Z")
    finishing.resume_deletions(timestamp=0)
    finishing.resume_deletions(timestamp=0)
    assert ProcrastinateJob.objects.filter(task_name__contains="lifecycle").count() == 2
    work()
    assert stored(settings) == []
    assert not Deletion.objects.filter(completed=None).exists()


def test_a_datasource_is_deleted_with_what_could_still_be_undone(
    contracts: Datasource, alice: User, work: Any, settings: Any
) -> None:
    deletion.delete(make_document(contracts, "A", "A"))
    make_document(contracts, "B", "B")
    purge_datasource(contracts, alice)
    now_due()
    work()
    assert stored(settings) == []
    names = {receipt.name: receipt.removed["files"] for receipt in Deletion.objects.filter(left={})}
    assert names == {"A": 1, "Contracts": 1}
