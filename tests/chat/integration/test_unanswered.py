"""Questions that nothing answers: when "none of the documents" is said, what is shown, and outages."""

import asyncio
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import DatabaseError, connection

from accounts.models import User
from chat import services
from chat.answering.models import answer_model
from chat.answering.run import run_turn
from chat.answering.unanswered import search_of
from chat.models import Turn, TurnStatus
from datasources.models import Datasource, DocumentStatus
from ingestion.upload import accept_upload
from jobs.failures import STORAGE_ERRORS
from providers.openai.embedder import OpenAIEmbedder
from providers.protocols import Embedder, ProviderError, Vectors
from providers.roles import embedder
from retrieval.query import Scope
from tests.factories import make_document

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


def ask(user: User, datasource: Datasource, question: str, by: Embedder | None = None) -> Turn:
    turn = services.ask(user, datasource, question, queued=False)
    asyncio.run(run_turn(turn.pk, answer_model(), by or embedder()))
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
        asyncio.run(run_turn(turn.pk, answer_model(), away))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.RUNNING
    asyncio.run(run_turn(turn.pk, answer_model(), embedder()))
    turn.refresh_from_db()
    assert "Petra Lindqvist" in turn.answer


class CutsTheLine:
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


def test_a_lost_database_connection_is_no_answer(papers: Datasource, alice: User) -> None:
    turn = services.ask(alice, papers, "Who is the tenant?", queued=False)
    with pytest.raises(STORAGE_ERRORS):
        asyncio.run(run_turn(turn.pk, answer_model(), CutsTheLine(embedder())))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.RUNNING
