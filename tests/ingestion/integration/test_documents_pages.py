"""Home, documents and settings as a browser without JavaScript meets them, and the HTML of live changes."""

import io
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader, PdfWriter

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from datasources.services import create_datasource
from events import log
from events.models import Event
from formats.base import sandbox
from formats.registry import describe_formats
from graph.curation import services as curation
from graph.document_map import queries
from graph.models import Entity, GraphExtractor, GraphSettings
from graph.models.listing import entities_of
from ingestion import progress, tasks
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion, pausing
from ingestion.lifecycle.purging import purge
from ingestion.models import Page
from ingestion.tasks import count_pages
from ingestion.web import stream
from ingestion.web.rows import row
from retrieval.legs import fuzzy
from retrieval.query import Scope
from tests.factories import SAMPLE, make_document, make_turn
from tests.graph.corpus import TEXTS, upload
from tests.people import browser_of, person

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(alice: User) -> Client:
    return browser_of(alice)


def pdf(name: str = "questionnaire.pdf", password: str = "") -> SimpleUploadedFile:
    content = SAMPLE.read_bytes()
    if password:
        writer, sealed = PdfWriter(clone_from=PdfReader(SAMPLE)), io.BytesIO()
        writer.encrypt(password, algorithm="AES-256")
        writer.write(sealed)
        content = sealed.getvalue()
    return SimpleUploadedFile(name, content, "application/pdf")


def text_of(response: Any) -> str:
    return str(response.content.decode())


def words(page: str) -> str:
    """The text of a page, without its tags and with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split()).replace(" .", ".")


def messages_of(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


# --- home ------------------------------------------------------------------------------------------------
def test_a_new_account_is_told_what_to_do(charlie: User) -> None:
    page = text_of(browser_of(charlie).get("/"))
    assert "Your shelf is empty" in page
    assert reverse("new_datasource") in page


def test_home_shows_what_is_yours_and_what_is_shared(
    client: Client, contracts: Datasource, bob: User
) -> None:
    make_document(contracts, "Report", page_count=7, chunk_count=30)
    make_document(contracts, "Sealed", status=DocumentStatus.FAILED, chunk_count=0)
    mine = text_of(client.get("/"))
    assert "2 documents in 1 datasource" in mine
    assert "1 file failed" in mine
    assert 'class="bad"' in mine
    shared = text_of(browser_of(bob).get("/"))
    assert "Contracts" in shared
    assert "Viewer" in shared


def test_home_is_filtered_by_name_and_description(client: Client, alice: User, contracts: Datasource) -> None:
    create_datasource(alice, "Papers", description="Graph retrieval since 2023")

    def shown(find: str) -> list[str]:
        return re.findall(r"<h3[^>]*>(.*?)</h3>", text_of(client.get(reverse("home"), {"find": find})))

    assert sorted(shown("")) == ["Contracts", "Papers"]
    assert shown("RETRIEVAL graph") == ["Papers"]
    assert shown("zebra") == []
    assert "No datasource has “zebra”" in text_of(client.get(reverse("home"), {"find": "zebra"}))


def test_home_offers_questions_and_recent_answers(client: Client, contracts: Datasource, alice: User) -> None:
    contracts.suggested_questions = ["Who pays & when?"]
    contracts.save()
    make_turn(alice, make_document(contracts), "How long are backups kept?")
    page = text_of(client.get("/"))
    assert f"{reverse('chat', args=[contracts.pk])}?q=Who%20pays%20%26%20when%3F" in page
    assert "How long are backups kept?" in page
    assert "1 claim supported" in page


def test_a_datasource_is_made_and_a_taken_name_is_explained(client: Client, alice: User) -> None:
    made = client.post(reverse("new_datasource"), {"name": "Papers", "description": "Since 2023"})
    papers = Datasource.objects.get(owner=alice, name="Papers")
    assert made["Location"] == reverse("documents", args=[papers.pk])
    again = client.post(reverse("new_datasource"), {"name": "papers"})
    assert again.status_code == 422
    assert "You already have a datasource called “papers”" in text_of(again)
    assert Datasource.objects.filter(owner=alice).count() == 1


# --- files in --------------------------------------------------------------------------------------------
def test_files_without_javascript_end_in_a_summary(client: Client, contracts: Datasource, work: Any) -> None:
    address = reverse("documents_upload", args=[contracts.pk])
    files = [pdf(), pdf("again.pdf"), SimpleUploadedFile("notes.exe", b"PK")]
    response = client.post(address, {"files": files})
    assert response["Location"] == reverse("documents", args=[contracts.pk])
    told = messages_of(response)
    assert told[0] == "1 added, 1 already here."
    assert "SVQ cannot read “notes.exe”" in told[1]
    work()
    page = text_of(client.get(response["Location"]))
    assert "questionnaire" in page
    assert "Ready" in page


def test_each_file_gets_its_own_answer_with_javascript(client: Client, contracts: Datasource) -> None:
    address = reverse("documents_upload", args=[contracts.pk])
    accepted = client.post(address, {"files": pdf()}, headers=HTMX)
    assert (accepted.status_code, text_of(accepted)) == (200, "")  # the list then asks for itself again
    assert contracts.documents.get().title == "questionnaire"
    duplicate = client.post(address, {"files": pdf("copy.pdf")}, headers=HTMX)
    assert "Already here as “questionnaire”" in text_of(duplicate)
    assert contracts.documents.count() == 1
    rejected = client.post(address, {"files": SimpleUploadedFile("a.exe", b"MZ")}, headers=HTMX)
    assert rejected.status_code == 400
    assert rejected["Content-Type"].startswith("text/plain")
    assert "SVQ cannot read" in text_of(rejected)


def test_a_sealed_pdf_is_read_with_its_password(client: Client, contracts: Datasource, work: Any) -> None:
    client.post(
        reverse("documents_upload", args=[contracts.pk]), {"files": pdf(password="hunter2")}, headers=HTMX
    )
    work()
    document = contracts.documents.get()
    assert document.error_code == "encrypted"
    address = reverse("document_unlock", args=[contracts.pk, document.pk])
    assert address in text_of(client.get(reverse("documents", args=[contracts.pk])))
    assert "Password of the file" in text_of(client.get(address))
    wrong = client.post(address, {"password": "nothing"}, headers=HTMX)
    assert "That password does not open" in text_of(wrong)
    client.post(address, {"password": "hunter2"})
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert not PdfReader(document.file.path).is_encrypted
    kept = [path for path in Path(document.file.path).parent.rglob("*") if path.is_file()]
    assert len(kept) == 1  # the protected copy is gone
    again = client.post(
        reverse("documents_upload", args=[contracts.pk]), {"files": pdf("b.pdf")}, headers=HTMX
    )
    assert again.status_code == 200


def test_a_version_in_work_is_not_one_document_more(client: Client, contracts: Datasource) -> None:
    old = make_document(contracts)
    make_document(contracts, "Lease", "A lease.")
    make_document(contracts, "New", "A text.", status=DocumentStatus.EMBEDDING, replaces=old)
    page = client.get(reverse("documents", args=[contracts.pk])).content.decode()
    assert "2 documents" in page
    assert re.search(r"All\s*<[^>]*>\s*2\b", page)


def test_a_replacement_answers_once_it_is_read(client: Client, contracts: Datasource, work: Any) -> None:
    old = make_document(contracts, "Old")
    client.post(reverse("document_replace", args=[contracts.pk, old.pk]), {"file": pdf("new.pdf")})
    assert set(contracts.documents.current().values_list("title", flat=True)) == {"Old", "new"}
    work()
    assert contracts.documents.current().get().filename == "new.pdf"


def test_the_original_is_saved_and_never_shown(client: Client, contracts: Datasource) -> None:
    document = make_document(contracts, "Report")
    response = client.get(reverse("document_original", args=[contracts.pk, document.pk]))
    assert response["Content-Disposition"] == 'attachment; filename="Report.pdf"'

    async def content() -> bytes:
        return b"".join([block async for block in response])  # type: ignore[attr-defined]

    assert async_to_sync(content)() == Path(document.file.path).read_bytes()


# --- the list --------------------------------------------------------------------------------------------
def titles(response: Any) -> list[str]:
    return [row.document.title for row in response.context["rows"]]


def test_the_list_is_filtered_found_and_sorted(client: Client, contracts: Datasource) -> None:
    make_document(contracts, "Beta", page_count=9)
    make_document(contracts, "alpha contract", page_count=1)
    make_document(contracts, "Broken", status=DocumentStatus.FAILED, page_count=None)
    make_document(contracts, "Waiting", status=DocumentStatus.QUEUED, page_count=None)
    address = reverse("documents", args=[contracts.pk])
    make_document(contracts, "Under way", status=DocumentStatus.EMBEDDING)
    make_document(contracts, "Stopped", status=DocumentStatus.CANCELLED)
    in_work_first = ["Under way", "Waiting", "Broken", "Stopped", "alpha contract", "Beta"]
    assert titles(client.get(address)) == in_work_first
    by_name = ["alpha contract", "Beta", "Broken", "Stopped", "Under way", "Waiting"]
    assert titles(client.get(address, {"sort": "name"})) == by_name
    assert titles(client.get(address, {"state": "ready", "sort": "pages"})) == ["Beta", "alpha contract"]
    assert titles(client.get(address, {"find": "CONTRACT alpha"})) == ["alpha contract"]
    counts = {one.key: one.count for one in client.get(address).context["states"]}
    assert counts == {"all": 6, "ready": 2, "work": 2, "failed": 1, "cancelled": 1}
    part = text_of(client.get(address, {"state": "failed"}, headers=HTMX))
    assert "<html" not in part
    assert "Broken" in part
    assert "Beta" not in part


def test_the_list_has_pages_of_fifty(client: Client, contracts: Datasource) -> None:
    rows = [
        Document(
            datasource=contracts,
            title=f"Passage {n:02}",
            filename="p.jsonl",
            mime="text/x-passage",
            size=1,
            sha256=f"{n:064}",
            status=DocumentStatus.READY,
            passage=n,
        )
        for n in range(1, 53)
    ]
    Document.objects.bulk_create(rows)
    address = reverse("documents", args=[contracts.pk])
    first = client.get(address, {"sort": "name"})
    assert len(titles(first)) == 50
    assert "?sort=name&amp;page=2" in text_of(first)
    assert titles(client.get(address, {"sort": "name", "page": "2"})) == ["Passage 51", "Passage 52"]


def test_pages_that_cannot_be_searched_are_named(client: Client, contracts: Datasource) -> None:
    document = make_document(contracts, "Scan", page_count=12, pages_without_text=5, pages_unreadable=1)
    for number in (2, 3, 4, 7, 9):
        Page.objects.create(document=document, number=number, text=" ")
    Page.objects.create(document=document, number=11, readable=False)
    page = text_of(client.get(reverse("documents", args=[contracts.pk])))
    assert "Pages 2-4, 7, 9 need OCR, about 25 s. Page 11 could not be read." in page
    assert "needs OCR" not in page


def test_a_row_offers_the_one_thing_that_can_help(client: Client, contracts: Datasource, bob: User) -> None:
    helps = {"encrypted": "Enter password"}
    helps |= dict.fromkeys(("corrupt", "empty", "no_words", "unsupported", "too_large"), "Replace")
    helps["needs_ocr"] = "Recognise text"
    helps |= dict.fromkeys(
        (
            "timeout",
            "not_started",
            "ended",
            "memory",
            "ocr_failed",
            "storage",
            "internal",
            "gave_up",
            "unreachable",
        ),
        "Read again",
    )
    rows = {
        make_document(
            contracts, code, status=DocumentStatus.FAILED, error_code=code, error_message=f"It is {code}."
        ).pk: label
        for code, label in helps.items()
    }
    address = reverse("documents", args=[contracts.pk])

    def offered(page: str, pk: int) -> list[str]:
        found = re.search(rf'<tr id="doc-{pk}".*?</tr>', page, re.DOTALL)
        assert found
        actions = found[0].partition("menu-d")[0]
        return [label for label in set(helps.values()) if label in actions]

    page = text_of(client.get(address))
    assert {pk: offered(page, pk) for pk in rows} == {pk: [label] for pk, label in rows.items()}
    plain = text_of(browser_of(bob).get(address))
    assert {tuple(offered(plain, pk)) for pk in rows} == {()}
    chosen = {"action": "retry", "documents": [pk for pk, label in rows.items() if label == "Replace"]}
    refused = client.post(reverse("documents_selection", args=[contracts.pk]), chosen, headers=HTMX)
    assert "another attempt can help" in text_of(refused)
    assert not contracts.documents.unfinished().exists()


def test_a_file_that_could_not_be_read_makes_way_for_its_replacement(
    client: Client, contracts: Datasource
) -> None:
    old = make_document(
        contracts, "Old", status=DocumentStatus.FAILED, error_code="corrupt", error_message="Bad."
    )
    address = reverse("document_replace", args=[contracts.pk, old.pk])
    assert "Bad." in text_of(client.get(address))
    refused = client.post(address, {"file": SimpleUploadedFile("new.exe", b"PK")})
    assert f"SVQ cannot read “new.exe”, only {describe_formats()}." in text_of(refused)
    assert ".jsonl" not in text_of(refused).partition("<form")[2].partition("accept=")[0]
    assert ".jsonl" not in text_of(client.post(address, {"file": SimpleUploadedFile("p.exe", b"x")}))
    client.post(address, {"file": pdf("new.pdf")})
    assert titles(client.get(reverse("documents", args=[contracts.pk]))) == ["new"]


def test_a_filter_without_a_match_says_so_and_can_be_cleared(client: Client, contracts: Datasource) -> None:
    make_document(contracts, "Report")
    address = reverse("documents", args=[contracts.pk])
    for query, said in (
        ({"find": "zebra"}, "No document has “zebra” in its name."),
        ({"state": "failed"}, "No document is failed."),
        ({"state": "failed", "find": "zebra"}, "No document is failed and has “zebra” in its name."),
    ):
        for headers in ({}, HTMX):
            page = text_of(client.get(address, query, headers=headers))
            assert said in page
            assert "Clear the filter" in page
            assert "No documents yet" not in page


def test_each_count_has_one_meaning_wherever_it_is_shown(client: Client, contracts: Datasource) -> None:
    make_document(contracts, "Ready", page_count=9, pages_without_text=1)
    make_document(contracts, "Waiting", status=DocumentStatus.QUEUED, page_count=4)
    make_document(contracts, "Broken", status=DocumentStatus.FAILED, page_count=None)
    make_document(contracts, "Stopped", status=DocumentStatus.CANCELLED, page_count=3)
    page = text_of(client.get(reverse("documents", args=[contracts.pk])))
    assert "1 searchable of 4 documents" in page  # the tab
    assert "8 of 12 pages searchable" in words(page)
    assert "You can ask now: 1 of 4 documents is searchable." in words(page)
    assert "1 of 4 Searchable" in words(text_of(client.get("/")))
    waiting = contracts.documents.get(title="Waiting")
    waiting.write(page_count=None)
    page = words(text_of(client.get(reverse("documents", args=[contracts.pk]))))
    assert "8 pages searchable" in page
    assert "The pages of 1 file are not counted yet." in page


def test_the_pages_of_all_files_are_counted_before_the_first_is_read(
    client: Client, contracts: Datasource, work: Any
) -> None:
    upload_address = reverse("documents_upload", args=[contracts.pk])
    client.post(upload_address, {"files": [pdf(), SimpleUploadedFile("bad.pdf", b"%PDF-1.4 nothing")]})
    for document in contracts.documents.all():
        count_pages(document.pk)
    assert set(contracts.documents.values_list("title", "page_count")) == {
        ("questionnaire", 2),
        ("bad", None),
    }
    assert {one.status for one in contracts.documents.all()} == {DocumentStatus.QUEUED}
    work()
    assert set(contracts.documents.values_list("title", "status")) == {
        ("Supplier Security Questionnaire", "ready"),
        ("bad", "failed"),
    }


def test_a_file_that_takes_long_to_open_is_counted_when_it_is_read(
    client: Client, contracts: Datasource, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else of the same person is read while its pages are counted."""
    monkeypatch.setattr(tasks, "COUNTING_SECONDS", 0.001)
    with monkeypatch.context() as sooner:
        sooner.setattr(sandbox, "TICK_SECONDS", 0.001)
        file = SimpleUploadedFile("slow.md", b"The fee for the term is due at once.\n\n" * 500)
        client.post(reverse("documents_upload", args=[contracts.pk]), {"files": [file]})
        document = contracts.documents.get()
        count_pages(document.pk)
    document.refresh_from_db()
    assert (document.page_count, document.status) == (None, DocumentStatus.QUEUED)
    work()
    document.refresh_from_db()
    assert document.page_count
    assert document.status == DocumentStatus.READY


def test_the_entities_of_each_document_are_counted_at_once(
    client: Client, contracts: Datasource, alice: User, django_assert_max_num_queries: Any
) -> None:
    def shown(content: str) -> list[str]:
        return re.findall(r'data-column="names">([\d,]+)<', content)

    upload(contracts, "Mira Okafor founded Halden Foods. Halden Foods is in Leeds.")
    make_document(contracts, "Waiting", status=DocumentStatus.QUEUED)
    assert shown(text_of(client.get(f"/d/{contracts.pk}/"))) == ["0", "3"]
    curation.hide(Entity.objects.get(name="Leeds"))
    assert shown(text_of(client.get(f"/d/{contracts.pk}/"))) == ["0", "2"]
    with CaptureQueriesContext(connection) as one:
        client.get(f"/d/{contracts.pk}/")
    upload(contracts, *TEXTS)
    with django_assert_max_num_queries(len(one)):
        page = client.get(f"/d/{contracts.pk}/")
    counts = shown(text_of(page))
    assert len(counts) == len(TEXTS) + 2
    assert counts.count("0") == 1


def test_all_pages_count_the_entities_of_a_document_alike(
    client: Client, contracts: Datasource, alice: User, work: Any
) -> None:
    documents = [
        accept_upload(contracts, alice, f"{n}.txt", io.BytesIO(text.encode()))[0].document
        for n, text in enumerate(TEXTS[:4])
    ]
    work()
    curation.hide(contracts.entities.earliest("pk"))
    page = text_of(client.get(reverse("documents", args=[contracts.pk]), {"sort": "newest"}))
    for document in documents:
        row = re.search(rf'id="doc-{document.pk}".*?data-column="names">(\d+)<', page, re.DOTALL)
        assert row
        of_document = {"document": document.pk}
        drawn = client.get(reverse("graph_data", args=[contracts.pk]), of_document).json()["total"]
        listed = entities_of(contracts, documents=[document.pk]).count()  # of all types
        beside = queries.counts(document)
        assert {int(row[1]), drawn, listed, beside["entities"]} == {int(row[1])}


def test_viewers_see_documents_and_no_way_to_change_them(contracts: Datasource, bob: User) -> None:
    make_document(contracts, "Broken", status=DocumentStatus.FAILED, error_message="It is damaged.")
    page = text_of(browser_of(bob).get(reverse("documents", args=[contracts.pk])))
    assert "It is damaged." in page
    for word in ("data-dropzone", "Read again", "Replace", "/delete/"):
        assert word not in page


# --- deleting with undo ----------------------------------------------------------------------------------
def found(contracts: Datasource, user: User) -> int:
    return len(fuzzy.search(Scope(user_id=user.pk, datasource_id=contracts.pk), "thirty days"))


def test_what_is_deleted_is_hidden_at_once_and_can_come_back(
    client: Client, contracts: Datasource, alice: User, work: Any
) -> None:
    document = make_document(contracts, "Questionnaire")
    page = reverse("documents", args=[contracts.pk])
    client.post(reverse("document_remove", args=[contracts.pk, document.pk]))
    shown = client.get(page)
    assert titles(shown) == []
    assert "“Questionnaire” is deleted." in text_of(shown)
    assert found(contracts, alice) == 0
    assert client.get(f"/api/v1/documents/{document.pk}").status_code == 404
    client.post(reverse("documents_undo", args=[contracts.pk]), {"documents": [document.pk]})
    assert titles(client.get(page)) == ["Questionnaire"]
    assert found(contracts, alice) == 1
    work()
    assert Document.objects.filter(pk=document.pk).exists()


def test_a_deletion_becomes_final_by_itself(
    client: Client, contracts: Datasource, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)
    document = make_document(contracts)
    file = Path(document.file.path)
    client.post(reverse("document_remove", args=[contracts.pk, document.pk]))
    work()
    assert not Document.objects.filter(pk=document.pk).exists()
    assert not file.exists()
    late = client.post(reverse("documents_undo", args=[contracts.pk]), {"documents": [document.pk]})
    assert late.status_code == 302


def test_a_file_deleted_and_added_again_is_there_once(client: Client, contracts: Datasource) -> None:
    upload = reverse("documents_upload", args=[contracts.pk])
    client.post(upload, {"files": pdf()})
    first = contracts.documents.get()
    client.post(reverse("document_remove", args=[contracts.pk, first.pk]))
    client.post(upload, {"files": pdf("second.pdf")})
    undone = client.post(reverse("documents_undo", args=[contracts.pk]), {"documents": [first.pk]})
    assert "has been added again" in messages_of(undone)[-1]
    assert contracts.documents.current().get().title == "second"


def test_an_undone_deletion_of_a_waiting_document_is_read_after_all(
    client: Client, contracts: Datasource, work: Any
) -> None:
    client.post(reverse("documents_upload", args=[contracts.pk]), {"files": pdf()})
    document = contracts.documents.get()
    client.post(reverse("document_remove", args=[contracts.pk, document.pk]))
    client.post(reverse("documents_undo", args=[contracts.pk]), {"documents": [document.pk]})
    work()
    assert contracts.documents.get().status == DocumentStatus.READY


def test_deleting_a_replacement_that_failed_keeps_the_old_version(contracts: Datasource) -> None:
    old = make_document(contracts, "Old")
    new = make_document(contracts, "New", status=DocumentStatus.FAILED, replaces=old)
    purge(new)
    assert contracts.documents.get() == old


def test_selected_documents_are_asked_and_deleted_together(client: Client, contracts: Datasource) -> None:
    one, two, three = (make_document(contracts, name) for name in ("One", "Two", "Three"))
    address = reverse("documents_selection", args=[contracts.pk])
    asked = client.post(address, {"action": "ask", "documents": [one.pk, two.pk]})
    assert asked["Location"].startswith(reverse("chat", args=[contracts.pk]))
    assert f"documents={one.pk}" in asked["Location"]
    client.post(address, {"action": "delete", "documents": [one.pk, two.pk]})
    assert contracts.documents.current().get() == three


# --- pausing ---------------------------------------------------------------------------------------------
def test_paused_documents_wait_and_are_read_after_the_resume(
    client: Client, contracts: Datasource, work: Any
) -> None:
    client.post(reverse("reading_pause", args=[contracts.pk]))
    client.post(reverse("documents_upload", args=[contracts.pk]), {"files": pdf()})
    work()
    assert contracts.documents.get().status == DocumentStatus.QUEUED
    page = text_of(client.get(reverse("documents", args=[contracts.pk])))
    assert "1 file waits: reading is paused" in words(page)
    client.post(reverse("reading_resume", args=[contracts.pk]))
    work()
    assert contracts.documents.get().status == DocumentStatus.READY


def test_passages_wait_for_the_resume_too(contracts: Datasource, alice: User, work: Any) -> None:
    lines = "\n".join(json.dumps({"title": f"T{n}", "text": f"Sentence number {n}."}) for n in range(5))
    accept_upload(contracts, alice, "p.jsonl", io.BytesIO(lines.encode()))
    pausing.pause(contracts)
    work()
    assert not contracts.documents.ready().exists()
    pausing.resume(contracts)
    work()
    assert contracts.documents.ready().count() == 5


# --- live changes ----------------------------------------------------------------------------------------
def test_the_stream_tells_the_page_that_its_list_has_changed(
    client: Client, contracts: Datasource, alice: User, work: Any
) -> None:
    channel, address = progress.channel(contracts.pk), reverse("documents", args=[contracts.pk])
    old = make_document(contracts, "Old")
    seen = client.get(address).context["seen"]
    new = accept_upload(contracts, alice, "a.pdf", io.BytesIO(SAMPLE.read_bytes()), replaces=old)[0].document
    told, seq = stream.snapshot(channel, alice)
    assert int(told) == seq > seen
    part = text_of(client.get(address, headers=HTMX))
    assert f'id="doc-{new.pk}"' in part
    assert f'id="doc-{old.pk}"' in part
    work()
    later = "".join(stream.fragment(channel, event, alice) or "" for event in log.read(channel, seq))
    assert int(later.split()[-1]) == log.last_seq(channel) > seq
    part = text_of(client.get(address, headers=HTMX))
    assert f'id="doc-{new.pk}"' in part
    assert f'id="doc-{old.pk}"' not in part  # replaced: its row goes with the count
    assert '<span class="count" id="n-all">1</span>' in part
    assert '<span class="count" title="1 document">1</span>' in part  # the tab
    assert '<div id="ingest" hx-swap-oob="morph"></div>' in part
    deletion.delete(new)
    part = text_of(client.get(address, headers=HTMX))
    assert f'id="doc-{new.pk}"' not in part
    assert "“Supplier Security Questionnaire” is deleted." in part


def test_progress_is_told_in_pages_whatever_the_stage_counts(client: Client, contracts: Datasource) -> None:
    document = make_document(contracts, "Thesis", page_count=20, chunk_count=300)
    for status, done, total, said in (
        (DocumentStatus.EXTRACTING, 0, 20, "Reading page 1 of 20"),
        (DocumentStatus.EXTRACTING, 20, 20, "Reading page 20 of 20"),
        (DocumentStatus.SPLITTING, 0, 1, "Cutting into passages"),
        (DocumentStatus.EMBEDDING, 150, 300, "Indexing page 11 of 20"),
        (DocumentStatus.EMBEDDING, 300, 300, "Indexing page 20 of 20"),
        (DocumentStatus.LINKING, 0, 300, "Building the graph"),
        (DocumentStatus.LINKING, 150, 300, "Building the graph, page 11 of 20"),
    ):
        document.write(status=status, stage_done=done, stage_total=total)
        page = text_of(client.get(reverse("documents", args=[contracts.pk])))
        assert f'aria-label="{said}"' in page
        assert "%" not in words(page)


def test_a_row_never_goes_backwards(contracts: Datasource) -> None:
    document = make_document(contracts, page_count=20, chunk_count=40)
    percents = []
    for status, total in (("extracting", 20), ("splitting", 1), ("embedding", 40), ("linking", 40)):
        for done in (0, total // 2, total):
            document.status, document.stage_done, document.stage_total = status, done, total
            percents.append(row(document, paused=False).percent)
    assert percents == sorted(percents)


def progressed(document: Document, status: DocumentStatus, done: int, total: int, ago: float) -> None:
    """The document was so far `ago` seconds before now."""
    document.status, document.stage_done, document.stage_total = status, done, total
    document.save()
    progress.announce(document, "document_progressed")
    newest = Event.objects.filter(channel=progress.channel(document.datasource_id)).latest("seq")
    then = timezone.now() - timedelta(seconds=ago)
    Event.objects.filter(channel=newest.channel, seq=newest.seq).update(created=then)


def test_a_row_tells_the_time_left_once_its_speed_is_known(client: Client, contracts: Datasource) -> None:
    embedding, extracting = DocumentStatus.EMBEDDING, DocumentStatus.EXTRACTING
    make_document(contracts, "Read before", page_count=10, chunk_count=40)
    thesis = make_document(contracts, "Thesis", page_count=80, chunk_count=300)
    scan = make_document(contracts, "Scan", page_count=90, chunk_count=0)

    def told(document: Document) -> str:
        page = text_of(client.get(reverse("documents", args=[contracts.pk])))
        found = re.search(rf'id="doc-{document.pk}".*?status-cell">(.*?)</div>', page, re.DOTALL)
        assert found
        return re.sub(r">\s+|\s+<", lambda gap: gap[0].strip(), found[1])

    progressed(scan, extracting, 10, 90, ago=20)
    progressed(scan, extracting, 50, 90, ago=0)  # 2 pages a second: 20 s for the other 40
    assert " left" not in told(scan)  # how long its chunks take is not known yet
    progressed(thesis, embedding, 0, 300, ago=30)
    assert " left" not in told(thesis)
    progressed(thesis, embedding, 150, 300, ago=0)  # 5 chunks a second
    assert "Indexing page 41 of 80" in told(thesis)
    assert re.search(r">(30|35) s<", told(thesis))
    # With about 3.8 chunks a page, 340 chunks: 68 s more.
    assert ">2 min<" in told(scan)
    progressed(thesis, embedding, 150, 300, ago=0)
    Event.objects.filter(data__document=thesis.pk, data__done=0).update(
        created=timezone.now() - timedelta(seconds=100)
    )
    assert ">2 min<" in told(thesis)  # it has hardly got on since
    client.post(reverse("reading_pause", args=[contracts.pk]))
    assert " left" not in told(thesis)


def test_viewers_cannot_pause_or_cancel(contracts: Datasource, alice: User, bob: User) -> None:
    accept_upload(contracts, alice, "a.pdf", io.BytesIO(SAMPLE.read_bytes()))
    address = reverse("documents", args=[contracts.pk])
    assert "Pause" in text_of(browser_of(alice).get(address, headers=HTMX))
    shown = text_of(browser_of(bob).get(address, headers=HTMX))
    assert "Pause" not in shown
    assert "Cancel" not in shown


# --- settings --------------------------------------------------------------------------------------------
def test_the_owner_changes_settings_and_wrong_ones_are_explained(
    client: Client, contracts: Datasource
) -> None:
    address = reverse("save_setting", args=[contracts.pk])
    client.post(address, {"field": "name", "name": "Deals"})
    splitting = {
        "field": ["chunking", "chunk_size", "chunk_overlap"],
        "chunking": "paragraph",
        "chunk_size": 500,
        "chunk_overlap": 50,
    }
    client.post(address, splitting)
    contracts.refresh_from_db()
    assert (contracts.name, contracts.chunk_size, contracts.chunk_overlap) == ("Deals", 500, 50)
    refused = client.post(address, splitting | {"chunk_overlap": 400})
    assert refused.status_code == 422
    assert "The overlap is at most half of a passage." in text_of(refused)
    contracts.refresh_from_db()
    assert contracts.chunk_overlap == 50
    assert contracts.chunking == "paragraph"
    client.post(address, {"field": "chunk_size", "chunk_size": 600, "name": "Not named"})
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunking) == (600, "paragraph")
    assert contracts.name == "Deals", "only what `field` names is stored"


def test_the_models_in_use_are_named(client: Client, contracts: Datasource, settings: Any) -> None:
    address = reverse("settings_section", args=[contracts.pk, "models"])
    settings.LLM_BASE_URL = ""
    assert "ask an administrator of this server to connect a model" in text_of(client.get(address))
    settings.LLM_BASE_URL, settings.LLM_MODEL = "https://models.example.com/v1", "big-model"
    page = text_of(client.get(address))
    named = '<span class="mono">big-model</span>'
    assert page.count(named) == 1
    assert "Rules, which need no model" in page
    assert "Text leaves this network." in page
    GraphSettings.objects.create(datasource=contracts, extractor=GraphExtractor.MODEL)
    assert text_of(client.get(address)).count(named) == 2
    settings.LLM_BASE_URL = "http://192.168.1.5:8000/v1"
    assert "Nothing leaves this network." in text_of(client.get(address))
    settings.RERANK_BASE_URL, settings.RERANK_MODEL = "https://rank.example.com/v1", "ranker"
    page = text_of(client.get(address))
    assert "Text leaves this network." in page
    assert "Ranks the passages of a question" in page
    assert "rank.example.com" in page


def test_people_are_added_changed_and_removed(client: Client, contracts: Datasource, charlie: User) -> None:
    add = reverse("add_member", args=[contracts.pk])
    client.post(add, {"email": "Charlie@Example.org", "role": "viewer"})
    assert contracts.role_of(charlie) == Role.VIEWER
    change = reverse("change_member", args=[contracts.pk, charlie.pk])
    client.post(change, {"field": "role", "role": "editor"})
    assert contracts.role_of(charlie) == Role.EDITOR
    client.post(change, {"role": "editor", "remove": "1"})
    assert contracts.role_of(charlie) is None


def test_members_see_settings_but_not_the_others(contracts: Datasource, bob: User) -> None:
    editor = person("erin")
    Membership.objects.create(datasource=contracts, user=editor, role=Role.EDITOR)
    page = text_of(browser_of(bob).get(reverse("settings_section", args=[contracts.pk, "people"])))
    assert "Your role is viewer" in page
    assert "erin@example.org" not in page
    assert "Delete" not in page


def test_deleting_names_the_loss_and_wants_the_name(
    client: Client, contracts: Datasource, alice: User
) -> None:
    make_turn(alice, make_document(contracts))
    other = create_datasource(alice, "Other")
    address = reverse("datasource_delete", args=[contracts.pk])
    assert "1 file and 1 conversation go with it." in text_of(client.get(address))
    assert client.post(address, {"name": "Contract"}).status_code == 422
    assert Datasource.objects.filter(pk=contracts.pk).exists()
    client.post(address, {"name": "Contracts"})
    assert list(Datasource.objects.filter(owner=alice)) == [other]
