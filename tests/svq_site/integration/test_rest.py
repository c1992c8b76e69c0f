"""REST as a program uses it: signing in, files in, questions, proof, and how errors are told."""

import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pypdf import PdfReader

from accounts.models import User
from chat.models import Conversation, Turn, TurnStatus
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from datasources.refusals import split
from tests.factories import SAMPLE, TEXT, make_document, make_turn
from tests.people import PASSWORD
from tests.processes import wait_until
from tests.rest import ERROR, Api


@pytest.fixture(autouse=True)
def _no_counts_of_other_tests() -> None:
    cache.clear()


def pdf(name: str = "questionnaire.pdf", extra: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, SAMPLE.read_bytes() + extra, "application/pdf")


# --- signing in ------------------------------------------------------------------------------------------
def test_a_token_comes_by_email_and_is_refreshed(alice: User) -> None:
    client = Api()
    tokens = client.post("auth/login", {"email": "ALICE@example.org", "password": PASSWORD}).json()
    client.headers = {"Authorization": f"Bearer {tokens['access']}"}
    assert client.get("data-sources").json()["count"] == 0
    fresh = Api().post("auth/refresh", {"refresh": tokens["refresh"]})
    assert fresh.json()["access"]


def test_a_wrong_password_and_a_wrong_token_are_told_alike_as_json(alice: User) -> None:
    wrong = Api().post("auth/login", {"email": alice.email, "password": "guess"})
    unknown = Api().post("auth/login", {"email": "nobody@example.org", "password": "guess"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    forged = Api().get("data-sources", Authorization="Bearer nonsense")
    assert (forged.status_code, set(forged.json())) == (401, ERROR)
    missing = Api().get("data-sources")
    assert (missing.status_code, missing.json()["code"]) == (401, "not_signed_in")
    assert missing.headers["WWW-Authenticate"].startswith("Bearer")


def test_guessing_is_slowed_down_even_with_forged_addresses(alice: User) -> None:
    attempts = [
        Api().client.post(
            "/api/v1/auth/login",
            {"email": alice.email, "password": "guess"},
            REMOTE_ADDR=f"10.0.0.{number}",
            headers={"X-Forwarded-For": f"192.0.2.{number}"},
        )
        for number in range(11)
    ]
    assert [one.status_code for one in attempts] == [401] * 10 + [429]
    assert attempts[-1].json()["code"] == "throttled"
    assert int(attempts[-1].headers["Retry-After"]) > 0


def test_a_session_needs_its_csrf_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    refused = client.post("/api/v1/data-sources", {"name": "Mine"}, content_type="application/json")
    assert (refused.status_code, set(refused.json())) == (403, ERROR)
    assert not Datasource.objects.exists()


# --- datasources -----------------------------------------------------------------------------------------
def test_a_datasource_from_beginning_to_end(alice: User, bob: User) -> None:
    api = Api(alice)
    made = api.post("data-sources", {"name": "Reports", "chunk_size": 500, "chunk_overlap": 50})
    assert made.status_code == 201
    here = f"data-sources/{made.json()['id']}"
    taken = api.post("data-sources", {"name": "reports"})
    assert (taken.status_code, taken.json()["code"]) == (400, "name_taken")
    assert taken.json()["hint"] == "Choose another name."
    changed = api.send("PATCH", here, {"name": "Annual reports", "description": "Since 2019"}).json()
    assert (changed["name"], changed["description"], changed["role"]) == (
        "Annual reports",
        "Since 2019",
        "owner",
    )
    assert api.post(f"{here}/members", {"email": "BOB@example.org", "role": "viewer"}).status_code == 201
    theirs = Api(bob)
    assert theirs.get(here).json()["role"] == "viewer"
    assert theirs.send("PATCH", here, {"name": "Bob's"}).status_code == 403
    assert api.send("PUT", f"{here}/members/{bob.pk}", {"role": "editor"}).json()["role"] == "editor"
    make_document(Datasource.objects.get())
    assert api.get(f"{here}/loss").json()["documents"] == 1
    assert api.send("DELETE", f"{here}/members/{bob.pk}").status_code == 204
    assert theirs.get(here).status_code == 404
    assert api.send("DELETE", here).json() == {"lost": "1 file and 0 conversations go with it."}
    assert api.get(here).status_code == 404


def test_sharing_tells_the_same_of_known_and_unknown_addresses(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    api, here = Api(alice), f"data-sources/{contracts.pk}/members"
    told = []
    for email in (charlie.email, "nobody@example.org"):
        answer = api.post(here, {"email": email, "role": "editor"})
        told.append((answer.status_code, {**answer.json(), "invitation": 0, "created": 0, "email": ""}))
    assert told[0] == told[1]
    invited = [row for row in api.get(here).json()["results"] if row["invitation"]]
    assert [(row["id"], row["email"], row["name"]) for row in invited] == [
        (None, charlie.email, ""),
        (None, "nobody@example.org", ""),
    ]
    assert api.send("DELETE", f"{here}/{charlie.pk}").status_code == 404
    one, other = (f"data-sources/{contracts.pk}/invitations/{row['invitation']}" for row in invited)
    assert api.send("PUT", one, {"role": "viewer"}).json()["role"] == "viewer"
    assert api.send("DELETE", other).status_code == 204
    assert Api(charlie).get(f"data-sources/{contracts.pk}").json()["role"] == "viewer"
    names = {row["email"]: row["name"] for row in api.get(here).json()["results"]}
    assert names == {"bob@example.org": "Bob", charlie.email: "Charlie"}


# --- documents -------------------------------------------------------------------------------------------
def test_each_of_several_files_has_its_own_outcome(alice: User, contracts: Datasource) -> None:
    api, here = Api(alice), f"data-sources/{contracts.pk}/documents"
    first = api.upload(here, files=[pdf()])
    assert (first.status_code, first.json()["files"][0]["outcome"]) == (201, "accepted")
    files = [pdf("again.pdf"), pdf("new.pdf", b"%"), SimpleUploadedFile("notes.exe", b"words")]
    mixed = api.upload(here, files=files)
    assert mixed.status_code == 207
    assert [one["outcome"] for one in mixed.json()["files"]] == ["duplicate", "accepted", "rejected"]
    assert mixed.json()["files"][0]["documents"] == first.json()["files"][0]["documents"]
    assert set(mixed.json()["files"][2]["error"]) == ERROR
    assert api.upload(here, files=[pdf()]).status_code == 200
    assert api.get(here).json()["count"] == 2


def test_a_single_file_that_is_refused_is_an_error(alice: User, contracts: Datasource, settings: Any) -> None:
    api, here = Api(alice), f"data-sources/{contracts.pk}/documents"
    wrong = api.upload(here, files=[SimpleUploadedFile("My. Notes.exe", b"words")])
    assert (wrong.status_code, wrong.json()["code"]) == (415, "unsupported")
    assert wrong.json()["hint"] == "Nothing was stored; save it as PDF and add it again."
    settings.MAX_UPLOAD_BYTES = 1000
    assert api.upload(here, files=[pdf()]).status_code == 413
    assert api.upload(here).json()["code"] == "file_missing"
    assert api.post(here, {"files": []}).status_code == 415
    assert not contracts.documents.exists()


def test_documents_are_filtered(alice: User, contracts: Datasource) -> None:
    make_document(contracts, "Lease")
    make_document(
        contracts, "Scan", status=DocumentStatus.FAILED, error_code="corrupt", error_message="Torn."
    )
    make_document(contracts, "Old lease", status=DocumentStatus.SUPERSEDED)
    api, here = Api(alice), f"data-sources/{contracts.pk}/documents"

    def titles(query: str) -> list[str]:
        return sorted(one["title"] for one in api.get(f"{here}?{query}").json()["results"])

    assert titles("") == ["Lease", "Scan"]
    assert titles("status=failed") == ["Scan"]
    assert titles("status=failed&status=ready") == ["Lease", "Scan"]
    assert titles("q=LEA") == ["Lease"]
    failed = api.get(f"{here}?status=failed").json()["results"][0]
    assert failed["error"] == {"code": "corrupt", "message": "Torn.", "hint": ""}


def test_what_was_read_can_be_looked_at(alice: User, bob: User, contracts: Datasource) -> None:
    document = make_document(contracts)
    api, here = Api(bob), f"documents/{document.pk}"
    assert api.get(f"{here}/pages").json()["results"][0]["text"] == TEXT
    assert api.get(f"{here}/pages/1").json()["width"] == 595
    assert api.get(f"{here}/pages/7").status_code == 404
    document.chunks.update(section="Lease › Term")
    chunk = api.get(f"{here}/chunks").json()["results"][0]
    assert (chunk["text"], chunk["start"], chunk["end"]) == (TEXT, 0, len(TEXT))
    assert chunk["section"] == "Lease › Term"
    assert api.send("PATCH", f"chunks/{chunk['id']}", {"left_out": True}).status_code == 403
    left_out = Api(alice).send("PATCH", f"chunks/{chunk['id']}", {"left_out": True, "text": "Forged"})
    assert (left_out.json()["left_out"], left_out.json()["text"]) == (True, TEXT)


def test_cancel_retry_replace_and_delete(alice: User, contracts: Datasource) -> None:
    api = Api(alice)
    uploaded = api.upload(f"data-sources/{contracts.pk}/documents", files=[pdf()]).json()
    here = f"documents/{uploaded['files'][0]['documents'][0]}"
    assert api.get(here).json()["status"] == "queued"
    assert api.post(f"{here}/cancel").json()["status"] == "cancelled"
    assert api.post(f"{here}/cancel").json()["code"] == "finished"
    assert api.post(f"{here}/retry").json()["status"] == "queued"
    new = api.upload(f"{here}/replace", file=pdf("next.pdf", b"%"))
    assert new.status_code == 201
    assert api.get(f"documents/{new.json()['documents'][0]}").json()["version"] == 2
    assert api.upload(f"{here}/replace").json()["code"] == "invalid"
    assert api.send("DELETE", here).status_code == 204
    assert api.get(here).status_code == 404


# --- questions -------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_from_an_upload_to_a_proven_answer(alice: User, work: Any) -> None:
    api = Api(alice)
    here = f"data-sources/{api.post('data-sources', {'name': 'Security'}).json()['id']}"
    document = api.upload(f"{here}/documents", files=[pdf()]).json()["files"][0]["documents"][0]
    work()
    assert api.get(f"documents/{document}").json()["status"] == "ready"
    answers = []

    def ask() -> None:
        answers.append(api.post(f"{here}/ask", {"question": "Where are customers' backups kept?"}))
        connection.close()

    asking = threading.Thread(target=ask)
    asking.start()
    # While work is done here no other thread can queue any.
    wait_until(lambda: not asking.is_alive() or Turn.objects.exists(), "the question")
    while asking.is_alive():  # the client waits, as the answer is only written now
        work()
        asking.join(0.1)
    answer = answers[0]
    assert (answer.status_code, answer.json()["status"]) == (200, "quotes")
    cited = answer.json()["citations"][0]
    assert (cited["document"]["id"], cited["on_page"], cited["support"]) == (document, "exact", "none")
    text = api.get(f"documents/{document}/pages/{cited['pages'][0]}").json()["text"]
    assert cited["quote"] in text or len(cited["pages"]) > 1
    proof = api.get(f"turns/{answer.json()['id']}/citations/1").json()
    page = str(cited["pages"][0])
    assert proof["boxes"][page]
    for address in (proof["images"][page], proof["crops"][page]):
        image = api.get(address.removeprefix("/api/v1/"), Accept="image/webp")
        assert (image.status_code, image.content[8:12]) == (200, b"WEBP")


def test_a_question_that_is_not_waited_for(alice: User, contracts: Datasource) -> None:
    api, here = Api(alice), f"data-sources/{contracts.pk}"
    asked = api.post(f"{here}/ask", {"question": "Why?", "wait": False})
    assert asked.status_code == 202
    turn = Turn.objects.get()
    assert asked.json() == {
        "id": str(turn.pk),
        "conversation": str(turn.conversation_id),
        "status": "queued",
        "ahead": 0,
        "turn": f"/api/v1/turns/{turn.pk}",
        "events": f"/events/?channel=turn:{turn.pk}",
    }
    assert api.get(f"turns/{turn.pk}").json()["status"] == "queued"
    again = {"question": "And?", "conversation": str(turn.conversation_id), "wait": False}
    assert api.post(f"{here}/ask", again).status_code == 202
    assert api.post(f"turns/{turn.pk}/stop").json()["stopped"] is True
    assert api.post(f"turns/{turn.pk}/stop").json()["stopped"] is False
    assert [one["question"] for one in conversation_of(api, turn)["turns"]] == ["Why?", "And?"]


def conversation_of(api: Api, turn: Turn) -> Any:
    return api.get(f"conversations/{turn.conversation_id}").json()


def test_a_question_can_be_followed_as_a_stream(alice: User, contracts: Datasource) -> None:
    sent = Api(alice).post(
        f"data-sources/{contracts.pk}/ask", {"question": "Why?"}, Accept="text/event-stream"
    )
    assert sent.status_code == 303
    assert sent.headers["Location"] == f"/events/?channel=turn:{Turn.objects.get().pk}"
    refused = Api(alice).post(f"data-sources/{contracts.pk}/ask", {}, Accept="text/event-stream")
    assert (refused.status_code, set(refused.json())) == (400, ERROR)


def test_only_the_chosen_documents_are_searched(alice: User, contracts: Datasource, charlie: User) -> None:
    document = make_document(contracts)
    foreign = make_document(Datasource.objects.create(owner=charlie, name="Private"), "Private")
    api, here = Api(alice), f"data-sources/{contracts.pk}"
    question = {"question": "Why?", "wait": False}
    assert api.post(f"{here}/ask", question | {"documents": [document.pk]}).status_code == 202
    assert Turn.objects.get().document_ids == [document.pk]
    refused = api.post(f"{here}/ask", question | {"documents": [foreign.pk]})
    assert (refused.status_code, refused.json()["code"]) == (400, "foreign_document")
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("ask", {"question": "Which?", "documents": [*range(10_001)]}),
        ("conversations", {"documents": [*range(10_001)]}),
        ("extraction/retry", {"chunks": [*range(10_001)]}),
    ],
)
def test_a_list_of_numbers_has_an_end(
    alice: User, contracts: Datasource, path: str, body: dict[str, Any]
) -> None:
    refused = Api(alice).post(f"data-sources/{contracts.pk}/{path}", body)
    assert refused.status_code == 400
    assert "no more than 10000" in refused.json()["message"]


def test_conversations_are_begun_renamed_exported_and_deleted(alice: User, contracts: Datasource) -> None:
    document = make_document(contracts)
    api, here = Api(alice), f"data-sources/{contracts.pk}/conversations"
    begun = api.post(here, {"documents": [document.pk]})
    assert (begun.status_code, begun.json()["documents"]) == (201, [document.pk])
    mine = f"conversations/{begun.json()['id']}"
    asked = {"question": "How long?", "conversation": begun.json()["id"], "wait": False}
    assert api.post(f"data-sources/{contracts.pk}/ask", asked).status_code == 202
    assert api.get(mine).json()["title"] == "How long?"  # named by its first question
    changed = api.send("PATCH", mine, {"title": "Retention", "documents": None}).json()
    assert (changed["title"], changed["documents"]) == ("Retention", None)
    refused = api.send("PATCH", mine, {"documents": []})
    assert (refused.status_code, refused.json()["code"]) == (400, "no_documents")
    refused = api.send("PATCH", mine, {"title": "\u200b", "documents": [document.pk]})
    assert (refused.status_code, refused.json()["code"]) == (400, "title_missing")
    assert api.get(mine).json()["documents"] is None  # nothing was changed
    assert [one["title"] for one in api.get(here).json()["results"]] == ["Retention"]
    exported = api.get(f"{mine}/export", Accept="text/markdown")
    assert exported.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert exported.content.decode().startswith("# How long?")
    assert api.send("DELETE", mine).status_code == 204
    assert not Turn.objects.exists()


def test_an_answer_is_exported_with_its_sources(alice: User, contracts: Datasource) -> None:
    turn = make_turn(alice, make_document(contracts))
    text = Api(alice).get(f"turns/{turn.pk}/export").content.decode()
    assert f"{TEXT} [1]" in text
    assert f"1. Questionnaire, page 1 (on the page; supports the claim, checked by code): “{TEXT}”" in text


# --- proof -----------------------------------------------------------------------------------------------
def test_images_are_kept_by_the_client_and_by_nobody_else(alice: User, contracts: Datasource) -> None:
    turn = make_turn(alice, make_document(contracts))
    api = Api(alice)
    plain = api.get(f"documents/{turn.citations.get().document_id}/pages/1/image")
    marked = api.get(f"turns/{turn.pk}/citations/1/pages/1/image")
    crop = api.get(f"turns/{turn.pk}/citations/1/pages/1/crop")
    for image in (plain, marked, crop):
        assert (image.status_code, image.headers["Content-Type"]) == (200, "image/webp")
        assert image.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert len({plain.headers["ETag"], marked.headers["ETag"], crop.headers["ETag"]}) == 3
    again = api.get(f"turns/{turn.pk}/citations/1/pages/1/crop", **{"If-None-Match": crop.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_cited_pages_come_as_a_pdf(alice: User, contracts: Datasource) -> None:
    turn = make_turn(alice, make_document(contracts))
    cut = Api(alice).get(f"turns/{turn.pk}/citations/1/pdf", Accept="application/pdf")
    assert cut.headers["Content-Disposition"] == 'attachment; filename="Questionnaire, p. 1.pdf"'
    assert len(PdfReader(io.BytesIO(cut.content)).pages) == 1


def test_a_citation_outlives_its_document(alice: User, contracts: Datasource) -> None:
    turn = make_turn(alice, make_document(contracts))
    api = Api(alice)
    api.send("DELETE", f"documents/{turn.citations.get().document_id}")
    kept = api.get(f"turns/{turn.pk}/citations/1").json()
    assert (kept["quote"], kept["images"], kept["pdf"]) == (TEXT, {}, None)
    gone = api.get(f"turns/{turn.pk}/citations/1/pages/1/image")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_page")


def test_a_page_that_the_quote_is_not_on_is_not_shown_as_its_proof(
    alice: User, contracts: Datasource
) -> None:
    turn = make_turn(alice, make_document(contracts))
    other = Api(alice).get(f"turns/{turn.pk}/citations/1/pages/2/image")
    assert (other.status_code, other.json()["code"]) == (404, "other_page")


def test_a_file_that_is_gone_is_told_of(alice: User, contracts: Datasource) -> None:
    document = make_document(contracts)
    Path(document.file.path).unlink()
    lost = Api(alice).get(f"documents/{document.pk}/pages/1/image")
    assert (lost.status_code, lost.json()["code"]) == (404, "not_drawn")


# --- errors and the schema -------------------------------------------------------------------------------
def test_errors_are_json_wherever_they_arise(
    alice: User, contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = Api(alice)
    api.client.raise_request_exception = False
    here = f"data-sources/{contracts.pk}"
    malformed = api.client.generic(
        "POST", "/api/v1/data-sources", "{", content_type="application/json", headers=api.headers
    )
    fields = api.send("PATCH", here, {"chunk_size": "many"})
    with monkeypatch.context() as patch:
        patch.setattr("datasources.services.loss_of", lambda datasource: 1 / 0)
        broken = api.get(f"{here}/loss")
    answers = {
        400: malformed,
        404: api.get("no-such-thing"),
        405: api.send("PUT", here, {}),
        415: api.client.post("/api/v1/data-sources", "x", content_type="text/plain", headers=api.headers),
        500: broken,
    }
    for status, answer in answers.items():
        assert (answer.status_code, set(answer.json())) == (status, ERROR)
        assert answer.json()["message"]
    assert (fields.status_code, fields.json()["code"]) == (400, "invalid")
    assert "chunk_size" in fields.json()["message"]
    assert "ZeroDivision" not in broken.content.decode()


def test_a_page_that_is_not_there_stays_a_page(alice: User) -> None:
    missing = Client().get("/no-such-page/")
    assert missing.status_code == 404
    assert missing.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One sentence.", ("One sentence.", "")),
        ("It is so. Nothing was stored. Do that.", ("It is so. Nothing was stored.", "Do that.")),
        ("“A. b” and “C. d” are the same.", ("“A. b” and “C. d” are the same.", "")),
    ],
)
def test_the_last_sentence_of_a_refusal_is_its_hint(text: str, parts: tuple[str, str]) -> None:
    assert split(text) == parts


def test_the_schema_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(path), format="openapi-json")
    schema = json.loads(path.read_text())
    assert set(schema["paths"]["/api/v1/data-sources/{id}/ask"]["post"]["responses"]) >= {"200", "202"}


def test_the_page_that_shows_the_schema_relaxes_styles_alone(db: None) -> None:
    page = Client().get("/api/v1/docs")
    rules = dict(rule.split(" ", 1) for rule in page.headers["Content-Security-Policy"].split("; "))
    assert rules["style-src"] == "'self' 'unsafe-inline'"
    assert rules["script-src"] == "'self'"
    assert "unsafe-inline" not in Client().get("/api/v1/schema").headers["Content-Security-Policy"]


def test_a_membership_that_ends_takes_the_conversations_along(bob: User, contracts: Datasource) -> None:
    turn = make_turn(bob, make_document(contracts))
    api = Api(bob)
    assert api.get(f"turns/{turn.pk}").json()["status"] == TurnStatus.ANSWERED
    Membership.objects.filter(user=bob).delete()
    assert api.get(f"turns/{turn.pk}").status_code == 404
    assert api.get(f"turns/{turn.pk}/citations/1/pages/1/crop").status_code == 404
    Membership.objects.create(datasource=contracts, user=bob, role=Role.VIEWER)
    assert api.get(f"turns/{turn.pk}").status_code == 200
    assert Document.objects.count() == 1
