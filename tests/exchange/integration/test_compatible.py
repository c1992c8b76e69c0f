"""Programs made for other systems use SVQ at their own addresses, with their own keys and codes."""

import importlib
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections

from accounts.models import TokenScope, User
from chat.api import numbered_sources
from citations.marks import mark
from datasources.matters import archive, make_matter, put_in
from datasources.models import Datasource, Document, DocumentStatus, Role
from datasources.services import create_datasource, share
from datasources.storage.stored_files import stored_names
from svq_site import urls
from tests.audit import noted
from tests.factories import SAMPLE, add_pages, make_document, make_turn
from tests.openai_server import ScriptedOpenAI, error_reply
from tests.processes import PATIENCE
from tests.rerank_server import RerankServer
from tests.rest import Api, program, while_working

pytestmark = pytest.mark.django_db(transaction=True)

OWN_ID = "0d4a2f3e-6b1c-4b7f-9b57-1f0c1f6f4a11"
NOTICE = "2.1 The Customer may terminate this Agreement on not less than sixty (60) days' written notice."


class Program:
    """A client of addresses that don't begin with /api/v1."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, path: str) -> Any:
        return self._api.client.get(path, headers=self._api.headers)

    def delete(self, path: str) -> Any:
        return self._api.client.delete(path, headers=self._api.headers)

    def post(self, path: str, body: Any) -> Any:
        headers = self._api.headers
        return self._api.client.post(path, body, content_type="application/json", headers=headers)

    def upload(self, **parts: Any) -> Any:
        return self._api.client.post("/api/knowledge-base", parts, headers=self._api.headers)


def text_file(name: str = "lease.txt", text: str = NOTICE) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


@pytest.fixture
def alices(alice: User) -> Program:
    cache.clear()
    return Program(program(alice)[0])


# --- datasources -----------------------------------------------------------------------------------------
def test_a_datasource_is_made_and_listed_under_an_opaque_id(alices: Program) -> None:
    answer = alices.post("/api/data-sources", {"name": "Leases", "type": "vector"})
    made = answer.json()
    assert (answer.status_code, set(made)) == (201, {"msg", "dataSource"})
    row = Datasource.objects.get(name="Leases")
    assert made["dataSource"] == {"_id": str(row.pk), "name": "Leases"}
    assert made["dataSource"] in alices.get("/api/data-sources").json()["dataSources"]


def test_a_refusal_has_the_words_under_both_names(alices: Program) -> None:
    alices.post("/api/data-sources", {"name": "Leases"})
    answer = alices.post("/api/data-sources", {"name": "Leases"})
    told = answer.json()
    assert (answer.status_code, told["success"], told["code"]) == (400, False, "name_taken")
    assert told["error"] == told["message"]
    assert "Leases" in told["error"]
    assert told["details"] == told["hint"]


def test_nobody_gets_in_without_a_token(db: None) -> None:
    stranger = Program(Api())
    for path in ("/api/data-sources", "/api/rag/query", "/api/build_graph", "/v1/rerank"):
        assert stranger.post(path, {}).status_code == 401, path
    assert stranger.get(f"/api/knowledge-base/{OWN_ID}").status_code == 401


# --- documents -------------------------------------------------------------------------------------------
def test_a_document_is_added_followed_and_deleted_by_the_programs_own_id(
    alices: Program, alice: User, work: Any
) -> None:
    answer = alices.upload(file=text_file(), title="Lease", documentId=OWN_ID, subjectId="law")
    added = answer.json()
    assert (answer.status_code, added["_id"], added["title"]) == (201, OWN_ID, "Lease")
    assert (added["status"], added["processingStatus"]["progress"]) == ("processing", 0)
    assert Document.objects.get().datasource.name == "Knowledge base"
    work()
    read = alices.get(f"/api/knowledge-base/{OWN_ID}").json()
    assert (read["status"], read["processingStatus"]["progress"]) == ("completed", 100)
    assert (read["subjectId"], read["chunkCount"]) == ("law", 1)
    (chunk,) = alices.get(f"/api/knowledge-base/{OWN_ID}/chunks").json()["chunks"]
    assert (chunk["content"], chunk["charCount"], chunk["pageNumber"]) == (NOTICE, len(NOTICE), 1)
    assert chunk["wordCount"] == len(NOTICE.split())
    assert alices.get("/api/knowledge-base?subjectId=biology").json()["documents"] == []
    assert [each["id"] for each in alices.get("/api/knowledge-base?subjectId=law").json()["documents"]] == [
        OWN_ID
    ]
    assert alices.delete(f"/api/knowledge-base/{OWN_ID}").status_code == 200
    assert alices.get(f"/api/knowledge-base/{OWN_ID}").status_code == 404


def test_the_audit_log_has_numbers_in_place_of_a_programs_own_ids(alices: Program) -> None:
    """Such an id may be a title, and stays in the log when the document is gone."""
    own = "Merger with ACME"
    alices.upload(file=text_file(), documentId=own)
    alices.upload(file=text_file(), documentId=own)
    document = Document.objects.get()
    assert alices.get(f"/api/knowledge-base/{own}/chunks").status_code == 200
    assert alices.delete(f"/api/knowledge-base/{own}").status_code == 200
    entries = noted().filter(token__gt="").order_by("pk")
    assert [(entry.act, entry.address) for entry in entries] == [
        ("added", "POST /api/knowledge-base"),
        ("added", "POST /api/knowledge-base"),
        ("saw", "GET /api/knowledge-base/<document>/chunks"),
        ("deleted", ""),
        ("changed", "DELETE /api/knowledge-base/<document>"),
    ]
    assert {(entry.number, entry.datasource) for entry in entries} == {
        (str(document.pk), document.datasource_id)
    }


def test_the_second_document_goes_beside_the_first(alices: Program) -> None:
    alices.upload(file=text_file())
    alices.upload(file=text_file("other.txt", "Another text."))
    assert Datasource.objects.get(name="Knowledge base").documents.count() == 2


def test_two_first_documents_at_once_go_into_one_knowledge_base(alices: Program) -> None:
    files = [text_file(f"{n}.txt", f"Text {n}.") for n in range(4)]
    assert at_once([partial(alices.upload, file=file) for file in files]) == [201] * 4
    assert Datasource.objects.get(name="Knowledge base").documents.count() == 4


def test_what_is_archived_is_not_listed(alices: Program, alice: User) -> None:
    alices.upload(file=text_file(), documentId=OWN_ID)
    matter = make_matter("Closed", by=alice)
    put_in(matter, Datasource.objects.get(), by=alice)
    archive(matter, by=alice)
    assert alices.get("/api/knowledge-base").json()["documents"] == []
    assert alices.get(f"/api/knowledge-base/{OWN_ID}").status_code == 200
    assert alices.delete(f"/api/knowledge-base/{OWN_ID}").status_code == 409


def test_chunks_come_in_parts(alices: Program, contracts: Datasource) -> None:
    document = make_document(contracts, "Lease", "Rent is due.")
    add_pages(document, ["Keys are handed over.", "Pets are welcome."])
    for skip, left in ((0, [0, 1, 2]), (2, [2]), (9, [])):
        told = alices.get(f"/api/knowledge-base/svq-{document.pk}/chunks?skip={skip}").json()
        assert (told["total"], [each["chunkIndex"] for each in told["chunks"]]) == (3, left)


def test_ids_of_digits_are_the_programs_own(alices: Program) -> None:
    """And deleting by one twice deletes no other document."""
    first = Document.objects.get(pk=alices.upload(file=text_file()).json()["_id"].removeprefix("svq-"))
    own = str(first.pk)
    assert alices.get(f"/api/knowledge-base/{own}").status_code == 404
    assert alices.get(f"/api/knowledge-base/svq-{own}").json()["fileName"] == "lease.txt"
    alices.upload(file=text_file("other.txt", "Another text."), documentId=own)
    assert alices.get(f"/api/knowledge-base/{own}").json()["fileName"] == "other.txt"
    assert [alices.delete(f"/api/knowledge-base/{own}").status_code for _ in range(2)] == [200, 404]
    first.refresh_from_db()
    assert first.status != DocumentStatus.DELETED


def test_of_two_ids_of_one_file_the_other_stays(alices: Program) -> None:
    for own in ("one", "two"):
        assert alices.upload(file=text_file(), documentId=own).json()["_id"] == own
    assert alices.delete("/api/knowledge-base/one").status_code == 200
    assert alices.get("/api/knowledge-base/one").status_code == 404
    assert alices.get("/api/knowledge-base/two").json()["_id"] == "two"


def test_a_title_that_is_too_long_stores_nothing(alices: Program) -> None:
    answer = alices.upload(file=text_file(), title="x" * 400)
    assert (answer.status_code, answer.json()["code"]) == (400, "name_long")
    assert not Document.objects.exists()
    assert not list(stored_names())


def test_a_failed_document_says_why(alices: Program, work: Any) -> None:
    alices.upload(file=SimpleUploadedFile("broken.pdf", b"%PDF-1.4 broken"), documentId="broken")
    work()
    told = alices.get("/api/knowledge-base/broken").json()
    assert (told["status"], told["processingStatus"]["progress"]) == ("failed", 100)
    assert told["processingStatus"]["error"]


def test_what_svq_cannot_read_is_refused(alices: Program) -> None:
    answer = alices.upload(file=SimpleUploadedFile("tool.exe", b"MZ"))
    assert (answer.status_code, answer.json()["success"]) == (415, False)
    assert "tool.exe" in answer.json()["error"]
    assert alices.upload(title="No file").status_code == 400


def test_a_token_for_one_datasource_adds_there(alice: User, contracts: Datasource) -> None:
    cache.clear()
    mine = Program(program(alice, only=[contracts])[0])
    assert mine.upload(file=text_file()).status_code == 201
    assert contracts.documents.count() == 1
    other = create_datasource(alice, "Other")
    assert mine.upload(file=text_file(), dataSource=str(other.pk)).status_code == 404
    assert mine.post("/api/data-sources", {"name": "More"}).status_code == 403


def test_a_viewer_and_a_reading_program_add_nothing(contracts: Datasource, alice: User, bob: User) -> None:
    cache.clear()
    share(contracts, bob, Role.VIEWER)
    theirs = Program(program(bob)[0])
    assert theirs.upload(file=text_file(), dataSource=str(contracts.pk)).status_code == 403
    reader = Program(program(alice, TokenScope.READ)[0])
    assert reader.upload(file=text_file()).status_code == 403
    assert not Document.objects.exists()


def test_nobody_reaches_a_strangers_document_by_its_id(alices: Program, charlie: User, work: Any) -> None:
    alices.upload(file=text_file(), documentId=OWN_ID)
    work()
    theirs = Program(program(charlie)[0])
    assert theirs.get(f"/api/knowledge-base/{OWN_ID}").status_code == 404
    assert theirs.get(f"/api/knowledge-base/{OWN_ID}/chunks").status_code == 404
    assert theirs.delete(f"/api/knowledge-base/{OWN_ID}").status_code == 404
    assert theirs.get("/api/knowledge-base").json()["documents"] == []
    asked = theirs.post("/api/rag/query", {"question": "What notice?", "documentIds": [OWN_ID]})
    assert (asked.status_code, asked.json()["code"]) == (404, "NO_DOCUMENTS")


# --- ids that others have, too ---------------------------------------------------------------------------
OWNED, OTHERS = "The lease ends in May.", "The lease ends in June."


@pytest.fixture
def shared(alices: Program, alice: User, bob: User) -> Datasource:
    """Bob's own, in which alice may change documents; both programs call one of theirs lease-7."""
    alices.upload(file=text_file(text=OWNED), documentId="lease-7")
    datasource = create_datasource(bob, "Bob's")
    share(datasource, alice, Role.EDITOR)
    theirs = Program(program(bob)[0])
    given = {"documentId": "lease-7", "dataSource": str(datasource.pk)}
    assert theirs.upload(file=text_file("others.txt", OTHERS), **given).status_code == 201
    return datasource


def test_an_id_that_another_person_gives_as_well_takes_nothing_over(
    alices: Program, shared: Datasource, work: Any
) -> None:
    work()
    assert alices.get("/api/knowledge-base/lease-7").json()["fileName"] == "lease.txt"
    (chunk,) = alices.get("/api/knowledge-base/lease-7/chunks").json()["chunks"]
    assert chunk["content"] == OWNED
    names = {each["fileName"]: each["id"] for each in alices.get("/api/knowledge-base").json()["documents"]}
    others = shared.documents.get()
    assert names == {"lease.txt": "lease-7", "others.txt": f"svq-{others.pk}"}
    asked = {"question": "When does the lease end?", "documentIds": ["lease-7"]}
    told = while_working(work, lambda: alices.post("/api/rag/query", asked)).json()
    assert [each["content"] for each in told["sources"]] == [OWNED]
    asked["documentIds"] = [f"svq-{others.pk}"]
    told = while_working(work, lambda: alices.post("/api/rag/query", asked)).json()
    assert [each["docId"] for each in told["sources"]] == [f"svq-{others.pk}"]


def test_a_deletion_that_is_sent_again_takes_nothing_of_others(alices: Program, shared: Datasource) -> None:
    assert alices.delete("/api/knowledge-base/lease-7").status_code == 200
    again = alices.delete("/api/knowledge-base/lease-7")
    others = shared.documents.get()
    assert (again.status_code, again.json()["code"]) == (403, "not_added")
    assert f"svq-{others.pk}" in again.json()["details"]
    assert others.status == DocumentStatus.QUEUED
    assert alices.delete(f"/api/knowledge-base/svq-{others.pk}").status_code == 200
    assert not shared.documents.current().exists()


def test_an_id_that_none_of_several_has_a_nearer_right_to_is_refused_in_words(
    alices: Program, alice: User, work: Any
) -> None:
    rows = []
    for name in ("First", "Second"):
        datasource = create_datasource(alice, name)
        parts = {"documentId": "twice", "dataSource": str(datasource.pk)}
        rows.append(alices.upload(file=text_file(text=f"{name} lease."), **parts).json())
    work()
    for answer in (
        alices.get("/api/knowledge-base/twice"),
        alices.delete("/api/knowledge-base/twice"),
        alices.post("/api/rag/query", {"question": "Which lease?", "documentIds": ["twice"]}),
    ):
        assert answer.status_code in (400, 409)
        assert all(f"svq-{row.pk} (" in answer.json()["error"] for row in Document.objects.current())
    one = Program(program(alice, only=[Datasource.objects.get(name="Second")])[0])
    assert one.get("/api/knowledge-base/twice").json()["dataSource"] == rows[1]["dataSource"]


def test_what_begins_like_ids_of_svq_is_nobodys_own(alices: Program, alice: User) -> None:
    known = alices.upload(file=text_file()).json()["id"]
    refused = alices.upload(file=text_file("evil.txt", "Evil."), documentId=known)
    assert (refused.status_code, "svq-" in refused.json()["error"]) == (400, True)
    other = Document.objects.get(
        pk=alices.upload(file=text_file("other.txt", "Other.")).json()["id"].removeprefix("svq-")
    )
    rest = Api(alice)
    for wrong in (known, ["fine", known], 42, [42], "", "x" * 201):
        answer = rest.send("PATCH", f"documents/{other.pk}", {"metadata": {"externalId": wrong}})
        assert answer.status_code == 400, wrong
    other.write(metadata={"externalId": known})  # by an older version of SVQ
    assert alices.get(f"/api/knowledge-base/{known}").json()["fileName"] == "lease.txt"
    assert {each["id"] for each in alices.get("/api/knowledge-base").json()["documents"]} == {
        known,
        f"svq-{other.pk}",
    }


def test_ids_with_slashes_are_found_again(alices: Program) -> None:
    assert alices.upload(file=text_file(), documentId="leases/2026/lease.pdf").status_code == 201
    for address in ("leases%2F2026%2Flease.pdf", "leases/2026/lease.pdf"):
        assert alices.get(f"/api/knowledge-base/{address}").json()["id"] == "leases/2026/lease.pdf"
    assert alices.get("/api/knowledge-base/leases%2F2026%2Flease.pdf/chunks").json()["total"] == 0
    assert alices.delete("/api/knowledge-base/leases%2F2026%2Flease.pdf").status_code == 200
    assert alices.upload(file=text_file(), documentId="leases/chunks").status_code == 400


# --- one id again ----------------------------------------------------------------------------------------
def test_another_file_under_an_id_is_the_next_version(alices: Program, work: Any) -> None:
    alices.upload(file=text_file(text=OWNED), documentId="lease-7", subjectId="law")
    work()
    again = alices.upload(file=text_file("lease 2.txt", OTHERS), documentId="lease-7", subjectId="leases")
    assert (again.status_code, again.json()["status"], again.json()["subjectId"]) == (
        201,
        "processing",
        "leases",
    )
    asked = {"query": "When does the lease end?", "docIds": ["lease-7"]}
    (old,) = alices.post("/api/v1/rag/retrieve", asked).json()["results"]
    assert old["content"] == OWNED  # which answers until the new one is read
    work()
    (new,) = alices.post("/api/v1/rag/retrieve", asked).json()["results"]
    assert new["content"] == OTHERS
    assert alices.delete("/api/knowledge-base/lease-7").status_code == 200
    assert not Document.objects.current().exists()


def test_a_deletion_takes_the_version_that_is_read_as_well(alices: Program, work: Any) -> None:
    alices.upload(file=text_file(text=OWNED), documentId="lease-7")
    work()
    alices.upload(file=text_file(text=OTHERS), documentId="lease-7")
    assert alices.delete("/api/knowledge-base/lease-7").status_code == 200
    work()
    assert not Document.objects.current().exists()


def test_an_id_goes_over_to_the_document_that_has_the_content(alices: Program) -> None:
    alices.upload(file=text_file(text=OWNED), documentId="one")
    alices.upload(file=text_file("other.txt", OTHERS), documentId="two")
    assert alices.upload(file=text_file("other.txt", OTHERS), documentId="one").status_code == 200
    assert alices.get("/api/knowledge-base/one").json()["fileName"] == "other.txt"
    (left,) = Document.objects.current()
    assert left.external_ids == ["two", "one"]


def test_all_passages_of_a_file_have_its_id(alices: Program) -> None:
    lines = [json.dumps({"title": f"Day {n}", "text": f"Lamp {n} is lit."}) for n in range(3)]
    for part in (lines[:2], lines[1:]):  # the second has one that is here already
        file = text_file("days.jsonl", "\n".join(part))
        assert alices.upload(file=file, documentId="days").json()["id"] == "days"
    assert Document.objects.called(["days"]).count() == 3
    refused = alices.upload(file=text_file(), documentId="days")
    assert (refused.status_code, refused.json()["code"]) == (409, "id_several")
    assert alices.delete("/api/knowledge-base/days").status_code == 200
    assert not Document.objects.current().exists()


def test_ids_that_come_at_once_are_all_kept_and_all_taken_away(alices: Program) -> None:
    ids = [f"own-{n}" for n in range(4)]
    uploads = [partial(alices.upload, file=text_file(), documentId=own) for own in ids]
    assert set(at_once(uploads)) <= {200, 201}
    assert sorted(Document.objects.get().external_ids) == ids
    deletions = [partial(alices.delete, f"/api/knowledge-base/{own}") for own in ids]
    assert at_once(deletions) == [200] * 4
    assert not Document.objects.current().exists()


def test_ids_of_one_document_have_an_end(alices: Program) -> None:
    codes = []
    for n in range(60):
        codes.append(alices.upload(file=text_file(), documentId=f"{n:>05}" + "y" * 190).status_code)
    assert (codes[0], codes[1], codes[-1]) == (201, 200, 400)
    assert Document.objects.count() == 1


def at_once(calls: Sequence[Callable[[], Any]]) -> list[int]:
    """What each answers, by its status, where all begin together."""
    begin = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> int:
        try:
            begin.wait(PATIENCE)
            return call().status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


# --- questions -------------------------------------------------------------------------------------------
def test_an_answer_cites_its_sources_by_place(alices: Program, work: Any) -> None:
    alices.upload(file=text_file(), title="Lease", documentId=OWN_ID)
    work()
    asked = {
        "question": "What notice must the Customer give?",
        "documentIds": [OWN_ID],
        "conversationHistory": [{"role": "user", "content": "Hello"}],
        "topK": 5,
        "similarityThreshold": 0.7,
    }
    answer = while_working(work, lambda: alices.post("/api/rag/query", asked))
    told = answer.json()
    assert (answer.status_code, told["success"]) == (200, True)
    assert "[Source 1]" in told["answer"]
    assert "[1]" not in told["answer"]
    first = told["sources"][0]
    assert (first["docId"], first["title"], first["pageNumber"]) == (OWN_ID, "Lease", 1)
    assert 0 < first["similarity"] <= 1
    assert told["chunksUsed"] == 1
    assert told["model"]
    assert told["verdict"]["isGrounded"] is True
    assert told["verdict"]["hasHallucinations"] is False
    assert told["verdict"]["citedSourceNumbers"] == list(range(1, len(told["sources"]) + 1))


def test_each_mark_names_the_place_of_its_own_source(contracts: Datasource, alice: User) -> None:
    rent = make_document(contracts, "Rent", "Rent is due.")
    keys = make_document(contracts, "Keys", "Two keys.")
    text = f"Two keys. {mark(7)} Rent is due. {mark(4)} Pets are welcome. {mark(5)}"
    found = {"grounded": True, "relevant": False, "confidence": 0.4}
    turn = make_turn(alice, rent, answer=text, verdict=found)
    turn.citations.update(n=4)
    copied = turn.citations.get()
    copied.pk, copied.n, copied.quote = None, 7, "Two keys."
    copied.document, copied.document_title = keys, "Keys"
    copied.save()
    code, told = numbered_sources.answer(turn, alice)
    assert code == 200
    assert "Two keys. [Source 2] Rent is due. [Source 1] Pets are welcome. " in f"{told['answer']} "
    assert "[Source 3]" not in told["answer"]
    assert [(each["title"], each["content"]) for each in told["sources"]] == [
        ("Rent", "Rent is due."),
        ("Keys", "Two keys."),
    ]
    verdict = told["verdict"]
    assert (verdict["isGrounded"], verdict["isRelevant"], verdict["confidence"]) == (True, False, 0.4)
    assert verdict["citedSourceNumbers"] == [1, 2]


def test_what_neither_of_both_has_said_is_no_history(alices: Program) -> None:
    """And fields of theirs that SVQ does not have are ignored, unlike those that are wrong."""
    said = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello", "timestamp": 1},
    ]
    asked = {"question": "What?", "documentIds": ["none"], "conversationHistory": said}
    assert alices.post("/api/rag/query", asked).json()["code"] == "NO_DOCUMENTS"
    asked["conversationHistory"] = [{"role": "user"}]
    assert alices.post("/api/rag/query", asked).status_code == 400


def test_what_no_document_says_is_a_success_without_sources(alices: Program, work: Any) -> None:
    alices.upload(file=text_file(), documentId=OWN_ID)
    work()
    asked = {"question": "Who discovered penicillin?", "documentIds": [OWN_ID]}
    told = while_working(work, lambda: alices.post("/api/rag/query", asked)).json()
    assert (told["success"], told["sources"]) == (True, [])
    assert "[Source" not in told["answer"]


def test_refusals_have_the_codes_of_the_study_assistant(alices: Program, work: Any, settings: Any) -> None:
    none = alices.post("/api/rag/query", {"question": "What?", "documentIds": []})
    assert (none.status_code, none.json()["code"]) == (404, "NO_DOCUMENTS")
    assert none.json()["error"] == none.json()["message"]
    alices.upload(file=text_file(), documentId=OWN_ID)
    reading = alices.post("/api/rag/query", {"question": "What?", "documentIds": [OWN_ID]})
    assert (reading.status_code, reading.json()["code"]) == (409, "PROCESSING_INCOMPLETE")
    work()
    asked = {"question": "What notice must the Customer give?", "documentIds": [OWN_ID]}
    with ScriptedOpenAI([error_reply(401)] * 9) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = server.base_url, "scripted", "k"
        failed = while_working(work, lambda: alices.post("/api/rag/query", asked))
    assert (failed.status_code, failed.json()["code"]) == (502, "GENERATION_FAILED")
    assert failed.json()["error"]


# --- models ----------------------------------------------------------------------------------------------
def test_a_text_has_the_vector_that_searches_use(alices: Program) -> None:
    told = alices.post("/api/v1/embed/single", {"text": "Backups are kept for 35 days."}).json()
    assert len(told["embedding"]) == told["dimensions"] == 384
    assert sum(x * x for x in told["embedding"]) == pytest.approx(1, abs=1e-3)
    assert alices.post("/api/v1/embed/single", {"text": ""}).status_code == 400
    assert alices.post("/api/v1/embed/single", {"text": "x" * 20_001}).status_code == 400


def test_documents_are_ranked_by_the_reranker_that_is_set(alices: Program, settings: Any) -> None:
    asked = {"query": "Who kept the light?", "documents": ["A herb.", "Orrin kept the light."], "top_n": 1}
    missing = alices.post("/v1/rerank", asked)
    assert (missing.status_code, missing.json()["error"]) == (502, "No reranking model is set.")
    with RerankServer() as server:
        settings.RERANK_BASE_URL, settings.RERANK_MODEL = server.base_url, "bge"
        ranked = alices.post("/v1/rerank", asked).json()
        assert alices.post("/v1/rerank", {**asked, "documents": ["A herb."] * 101}).status_code == 400
    assert [row["index"] for row in ranked] == [1]
    assert 0 <= ranked[0]["relevance_score"] <= 1


def test_the_sample_is_read_from_its_pages(alices: Program, work: Any) -> None:
    alices.upload(file=SimpleUploadedFile(SAMPLE.name, SAMPLE.read_bytes()))
    work()
    document = Document.objects.get()
    told = alices.get(f"/api/knowledge-base/svq-{document.pk}").json()
    assert (told["pageCount"], told["fileType"]) == (document.page_count, "application/pdf")


def test_the_addresses_can_be_left_out(settings: Any) -> None:
    settings.COMPATIBLE_ADDRESSES = False
    try:
        without = {str(entry.pattern) for entry in importlib.reload(urls).urlpatterns}
    finally:
        settings.COMPATIBLE_ADDRESSES = True
        whole = [str(entry.pattern) for entry in importlib.reload(urls).urlpatterns]
    assert "api/v1/" in without
    assert "api/" in whole
    assert "api/" not in without
