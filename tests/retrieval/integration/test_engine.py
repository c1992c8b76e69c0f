"""The engine as its callers see it: passages of the scope alone, with what each leg says of them."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from datasources.models import Datasource, Document
from datasources.services import change_datasource, create_datasource
from ingestion.indexes import embedding, vector_spaces
from ingestion.indexes.search_index import USUAL_LENGTH, index_all, passage_counts
from ingestion.lifecycle.purging import purge
from ingestion.models import Chunk, ChunkTerms, DocumentTerms, TermCount, Word
from providers.embedders import embedder
from providers.protocols import Embedder, ProviderError, Vectors
from providers.protocols.in_front import EmbedderInFront
from retrieval.engine import HYBRID, Filters, Leg, Query, Rerank, Result, Scope, candidates, retrieve
from retrieval.engine.several import retrieve_each, retrieve_from
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from tests.factories import add_passages, make_chunk, make_document
from tests.openai_server import ScriptedOpenAI, text_reply
from tests.processes import PATIENCE
from tests.rerank_server import RerankServer
from text.search.search_terms import terms

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = [
    {"title": "Orrin Vale", "text": "Orrin Vale was a lighthouse keeper. Orrin Vale was born in Saltmere."},
    {"title": "Saltmere", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
    {"title": "Tarragon", "text": "Tarragon is a herb with a taste of anise. Order 7-ZX41 asked for it."},
]


@pytest.fixture
def harbour(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "harbour.jsonl")
    work()
    return contracts


def ask(datasource: Datasource, text: str, **more: Any) -> Result:
    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    return retrieve(Query(text=text, **more), scope, embedder(datasource))


class Watched(EmbedderInFront[Embedder]):
    """Runs in this process, and embeds once `begun` is set; `threads`: where it was asked."""

    def __init__(self, begun: Event) -> None:
        super().__init__(embedder())
        self.begun, self.threads = begun, list[Thread]()

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._model.embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        self.threads.append(current_thread())
        assert self.begun.wait(PATIENCE), "the words were not looked up meanwhile"
        return self._model.embed_questions(texts)


def test_a_question_is_embedded_while_its_words_are_looked_up(
    harbour: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = Event()
    find = candidates.Candidates.add_best_by_words

    def found(self: candidates.Candidates) -> None:
        find(self)
        looked_up.set()

    monkeypatch.setattr(candidates.Candidates, "add_best_by_words", found)
    scope = Scope(user_id=harbour.owner_id, datasource_id=harbour.pk)
    watched = Watched(looked_up)
    query = Query(text="Who kept the lighthouse?")
    result = retrieve(query, scope, watched)
    assert result.evidence == ask(harbour, query.text).evidence
    assert current_thread() not in watched.threads
    only_words = replace(query, legs=frozenset({Leg.BM25}))
    assert retrieve(only_words, scope, watched).evidence
    assert len(watched.threads) == 1, "where no leg needs a vector, none is made"


def test_an_embedder_that_fails_beside_the_words_is_told_as_any_other(harbour: Datasource) -> None:
    class Fails(Watched):
        def embed_questions(self, texts: Sequence[str]) -> Vectors:
            raise ProviderError("The model is damaged.")

    scope = Scope(user_id=harbour.owner_id, datasource_id=harbour.pk)
    with pytest.raises(ProviderError, match="The model is damaged"):
        retrieve(Query(text="Who kept the lighthouse?"), scope, Fails(Event()))


def test_each_passage_says_what_every_leg_thinks_of_it(harbour: Datasource) -> None:
    result = ask(harbour, "Who kept the lighthouse?")
    best = result.evidence[0]
    assert best.document_title == "Orrin Vale"
    assert best.legs[Leg.DENSE].rank == 1
    assert all(0 <= passage.score <= 1 for passage in result.evidence)
    assert {"filter", "embed", "dense", "bm25", "passages"} <= set(result.milliseconds)


def test_all_passages_of_a_search_are_read_together(harbour: Datasource) -> None:
    with CaptureQueriesContext(connection) as statements:
        assert len(ask(harbour, "Who kept the lighthouse?").evidence) == 3
    assert sum(bool(re.search(r"\btext\b", statement["sql"])) for statement in statements) == 1


def test_passages_with_rare_words_are_looked_up_and_the_result_is_that_of_comparing_all(
    harbour: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {}
    for looked_up in (0.0, 9.0):
        monkeypatch.setattr(candidates, "LOOKED_UP", looked_up)
        with CaptureQueriesContext(connection) as statements:
            evidence = ask(harbour, "Who is the mayor of Saltmere and what tastes of anise?").evidence
        given[looked_up] = [(passage.chunk_id, passage.score, passage.legs) for passage in evidence]
        assert any("terms &&" in s["sql"] for s in statements if "chunkterms" in s["sql"]) == bool(looked_up)
    assert given[0.0] == given[9.0]
    assert all({Leg.DENSE, Leg.BM25} & set(legs) for *_, legs in given[9.0])


def test_a_filter_on_documents_leaves_the_others_out(harbour: Datasource) -> None:
    only = frozenset([harbour.documents.get(title="Tarragon").pk])
    result = ask(harbour, "Who kept the lighthouse?", filters=Filters(document_ids=only))
    assert {passage.document_title for passage in result.evidence} == {"Tarragon"}


def test_a_reranking_server_decides_the_order(harbour: Datasource, settings: Any) -> None:
    with RerankServer() as server:
        settings.RERANK_BASE_URL, settings.RERANK_MODEL = server.base_url, "bge"
        result = ask(harbour, "lighthouse anise herb", rerank=Rerank.BGE)
    assert result.reranked
    assert result.evidence[0].document_title == "Tarragon"
    assert server.requests[0]["query"] == "lighthouse anise herb"


def test_without_a_reranker_the_passages_stand_and_the_result_says_why(harbour: Datasource) -> None:
    result = ask(harbour, "Who kept the lighthouse?", rerank=Rerank.BGE)
    assert result.evidence[0].document_title == "Orrin Vale"
    assert not result.reranked
    assert result.rerank_failed == "No reranking model is set."


def test_a_language_model_rates_the_passages(harbour: Datasource, settings: Any) -> None:
    def answer(request: dict[str, Any]) -> Any:
        given = json.loads(request["messages"][-1]["content"])["passages"]
        ratings = [{"number": p["number"], "rating": 10 * ("Petra" in p["text"])} for p in given]
        return text_reply(json.dumps({"ratings": ratings}))

    with ScriptedOpenAI(answer) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        result = ask(harbour, "Who kept the lighthouse?", rerank=Rerank.LLM)
    assert [result.evidence[0].document_title, result.evidence[0].score] == ["Saltmere", 1.0]


def test_rewrites_are_searched_as_well(harbour: Datasource) -> None:
    alone = ask(harbour, "Who kept the lighthouse?", k=1)
    both = ask(harbour, "Who kept the lighthouse?", k=2, rewrites=("A herb that tastes of anise",))
    assert alone.evidence[0].document_title == "Orrin Vale"
    assert {passage.document_title for passage in both.evidence} == {"Orrin Vale", "Tarragon"}


def wordings(*texts: str) -> ScriptedOpenAI:
    """A model that writes these when it is asked for other wordings."""
    return ScriptedOpenAI(lambda request: text_reply(json.dumps({"wordings": texts})))


def test_the_language_model_adds_other_wordings(harbour: Datasource, settings: Any) -> None:
    with wordings("A herb that tastes of anise", "", "Who kept the lighthouse?") as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        result = ask(harbour, "Who kept the lighthouse?", k=2, expand=True)
    assert {passage.document_title for passage in result.evidence} == {"Orrin Vale", "Tarragon"}
    assert result.evidence[0].document_title == "Orrin Vale"  # the question counts most
    assert result.wordings == ("A herb that tastes of anise",)
    assert json.loads(server.requests[0]["messages"][-1]["content"])["languages"][0] == "en"


def test_what_the_wordings_find_is_reranked_once_by_the_question(harbour: Datasource, settings: Any) -> None:
    with RerankServer() as server:
        settings.RERANK_BASE_URL, settings.RERANK_MODEL = server.base_url, "bge"
        result = ask(harbour, "lighthouse", rerank=Rerank.BGE, rewrites=("anise herb", "harbour town"))
    asked = {request["query"] for request in server.requests} - {"What is the capital of France?"}
    assert result.reranked
    assert asked == {"lighthouse"}


def test_without_a_language_model_the_question_is_searched_as_it_is(harbour: Datasource) -> None:
    result = ask(harbour, "Who kept the lighthouse?", expand=True)
    assert result.evidence[0].document_title == "Orrin Vale"
    assert [result.wordings, result.expand_failed] == [(), "No language model is connected."]


@pytest.mark.parametrize("said", ['{"wordings": []}', "I would rather not.", '{"wordings": 7}'])
def test_a_model_that_writes_no_wordings_costs_no_passages(
    harbour: Datasource, settings: Any, said: str
) -> None:
    with ScriptedOpenAI(lambda request: text_reply(said)) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        result = ask(harbour, "Who kept the lighthouse?", expand=True)
    assert result.evidence[0].document_title == "Orrin Vale"
    assert result.expand_failed == "scripted gave no other wordings of the question."


def test_a_model_that_is_late_with_its_wordings_is_not_waited_for(harbour: Datasource, settings: Any) -> None:
    with ScriptedOpenAI(lambda request: text_reply('{"wordings": ["A herb"]}', delay=5.0)) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_TIMEOUT = server.base_url, "scripted", 1.2
        result = ask(harbour, "Who kept the lighthouse?", expand=True)
    assert result.evidence[0].document_title == "Orrin Vale"
    assert result.expand_failed == "scripted took too long to give other wordings of the question."
    assert result.milliseconds["expand"] < 3000


def test_the_searches_of_answers_are_expanded_where_the_owner_wants_it(
    harbour: Datasource, settings: Any
) -> None:
    scope = Scope(user_id=harbour.owner_id, datasource_id=harbour.pk)
    arguments = SEARCH_CHUNKS.arguments(query="Who kept the lighthouse?", limit=2)
    with wordings("A herb that tastes of anise") as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        SEARCH_CHUNKS.search(scope, embedder(harbour), arguments)
        assert not server.requests
        change_datasource(harbour, expansion=True)
        found, note = SEARCH_CHUNKS.search(scope, embedder(harbour), arguments)
        assert not note.without
    assert "Tarragon" in {passage.document_title for passage in found}
    settings.LLM_BASE_URL = ""
    found, note = SEARCH_CHUNKS.search(scope, embedder(harbour), arguments)
    assert (found[0].document_title, note.without) == (
        "Orrin Vale",
        "Without other wordings: No language model is connected.",
    )


# --- words -------------------------------------------------------------------------------------------------
def test_an_identifier_is_found_whole(harbour: Datasource) -> None:
    result = ask(harbour, "7-ZX41", legs=frozenset({Leg.BM25}))
    assert [passage.document_title for passage in result.evidence] == ["Tarragon"]


def test_a_misspelt_word_still_finds_its_passage(harbour: Datasource) -> None:
    result = ask(harbour, "tarragonn", legs=frozenset({Leg.BM25}))
    assert [passage.document_title for passage in result.evidence] == ["Tarragon"]


def test_scores_by_words_are_those_of_bm25(harbour: Datasource) -> None:
    """Against the formula, worked out here on the passages themselves."""
    texts = {row["title"]: f"{row['title']}\n{row['text']}" for row in PASSAGES}
    found = {title: Counter(terms(text)) for title, text in texts.items()}
    asked = ["harbour", "town", "mayor", "Orrin"]

    def bm25(counts: Counter[str]) -> float:
        total = 0.0
        for word in (stem for one in asked for stem in terms(one)):
            holding = sum(word in other for other in found.values())
            rarity = math.log(1 + (len(found) - holding + 0.5) / (holding + 0.5))
            norm = 1.2 * (1 - 0.75 + 0.75 * counts.total() / USUAL_LENGTH)
            total += rarity * counts[word] * 2.2 / (counts[word] + norm)
        return total

    right = {title: score for title, counts in found.items() if (score := bm25(counts))}
    result = ask(harbour, " ".join(asked), legs=frozenset({Leg.BM25}))
    scores = {passage.document_title: passage.score for passage in result.evidence}
    assert scores.keys() == right.keys()
    top = max(right, key=lambda title: right[title])
    for title, score in right.items():
        assert scores[title] / scores[top] == pytest.approx(score / right[top], rel=0.01)


def test_a_passage_with_more_terms_than_a_vector_holds_is_found(contracts: Datasource) -> None:
    letters = [chr(0x4E00 + n) for n in range(20_000)]
    giant = make_document(contracts, "Giant", f"{letters[0]}{letters[1]} {''.join(letters)}")
    result = ask(contracts, letters[0] + letters[1], legs=frozenset({Leg.BM25}))
    assert [passage.document_id for passage in result.evidence] == [giant.pk]


def test_no_word_is_left_of_a_document_that_is_deleted(harbour: Datasource) -> None:
    gone = harbour.documents.get(title="Tarragon")
    assert Word.objects.filter(datasource=harbour, word="tarragon").exists()
    purge(gone)
    assert not Word.objects.filter(datasource=harbour, word="tarragon").exists()
    counted = dict(TermCount.objects.filter(datasource=harbour).values_list("term", "count"))
    held = Counter(
        term
        for model in (ChunkTerms, DocumentTerms)
        for some in model.objects.filter(datasource=harbour).values_list("terms", flat=True)
        for term in some
    )
    assert counted == dict(held)


# --- filters -----------------------------------------------------------------------------------------------
def test_as_many_come_back_as_match_the_filter(contracts: Datasource) -> None:
    """However much nearer all others are."""
    for n in range(30):
        make_document(contracts, f"Lighthouse {n}", f"The keeper of lighthouse {n} keeps the lighthouse.")
    few = [make_document(contracts, f"Recipe {n}", f"Soup number {n}.").pk for n in range(5)]
    only = Filters(document_ids=frozenset(few))
    for legs in (frozenset({Leg.BM25}), HYBRID):
        result = ask(contracts, "lighthouse keeper soup", k=5, legs=legs, filters=only)
        assert {passage.document_id for passage in result.evidence} == set(few)


def test_a_search_in_some_documents_counts_their_passages_once(
    harbour: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "SCANNED", 0)  # as in a datasource of many passages
    only = Filters(document_ids=frozenset([harbour.documents.get(title="Tarragon").pk]))
    with CaptureQueriesContext(connection) as statements:
        found = ask(harbour, "Which herb?", legs=frozenset({Leg.BM25, Leg.DENSE}), filters=only)
    assert found.evidence
    assert sum("sum(chunk_count)" in statement["sql"] for statement in statements) == 1


def test_filters_by_type_day_language_and_metadata(contracts: Datasource) -> None:
    german = "Der Mieter zahlt die Miete an den Vermieter, und zwar für jeden Monat im Voraus."
    letter = make_document(contracts, "Brief", german, filename="brief.txt", metadata={"grade": "5"})
    make_document(contracts, "Letter", "The tenant pays the rent to the landlord for each month in advance.")
    today = timezone.now().date()
    by_words = frozenset({Leg.BM25})
    for filters in (
        Filters(types=frozenset({"txt"})),
        Filters(languages=frozenset({"de"})),
        Filters(metadata={"grade": "5"}),
    ):
        result = ask(contracts, "rent Miete", legs=by_words, filters=filters)
        assert [passage.document_id for passage in result.evidence] == [letter.pk]
    now, later = Filters(since=today, until=today), Filters(since=today + timedelta(days=1))
    assert len(ask(contracts, "rent Miete", legs=by_words, filters=now).evidence) == 2
    assert not ask(contracts, "rent Miete", legs=by_words, filters=later).evidence


def test_a_question_in_another_language_than_the_documents_is_noticed(contracts: Datasource) -> None:
    make_document(contracts, "Lease", "The tenant pays the rent to the landlord for each month in advance.")
    by_words = frozenset({Leg.BM25})
    assert ask(contracts, "Wie hoch ist die Miete?", legs=by_words).foreign == "de"
    assert ask(contracts, "How high is the rent?", legs=by_words).foreign == ""


@pytest.mark.parametrize("scanned", [candidates.SCANNED, 0])
def test_in_a_chosen_document_words_count_by_how_rare_they_are_there(
    contracts: Datasource, monkeypatch: pytest.MonkeyPatch, scanned: int
) -> None:
    """The name of its company tells a report from others, and nothing of the passages in it."""
    monkeypatch.setattr(candidates, "SCANNED", scanned)
    for n in range(20):
        make_document(contracts, f"Other {n}", f"The dividend of company number {n} was paid.")
    report = make_document(contracts, "Report", "Quillon Quillon Quillon Quillon: the annual report.")
    for index, text in enumerate(
        ["Quillon has a head office.", "The dividend was raised.", "Quillon sells ships."], start=1
    ):
        make_chunk(report, text, index=index, start=100 * index)
    Document.objects.filter(pk=report.pk).update(chunk_count=4)
    ChunkTerms.objects.filter(document=report).delete()
    index_all(list(report.chunks.order_by("index")))
    only = Filters(document_ids=frozenset({report.pk}))
    result = ask(contracts, "Quillon dividend", legs=frozenset({Leg.BM25}), filters=only)
    assert result.evidence[0].text == "The dividend was raised."
    everywhere = ask(contracts, "Quillon dividend", legs=frozenset({Leg.BM25}))
    assert everywhere.evidence[0].document_id == report.pk


def test_of_chosen_documents_only_their_languages_count(contracts: Datasource) -> None:
    make_document(contracts, "Lease", "The tenant pays the rent to the landlord for each month in advance.")
    brief = make_document(contracts, "Brief", "Der Mieter zahlt die Miete für jeden Monat an den Vermieter.")
    by_words, filters = frozenset({Leg.BM25}), Filters(document_ids=frozenset({brief.pk}))
    question = "How high is the rent, and who pays it for the tenant?"
    assert ask(contracts, question, legs=by_words).foreign == ""
    assert ask(contracts, question, legs=by_words, filters=filters).foreign == "en"


def test_of_several_datasources_a_question_is_foreign_where_it_is_so_in_each(
    contracts: Datasource, alice: User
) -> None:
    other = create_datasource(alice, "Other")
    make_document(contracts, "Lease", "The tenant pays the rent to the landlord for each month in advance.")
    make_document(other, "Letter", "The landlord writes to the tenant that the rent is due in advance.")
    scopes = [Scope(user_id=alice.pk, datasource_id=each.pk) for each in (contracts, other)]
    german = Query(
        text="Wie hoch ist die Miete, und wer zahlt sie für den Mieter?", legs=frozenset({Leg.BM25})
    )
    told = retrieve_from(german, scopes)
    assert told.foreign == "de"
    assert told.weights == {Leg.BM25: 1.0}
    make_document(other, "Brief", "Der Mieter zahlt die Miete für jeden Monat an den Vermieter.")
    assert retrieve_from(german, scopes).foreign == ""


def test_what_one_datasource_says_by_its_words_is_not_outranked_by_another_that_has_none_of_them(
    contracts: Datasource, alice: User
) -> None:
    other = create_datasource(alice, "Other")
    for number in range(24):
        make_document(contracts, f"Order {number}", f"Order 7-{number:03} asked for a crate of herbs.")
        make_document(other, f"Delivery {number}", f"The crates of herbs came by ship, {number} in all.")
    scopes = [Scope(user_id=alice.pk, datasource_id=each.pk) for each in (contracts, other)]
    question = Query(text="What did order 7-011 ask for, which came by ship?", k=3)
    parts = retrieve_each(question, scopes)
    assert retrieve_from(question, scopes).evidence[0].document_title == "Order 11"
    assert len({part.result.weights[Leg.DENSE] for part in parts}) == 1  # or their scores say nothing


@pytest.mark.parametrize("legs", [{Leg.BM25}, {Leg.DENSE, Leg.BM25}])
def test_a_passage_scores_the_same_in_a_small_and_in_a_large_datasource(
    contracts: Datasource, alice: User, legs: set[Leg]
) -> None:
    other = create_datasource(alice, "Large")
    make_document(contracts, "Own", "The crate of tarragon came by ship.")
    make_document(other, "Own", "The crate of tarragon came by ship.")
    for number in range(30):
        make_document(other, f"Note {number}", f"A crate came by lorry in week {number}.")
    scopes = [Scope(user_id=alice.pk, datasource_id=each.pk) for each in (contracts, other)]
    question = Query(text="Which crate came with tarragon and saffron?", legs=frozenset(legs), k=2)
    first, second = retrieve_from(question, scopes).evidence
    assert (first.document_title, second.document_title) == ("Own", "Own")
    assert first.score == pytest.approx(second.score, abs=0.001)


def test_words_that_stand_side_by_side_count_more_than_the_same_words_apart(contracts: Datasource) -> None:
    make_document(contracts, "Apart", "A customer who pays late in one period shows grace in ten days.")
    make_document(
        contracts,
        "Together",
        "Where a payment is late, the customer has a grace period of ten days to make it.",
    )
    for number in range(8):
        make_document(contracts, f"Note {number}", f"Notice {number} was given to customers by post.")
    result = ask(contracts, "grace period")
    assert result.evidence[0].document_title == "Together"


def test_of_two_questions_in_one_each_has_its_best_passage_first(contracts: Datasource) -> None:
    for number in range(6):
        text = f"Penalty {number} for late delivery: each week that a delivery is late is charged."
        make_document(contracts, f"Penalty {number}", text)
    make_document(contracts, "Storage", "Samples of seed are kept cool.")
    question = "How high is the penalty for late delivery of an order, and where are samples of seed kept?"
    asked = Query(text=question, k=2)
    scope = Scope(user_id=contracts.owner_id, datasource_id=contracts.pk)
    for result in (retrieve(asked, scope, embedder(contracts)), retrieve_from(asked, [scope])):
        titles = [passage.document_title for passage in result.evidence]
        assert "Storage" in titles
        assert any(title.startswith("Penalty") for title in titles)
        assert all(0 <= passage.score <= 1 for passage in result.evidence)


def test_passages_of_no_known_language_are_counted_once(contracts: Datasource) -> None:
    make_document(contracts, "Codes", "AX-1 BX-2 CX-3")
    assert passage_counts([contracts.pk]) == {contracts.pk: 1}


# --- documents ---------------------------------------------------------------------------------------------
def test_the_document_that_a_question_names_comes_first(alice: User, contracts: Datasource) -> None:
    """Its pages say the same as those of the others, and none says whose report it is."""
    for company in ("Meridian", "Larkspur", "Quillon"):
        for year in (2021, 2022):
            report(contracts, f"{company}_{year}_10K", 12)
    result = ask(contracts, "What were Larkspur's capital expenditures in FY22?", k=3)
    assert {passage.document_title for passage in result.evidence} == {"Larkspur_2022_10K"}
    assert result.weights[Leg.DOCUMENT] > 0


def report(datasource: Datasource, title: str, chunks: int) -> Document:
    """A report whose pages differ from those of others in their figures alone."""
    document = make_document(datasource, title, f"Annual report, form 10-K, first page of {len(title)}.")
    Chunk.objects.bulk_create(
        Chunk(
            datasource=datasource,
            document=document,
            index=n,
            start=1000 * n,
            end=1000 * n + 50,
            first_page=n,
            last_page=n,
            text=f"Capital expenditures were {n * 37} million in note {n}.",
        )
        for n in range(1, chunks)
    )
    everything = list(document.chunks.order_by("index"))
    ChunkTerms.objects.filter(document=document).delete()
    index_all(everything)
    space = vector_spaces.claim(datasource, embedder())
    vectors = embedder().embed([chunk.text for chunk in everything])
    embedding.copy_vectors(space, [chunk.pk for chunk in everything], vectors)
    return document
