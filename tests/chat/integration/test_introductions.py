"""The questions and the description with which a datasource is introduced, from upload to deletion."""

import io
import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from answering.suggestions.introducing import Offered, keep
from answering.suggestions.introducing import introduce as make
from answering.suggestions.tasks import NAME, introduce
from chat import services
from chat.models import TurnStatus
from datasources.models import Datasource, Document, Introduction
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.lifecycle.purging import purge
from tests.openai_server import MODEL, ScriptedOpenAI, text_reply
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

LEASE = """Lease of the warehouse

1.1 The Tenant shall repair the roof of the warehouse within 30 days of a written request.

1.2 The yearly rent of the warehouse is £48,000 until the first review.

1.3 The Landlord may end the lease only if the rent has been overdue for sixty days.
"""
BAKERY = """How the bakery works

Sourdough bread is made when the starter has rested for twelve hours in the cold store.

The oven of the bakery was built in 1987 by the founders.

The warehouse of the bakery holds forty tonnes of rye flour.
"""
LEASE_QUESTION = "How soon must the Tenant repair the roof of the warehouse?"


def upload(datasource: Datasource, user: User, name: str, text: str) -> Document:
    return accept_upload(datasource, user, name, io.BytesIO(text.encode()))[0].document


@pytest.fixture
def lease(contracts: Datasource, alice: User, work: Any) -> Document:
    """Beside the bakery's document, and introduced."""
    contracts.description = ""
    contracts.save()
    lease = upload(contracts, alice, "lease.txt", LEASE)
    upload(contracts, alice, "bakery.txt", BAKERY)
    work()
    introduce(contracts.pk)
    contracts.refresh_from_db()
    lease.refresh_from_db()
    return lease


@pytest.mark.parametrize("others", [0, 2])
def test_a_description_names_only_whom_most_of_the_documents_name(
    others: int, contracts: Datasource, alice: User, work: Any
) -> None:
    said = ("delivers milk.", "pays by card.", "is in Bath.", "has a yearly report that is read in May.")
    dairy = " ".join(f"Fernhill Dairy Limited {words}" for words in said)
    upload(contracts, alice, "dairy.txt", dairy)
    for name, text in [("lease.txt", LEASE), ("bakery.txt", BAKERY)][:others]:
        upload(contracts, alice, name, text)
    work()
    introduce(contracts.pk)
    described = Introduction.objects.get(datasource=contracts).description
    assert ("Fernhill Dairy" in described) is not bool(others)


def questions(datasource: Datasource) -> list[str]:
    return Datasource.objects.get(pk=datasource.pk).questions


def test_a_ready_datasource_offers_questions_that_its_documents_answer(
    lease: Document, contracts: Datasource, alice: User, work: Any
) -> None:
    offered = questions(contracts)
    assert LEASE_QUESTION in offered
    assert any("bread" in question or "oven" in question for question in offered)
    web = browser_of(alice)
    page = text_of(web.get(f"/d/{contracts.pk}/chat/"))
    home = text_of(web.get("/"))
    for question in offered:
        assert question in page
        assert question in home
    told = web.get(f"/api/v1/data-sources/{contracts.pk}").json()
    assert told["suggested_questions"] == offered
    turn = services.ask(alice, contracts, LEASE_QUESTION)
    work()
    turn.refresh_from_db()
    assert turn.status == TurnStatus.QUOTES
    assert turn.citations.get(n=1).document == lease


def test_questions_are_offered_only_when_all_documents_are_searched(
    lease: Document, contracts: Datasource, alice: User
) -> None:
    page = browser_of(alice).get(f"/d/{contracts.pk}/chat/?documents={lease.pk}")
    assert LEASE_QUESTION not in text_of(page)


def test_questions_go_with_their_document_at_once_and_come_back_with_it(
    lease: Document, contracts: Datasource
) -> None:
    ProcrastinateJob.objects.all().delete()
    deletion.delete(lease)
    assert LEASE_QUESTION not in questions(contracts)
    assert not Introduction.objects.get(datasource=contracts).description
    assert ProcrastinateJob.objects.filter(task_name=NAME).count() == 1
    deletion.restore(lease)
    introduce(contracts.pk)
    assert LEASE_QUESTION in questions(contracts)


def test_the_receipt_of_a_deletion_counts_the_questions(
    lease: Document, contracts: Datasource, work: Any
) -> None:
    receipt = purge(lease)
    assert receipt.removed["suggested_questions"] >= 1
    work()
    receipt.refresh_from_db()
    assert receipt.left == {}


@pytest.mark.parametrize("questions", [[{"documents": [{"a": 1}]}], [{"documents": None}], ["x", 5], [{}]])
def test_whatever_a_row_holds_does_not_stop_a_deletion(
    questions: Any, lease: Document, contracts: Datasource, work: Any
) -> None:
    Introduction.objects.filter(datasource=contracts).update(questions=questions)
    receipt = purge(lease)
    work()
    receipt.refresh_from_db()
    assert receipt.left == {}
    assert not Document.objects.filter(pk=lease.pk).exists()


def test_nothing_is_kept_of_a_document_that_went_while_the_questions_were_tried(
    lease: Document, contracts: Datasource
) -> None:
    deletion.delete(lease)
    keep(contracts, [Offered(question=LEASE_QUESTION, documents=[lease.pk])], "About roofs.", [lease])
    assert questions(contracts) == []
    assert not Introduction.objects.get(datasource=contracts).description


def test_what_people_wrote_is_kept_and_shown(lease: Document, contracts: Datasource, alice: User) -> None:
    keep(contracts, [], "About rent and bread.", [lease])
    web = browser_of(alice)
    assert "About rent and bread." in text_of(web.get("/"))
    Datasource.objects.filter(pk=contracts.pk).update(description="Our leases")
    introduce(contracts.pk)
    home = text_of(web.get("/"))
    assert "Our leases" in home
    assert "About rent and bread." not in home
    assert Datasource.objects.get(pk=contracts.pk).description == "Our leases"


def test_questions_set_by_hand_are_offered_as_long_as_they_are_answered(
    lease: Document, contracts: Datasource
) -> None:
    by_hand = ["Who repairs the roof of the warehouse?", "What is the capital of Mongolia?"]
    Datasource.objects.filter(pk=contracts.pk).update(suggested_questions=by_hand)
    introduce(contracts.pk)
    assert by_hand[0] in questions(contracts)
    assert by_hand[1] not in questions(contracts)


def test_documents_that_say_nothing_get_no_questions(contracts: Datasource, alice: User, work: Any) -> None:
    upload(contracts, alice, "noise.txt", "lorem ipsum dolor 7781 sit\n" * 40)
    work()
    introduce(contracts.pk)
    assert questions(contracts) == []
    assert "start-q" not in browser_of(alice).get(f"/d/{contracts.pk}/chat/").content.decode()


def test_without_a_language_model_there_is_no_choice_of_modes(
    lease: Document, contracts: Datasource, alice: User, settings: Any
) -> None:
    web = browser_of(alice)
    assert 'aria-label="Mode"' not in web.get(f"/d/{contracts.pk}/chat/").content.decode()
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    assert 'aria-label="Mode"' in web.get(f"/d/{contracts.pk}/chat/").content.decode()


def test_while_documents_are_being_read_a_model_is_asked_for_new_ones_and_ever_more_seldom(
    contracts: Datasource, settings: Any
) -> None:
    def ready(name: str) -> Document:
        values = {"filename": name, "size": 1, "sha256": name, "status": "ready", "ready_at": timezone.now()}
        return contracts.documents.create(title=name, **values)

    def asked() -> int:
        before = len(server.requests)
        introduce(contracts.pk)
        return len(server.requests) - before

    def wait(**since: int) -> None:
        """As if so much time had gone by since the first document was ready, and since it was introduced."""
        first, made = (timezone.now() - timedelta(minutes=since[name]) for name in ("first", "made"))
        contracts.documents.filter(pk=oldest.pk).update(ready_at=first)
        Introduction.objects.filter(datasource=contracts).update(made=made)

    oldest = ready("first.txt")
    contracts.documents.create(title="Scan", filename="scan.pdf", size=1, status="recognising")
    with ScriptedOpenAI(lambda _: text_reply("{}")) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, MODEL
        assert asked() == 1
        assert asked() == 0, "nothing is new"
        ready("second.txt")
        wait(first=60, made=29)
        assert asked() == 0, "twice the time has not gone by"
        wait(first=60, made=31)
        assert asked() == 1
        contracts.documents.unfinished().delete()
        assert asked() == 1, "all is read"


def test_an_upload_of_several_files_is_introduced_once_after_the_last(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = introductions(monkeypatch)
    for name, text in (("lease.txt", LEASE), ("bakery.txt", BAKERY), ("again.txt", LEASE + BAKERY)):
        upload(contracts, alice, name, text)
        work()
        run_what_is_scheduled(work)
        assert made == [], "another file may follow"
    contracts.documents.update(created=timezone.now() - timedelta(minutes=1))
    run_what_is_scheduled(work)
    run_what_is_scheduled(work)
    assert made == [contracts.pk]
    assert len(Introduction.objects.get(datasource=contracts).documents) == 3


def test_while_files_keep_coming_it_is_introduced_after_some_minutes_all_the_same(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = introductions(monkeypatch)
    upload(contracts, alice, "lease.txt", LEASE)
    work()
    contracts.documents.create(title="Scan", filename="scan.pdf", size=1, status="recognising")
    ProcrastinateJob.objects.all().delete()
    introduce(contracts.pk, since=time.time() - 60)
    assert made == []
    introduce(contracts.pk, since=waiting().args["since"] - 600)
    assert made == [contracts.pk]
    assert waiting(), "for the files that come after"


def introductions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each that is made, by the number of its datasource."""
    made: list[int] = []

    def counted(datasource: Datasource) -> None:
        made.append(datasource.pk)
        make(datasource)

    monkeypatch.setattr("answering.suggestions.tasks.make", counted)
    return made


def waiting() -> ProcrastinateJob:
    return ProcrastinateJob.objects.get(task_name=NAME, status="todo")


def run_what_is_scheduled(work: Any) -> None:
    """As if its time had come."""
    ProcrastinateJob.objects.filter(status="todo").update(scheduled_at=None)
    work()
