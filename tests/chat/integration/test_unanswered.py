"""Questions that nothing answers: when "none of the documents" is said, what is shown, and outages."""

import asyncio
import io
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from answering.models import Models, answer_model
from answering.nearest import nearest
from answering.unanswered import search_of
from chat import services
from chat.exports import as_markdown
from chat.models import Turn, TurnStatus
from chat.turns.run import run_turn
from chat.wording import explanation, headline
from datasources.models import Datasource, DocumentStatus, Recognition
from datasources.services import change_datasource
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete
from ingestion.models import Page
from jobs.failures import STORAGE_ERRORS
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from providers.openai.embedder import OpenAIEmbedder
from providers.protocols import Embedder, ProviderError, Vectors
from providers.protocols.embedding import AlikeEmbedder
from providers.protocols.in_front import EmbedderInFront
from retrieval.query import Scope
from tests.factories import make_document
from tests.formats.pdfs import photographed
from tests.openai_server import ScriptedOpenAI, error_reply, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = [
    {"title": "Lease", "text": "The Tenant, Petra Lindqvist, shall pay a rent of £950 a month in advance."},
    {"title": "Animals", "text": "The Tenant shall not keep a dog, a cat or any other animal."},
    {
        "title": "Minutes",
        "text": "The garden club met in Saltmere. The compost heap was moved. Jam sold.",
    },
]


@pytest.fixture
def papers(contracts: Datasource, alice: User, work: Any) -> Datasource:
    lines = "\n".join(map(json.dumps, PASSAGES)).encode()
    accept_upload(contracts, alice, "papers.jsonl", io.BytesIO(lines))
    work()
    return contracts


def scope(datasource: Datasource, user: User) -> Scope:
    return Scope(user_id=user.pk, datasource_id=datasource.pk)


class CutsTheLine(AlikeEmbedder):
    """Ends the database connection of the thread that searches, once it has embedded the query."""

    def __init__(self, inner: Embedder) -> None:
        self.name, self.dimensions, self.count_tokens = inner.name, inner.dimensions, inner.count_tokens
        self._inner = inner

    def embed(self, texts: Sequence[str]) -> Vectors:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        except DatabaseError:
            pass
        return self._inner.embed(texts)


class Counting(EmbedderInFront[Embedder]):
    """Notes the questions that it is asked for."""

    def __init__(self) -> None:
        super().__init__(embedder())
        self.questions: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._model.embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        self.questions += texts
        return super().embed_questions(texts)


def ask(user: User, datasource: Datasource, question: str, by: Embedder | None = None) -> Turn:
    turn = services.ask(user, datasource, question, queued=False)
    asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=by or embedder())))
    turn.refresh_from_db()
    return turn


def test_a_name_that_stands_nowhere_makes_the_search_complete(papers: Datasource, alice: User) -> None:
    turn = ask(alice, papers, "What is the effective tax rate of Boeing?")
    assert turn.status == TurnStatus.NOT_FOUND
    assert turn.search["complete"]
    assert "Boeing" in turn.search["words_absent"]


def test_a_common_word_spelt_much_like_a_name_is_not_the_name(contracts: Datasource, alice: User) -> None:
    make_document(contracts, text="The rent is paid per month, for the time being in advance.")
    for name in ("Peru", "Boeing"):
        search = search_of(scope(contracts, alice), f"What is the capital of {name}?", 0.5)
        assert name in search.words_absent
        assert search.complete


@pytest.mark.parametrize(
    "question",
    [
        "What does the tenant pay for heating?",  # "tenant" is there: only the wording may differ
        "Who won the MSA auction of the Tenant?",  # an abbreviation may be spelt out
        "Wie hoch ist die Kaution in der Wohnung?",  # every noun has a capital
        "What Is The Heating Charge Of The Tenant?",
        "How has the rent grown since 2019?",
        "What does Petra Lindqist own in Saltmeer?",  # misspelt names are there
    ],
)
def test_words_that_prove_nothing_leave_the_search_open(
    papers: Datasource, alice: User, question: str
) -> None:
    assert not search_of(scope(papers, alice), question, 0.5).complete


def test_a_document_that_is_not_read_leaves_the_search_open(papers: Datasource, alice: User) -> None:
    question = "What is the effective tax rate of Boeing?"
    assert search_of(scope(papers, alice), question, 0.5).complete
    papers.documents.filter(title="Minutes").update(status=DocumentStatus.FAILED)
    search = search_of(scope(papers, alice), question, 0.5)
    assert (search.complete, search.unread) == (False, 1)


def test_what_came_nearest_is_found_with_one_vector_of_the_question(papers: Datasource, alice: User) -> None:
    model = Counting()
    assert nearest(scope(papers, alice), "Who grows roses?", model)
    assert model.questions == ["Who grows roses?"]


DALLAS = """John F. Kennedy was shot in Dallas in 1963. The winner got $1.5 million. Mueller lives in
Zuerich. International Business Machines built the tower, and they have paid for it."""


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Who got 1,500,000 dollars?", set()),
        ("Where does Müller live?", set()),
        ("Who lives in Zürich?", set()),
        ("What did IBM build?", {"IBM"}),
    ],
)
def test_no_word_is_called_absent_that_is_only_spelt_otherwise(
    contracts: Datasource, alice: User, question: str, absent: set[str]
) -> None:
    make_document(contracts, text=DALLAS)
    search = search_of(scope(contracts, alice), question, 0.3)
    assert (search.complete, set(search.words_absent)) == (False, absent)


@pytest.mark.parametrize(
    "question",
    [
        "Wer wohnt in Zürich und wo steht das Haus von Boeing?",  # names are spelt otherwise in German
        "Was kostet das Grundstück von Boeing?",
        "Who was assassinated in Texas?",  # a place that holds Dallas
        "Who did what " + " ".join(f"unseen{n}" for n in range(60)) + " of Boeing?",  # not all looked up
    ],
)
def test_a_search_that_may_have_missed_it_is_not_complete(
    contracts: Datasource, alice: User, question: str
) -> None:
    make_document(contracts, text=DALLAS)
    assert not search_of(scope(contracts, alice), question, 0.3).complete


def test_documents_in_another_language_may_answer_in_other_words(contracts: Datasource, alice: User) -> None:
    make_document(contracts, text="Die Miete der Wohnung beträgt 950 Euro und ist monatlich zu zahlen.")
    assert not search_of(scope(contracts, alice), "How old is the tower of Boeing?", 0.1).complete


def test_the_initials_of_a_name_may_stand_for_it(contracts: Datasource, alice: User) -> None:
    make_document(contracts, text="The tower was built by IBM, which sold it, and they have moved.")
    question = "When did International Business Machines build the tower?"
    assert not search_of(scope(contracts, alice), question, 0.3).complete


def test_nothing_is_complete_without_documents_or_without_a_search(
    contracts: Datasource, alice: User, papers: Datasource
) -> None:
    question = "What is the effective tax rate of Boeing?"
    assert not search_of(scope(papers, alice), question, 0.5, searched=False).complete
    papers.documents.all().delete()
    assert not search_of(scope(papers, alice), question, 0.5).complete


def test_where_a_model_did_not_search_svq_does(papers: Datasource, alice: User) -> None:
    turn = services.ask(alice, papers, "Where is the tower of Zanzibar?", queued=False)
    with ScriptedOpenAI([tools_reply(("answer", {"answer": "", "found": "none"}))]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="m")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    turn.refresh_from_db()
    assert headline(turn) == "Not found in your documents"
    assert turn.steps
    assert turn.nearest


def test_writes_of_other_turns_do_not_wait_for_a_search(papers: Datasource, alice: User) -> None:
    """What nothing answers is searched for once more: not in the threads that write."""
    threads: set[str] = set()

    class Watched(CutsTheLine):
        """Tells in which threads it is used."""

        def embed(self, texts: Sequence[str]) -> Vectors:
            threads.add(threading.current_thread().name.partition("_")[0])
            return self._inner.embed(texts)

    turn = ask(alice, papers, "What is the effective tax rate of Boeing?", Watched(embedder()))
    assert turn.status == TurnStatus.NOT_FOUND
    assert threads == {"searches"}


def test_the_nearest_are_sentences(contracts: Datasource, alice: User, work: Any) -> None:
    text = "The club met. It has a hall of red brick and a roof of slate. " * 3 + "The dues are 30 pounds."
    lines = json.dumps({"title": "Club", "text": text}).encode()
    accept_upload(contracts, alice, "club.jsonl", io.BytesIO(lines))
    work()
    turn = ask(alice, contracts, "How much are the dues of the members of Boeing?")
    assert turn.status == TurnStatus.NOT_FOUND
    assert turn.nearest[0]["text"] == "The dues are 30 pounds."
    assert "“The dues are 30 pounds.”" in as_markdown(turn)


def test_the_nearest_have_the_page_on_which_their_words_stand(
    contracts: Datasource, alice: User, work: Any, client: Client
) -> None:
    first, second = "The garden club met in Saltmere.", "The rent of the cottage is £950 a month."
    lines = json.dumps({"title": "Lease", "text": f"{first}\n{second}"}).encode()
    accept_upload(contracts, alice, "lease.jsonl", io.BytesIO(lines))
    work()
    document = contracts.documents.get(title="Lease")
    chunk = document.chunks.get()
    document.pages.update(text=first)
    Page.objects.create(document=document, number=2, text=second, start=len(first) + 1, width=595, height=842)
    document.chunks.update(last_page=2)
    turn = ask(alice, contracts, "What rent does Boeing pay in Peru?")
    assert [(near["text"], near["pages"]) for near in turn.nearest] == [(second, [2])]
    client.force_login(alice)
    page = client.get(reverse("conversation", args=[contracts.pk, turn.conversation_id])).content.decode()
    assert f"?page=2&amp;chunk={chunk.pk}" in page


def held(user: User, datasource: Datasource, documents: list[int] | None) -> Turn:
    """A question that waits for a worker."""
    return services.ask(user, datasource, "Who is the tenant?", document_ids=documents, queued=False)


def answered(turn: Turn) -> Turn:
    asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=embedder())))
    turn.refresh_from_db()
    return turn


def test_a_chosen_document_that_is_deleted_while_the_question_waits_is_told(
    papers: Datasource, alice: User
) -> None:
    lease = papers.documents.get(title="Lease")
    turn = held(alice, papers, [lease.pk])
    delete(lease, alice)
    turn = answered(turn)
    assert (turn.status, turn.error_code) == (TurnStatus.FAILED, "no_documents")
    assert "have been deleted" in turn.error_message
    assert not turn.search


def test_of_several_chosen_documents_those_that_are_left_are_searched(
    papers: Datasource, alice: User
) -> None:
    lease, minutes = papers.documents.get(title="Lease"), papers.documents.get(title="Minutes")
    turn = held(alice, papers, [lease.pk, minutes.pk])
    delete(minutes, alice)
    turn = answered(turn)
    assert (turn.status, turn.document_ids) == (TurnStatus.QUOTES, [lease.pk])


def test_who_may_no_longer_read_gets_no_answer(papers: Datasource, bob: User) -> None:
    turn = held(bob, papers, None)
    papers.memberships.filter(user=bob).delete()
    turn = answered(turn)
    assert (turn.status, turn.error_code) == (TurnStatus.FAILED, "no_access")
    assert not turn.citations.exists()


def test_whose_account_was_shut_meanwhile_gets_no_answer(papers: Datasource, bob: User) -> None:
    turn = held(bob, papers, None)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    turn = answered(turn)
    assert (turn.status, turn.error_code, turn.answer) == (TurnStatus.FAILED, "no_access", "")


class TakesAway(CutsTheLine):
    """Ends somebody's membership while the documents are searched."""

    def __init__(self, inner: Embedder, members: Any) -> None:
        super().__init__(inner)
        self._members = members

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._members.delete()
        return self._inner.embed(texts)


def test_who_loses_the_right_while_it_is_answered_gets_no_answer(papers: Datasource, bob: User) -> None:
    turn = held(bob, papers, None)
    by = TakesAway(embedder(), papers.memberships.filter(user=bob))
    asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=by)))
    turn.refresh_from_db()
    assert (turn.status, turn.error_code, turn.answer) == (TurnStatus.FAILED, "no_access", "")
    assert not turn.citations.exists()


def failing(turn: Turn, by: Embedder) -> None:
    """Answer it with a model whose key is refused."""
    with ScriptedOpenAI(lambda _: error_reply(401)) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=by)))


def test_who_loses_the_right_while_the_model_fails_is_shown_no_passage(papers: Datasource, bob: User) -> None:
    turn = held(bob, papers, None)
    failing(turn, TakesAway(embedder(), papers.memberships.filter(user=bob)))
    turn.refresh_from_db()
    assert (turn.status, turn.error_code, turn.nearest) == (TurnStatus.FAILED, "no_access", [])


class ShutsDown(CutsTheLine):
    """The worker ends while the documents are searched."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise asyncio.CancelledError


def test_a_shutdown_while_a_failure_is_dressed_does_not_count_as_an_attempt(
    papers: Datasource, alice: User
) -> None:
    turn = held(alice, papers, None)
    with pytest.raises(asyncio.CancelledError):
        failing(turn, ShutsDown(embedder()))
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (TurnStatus.RUNNING, 0)


def test_a_page_or_a_passage_that_was_not_searched_leaves_the_search_open(
    papers: Datasource, alice: User
) -> None:
    question = "What is the effective tax rate of Boeing?"
    minutes = papers.documents.filter(title="Minutes")
    for gap in ("pages_unreadable", "pages_without_text"):
        minutes.update(**{gap: 1})
        search = search_of(scope(papers, alice), question, 0.5)
        assert (search.complete, search.unread) == (False, 1)
        minutes.update(**{gap: 0})
    papers.chunks.filter(document__title="Animals").update(left_out=True)
    search = search_of(scope(papers, alice), question, 0.5)
    assert (search.complete, search.unread) == (False, 1)


def test_a_word_that_only_resembles_another_is_told_as_absent(papers: Datasource, alice: User) -> None:
    search = search_of(scope(papers, alice), "Does a dog of the tenants club in Saltmare?", 0.5)
    assert "Saltmare" in search.words_absent  # Saltmere is there: it may be meant
    assert not {"dog", "tenants"} & set(search.words_absent)
    assert not search.complete


def test_a_photographed_page_is_told_as_not_searched(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, client: Client
) -> None:
    change_datasource(contracts, recognition=Recognition.OFF)
    path = photographed(tmp_path / "scan.pdf", "This is the book of the museum, and they have it.")
    accept_upload(contracts, alice, "scan.pdf", io.BytesIO(path.read_bytes()))
    work()
    client.force_login(alice)
    page = client.get(reverse("documents", args=[contracts.pk])).content.decode()
    assert "Ready, but not all of it" in page
    assert "Page 1 needs OCR, about 5 s." in page
    turn = ask(alice, contracts, "What is the effective tax rate of Boeing?")
    assert headline(turn) == "No passage stood out"
    assert "1 document has not been read, or not to the end." in explanation(turn)


def test_a_year_proves_nothing_as_it_may_be_written_otherwise(papers: Datasource, alice: User) -> None:
    search = search_of(scope(papers, alice), "What was the rent of the tenant in 2022?", 0.5)
    assert (search.complete, search.words_absent) == (False, ("2022",))


def test_the_nearest_are_chosen_by_one_measure(papers: Datasource, alice: User) -> None:
    turn = ask(alice, papers, "Does Saltmere have a policy on parking bicycles and animals in cellars?")
    if turn.status == TurnStatus.NOT_FOUND:
        scores = [passage["score"] for passage in turn.nearest]
        assert scores == sorted(scores, reverse=True)
        assert max(scores) < 0.95  # of the words "Saltmere" alone, the likeness would be 1
    else:
        pytest.fail(f"answered: {turn.answer}")


def test_an_embedding_server_that_is_away_is_asked_again(papers: Datasource, alice: User) -> None:
    turn = services.ask(alice, papers, "Who is the tenant?", queued=False)
    away = OpenAIEmbedder("http://127.0.0.1:9/v1", "k", "m", embedder().dimensions, timeout=2)
    with pytest.raises(ProviderError):
        asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=away)))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.RUNNING
    asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=embedder())))
    turn.refresh_from_db()
    assert "Petra Lindqvist" in turn.answer


def test_a_lost_database_connection_is_no_answer(papers: Datasource, alice: User) -> None:
    turn = services.ask(alice, papers, "Who is the tenant?", queued=False)
    with pytest.raises(STORAGE_ERRORS):
        asyncio.run(run_turn(turn.pk, Models(answers=answer_model(), embedder=CutsTheLine(embedder()))))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.RUNNING


def test_of_a_whole_datasource_no_texts_are_read(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Lease", "Petra Lindqvist has termi-\nnated the lease, which she built.")
    question = "Has Walter Quillon terminated the lease that he builds?"
    with CaptureQueriesContext(connection) as queries:
        search = search_of(scope(contracts, alice), question, 0.5)
    assert search.complete
    assert search.words_absent == ("Walter", "Quillon")
    assert not [each["sql"] for each in queries if 'SELECT "ingestion_chunk"."text"' in each["sql"]]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("Walter Quilon signed the lease.", False),  # a slip of the name
        ("The tenant pays. A quillon is a part of a sword.", False),
        ("The tenant pays 1.5 million and no more than that.", True),
    ],
)
def test_a_name_that_is_misspelt_or_there_is_not_called_absent(
    contracts: Datasource, alice: User, text: str, complete: bool
) -> None:
    make_document(contracts, "Lease", text)
    search = search_of(scope(contracts, alice), "What did Quillon pay, 1,500,000?", 0.5)
    assert search.complete is complete
    assert "1,500,000" not in search.words_absent or "million" not in text
