"""A chat model reads for the graph: what it costs, what survives its failures, what is never paid twice."""

import io
import json
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from datasources.models import Document, DocumentStatus
from graph.extraction import model_reading, status
from graph.extraction.llm import extractor
from graph.extraction.llm.budget import costs, spend
from graph.extraction.rules.extractor import Rules
from graph.models import (
    CachedExtraction,
    ChunkExtraction,
    Entity,
    EntityMention,
    GraphExtractor,
    GraphSettings,
    Relation,
)
from graph.services import retry_chunks, set_budget
from graph.steps import FindMentions
from graph.tasks import resume_held_reading
from ingestion import structure_rows
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.models import Chunk
from ingestion.run import start
from providers.spending import budgets
from providers.spending.models import Spending
from svq_site.usage.changing import change_budget
from tests.graph.reading_model import (
    PRICE,
    TEXTS,
    answer,
    choose_extractor,
    document_of,
    passage_of,
    read,
    well,
)
from tests.openai_server import ScriptedOpenAI, ScriptedReply, error_reply, text_reply

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_waiting")]


def readings(server: ScriptedOpenAI) -> list[Any]:
    """The requests to read a passage; a document that is ready is also introduced by the model."""
    return [request for request in server.requests if "entities" in json.dumps(request["response_format"])]


def extractors(document: Document) -> dict[int, set[str]]:
    """Who has read each chunk."""
    found: dict[int, set[str]] = {index: set() for index in range(document.chunk_count)}
    for mention in EntityMention.objects.filter(document=document).select_related("chunk"):
        found[mention.chunk.index].add(mention.extractor)
    return found


def test_a_models_reading_becomes_the_graph(halden, serve) -> None:
    server = serve(well)
    read(document_of(halden))
    company = Entity.objects.get(datasource=halden, name="Halden Foods")
    assert company.types == ["ORGANIZATION"]
    assert company.mention_count == 3
    assert "bakes bread" in company.description
    relation = Relation.objects.get(source__name="Mira Okafor", target=company)
    assert relation.keywords == ["business"]
    assert relation.strength == pytest.approx(1.6)
    mention = EntityMention.objects.filter(name="Brightwater Group", chunk__index=2).get()
    assert mention.chunk.text[mention.start : mention.end] == "Brightwater Group"
    assert len(server.requests) == 3
    assert ChunkExtraction.objects.get(chunk__index=0).keywords == ["baking", "ownership"]


def test_the_server_is_asked_for_a_strict_schema_with_the_types_of_the_datasource(halden, serve) -> None:
    GraphSettings.objects.filter(datasource=halden).update(ontology="research")
    server = serve(well)
    read(document_of(halden, TEXTS[:1]))
    wanted = server.requests[0]["response_format"]["json_schema"]
    assert wanted["strict"] is True
    types = wanted["schema"]["$defs"]["WrittenEntity"]["properties"]["types"]["items"]["enum"]
    assert {"METHOD", "DATASET", "METRIC"} <= set(types)
    assert "COMPARES_TO" in server.requests[0]["messages"][0]["content"]
    assert Entity.objects.get(name="Mira Okafor").types == ["OTHER"], "PERSON is no type of this ontology"


def test_a_server_without_strict_schemas_still_serves(halden, serve) -> None:
    def without(request: dict[str, Any]) -> ScriptedReply:
        if "response_format" in request:
            return error_reply(400, "response_format is not supported")
        return text_reply(f"Here you are:\n```json\n{answer(passage_of(request))}\n```")

    serve(without)
    read(document_of(halden))
    assert Entity.objects.get(name="Halden Foods").mention_count == 3


def test_broken_json_is_mended_and_a_wrong_shape_is_told_to_the_model_once(halden, serve) -> None:
    def careless(request: dict[str, Any]) -> ScriptedReply:
        text = passage_of(request)
        if text == TEXTS[0]:
            return text_reply(answer(text)[:-1])  # the last bracket is missing
        if len(request["messages"]) == 2:
            return text_reply('{"entities": [{"types": ["PERSON"]}], "relations": []}')
        return text_reply(answer(text))

    server = serve(careless)
    read(document_of(halden, TEXTS[:2]))
    assert len(server.requests) == 3
    told = server.requests[-1]["messages"][-1]["content"]
    assert "entities.0.name" in told
    assert Entity.objects.get(name="Halden Foods").mention_count == 2
    assert spend(halden).calls == 3


def test_too_many_requests_slow_all_down_and_fail_nothing(halden, serve) -> None:
    refusals = iter([0.3, 0.3, None, None, None])
    arrivals: list[float] = []

    def busy(request: dict[str, Any]) -> ScriptedReply:
        arrivals.append(extractor.monotonic())
        if (wait := next(refusals, -1)) != -1:
            return error_reply(429, retry_after=wait)
        return well(request)

    serve(busy)
    read(document_of(halden, [f"{TEXTS[0]} Part {n}." for n in range(12)]))
    assert status.report(halden).done == 12
    silence = max(later - earlier for earlier, later in pairwise(arrivals))
    assert silence >= 0.2, "everybody waited for the time that the server asked for"


def test_a_chunk_that_fails_for_good_is_reported_and_retried_alone(halden, serve, work) -> None:
    broken = [True]

    def picky(request: dict[str, Any]) -> ScriptedReply:
        if passage_of(request) == TEXTS[1] and broken[0]:
            return text_reply("I would rather not.")
        return well(request)

    server = serve(picky)
    document = read(document_of(halden))
    report = status.report(halden)
    assert (report.done, report.failed) == (2, 1)
    assert "does not fit" in report.errors[0][0]
    assert extractors(document) == {0: {"model reader"}, 1: {Rules.name}, 2: {"model reader"}}
    broken[0], before = False, len(server.requests)
    failed = Chunk.objects.get(document=document, index=1)
    assert retry_chunks(halden, [failed]) == 1
    work()
    assert [passage_of(request) for request in server.requests[before:]] == [TEXTS[1]]
    assert extractors(document)[1] == {"model reader"}
    assert status.report(halden).failed == 0
    assert Relation.objects.filter(source__name="Halden Foods", target__name="Brightwater Group").exists()


def test_a_server_that_always_fails_ends_the_reading_and_the_document_is_searchable(halden, serve) -> None:
    server = serve(lambda _: error_reply(401, "Incorrect API key"))
    document = read(document_of(halden, [f"{TEXTS[0]} Part {n}." for n in range(60)]))
    assert len(server.requests) < 30
    report = status.report(halden)
    assert report.failed == 60
    assert "API key" in report.errors[0][0]
    assert {who for found in extractors(document).values() for who in found} == {Rules.name}


def test_failures_that_are_not_in_a_row_do_not_end_the_reading(halden, serve, settings, monkeypatch) -> None:
    settings.GRAPH_CONCURRENCY = 1
    monkeypatch.setattr(extractor, "GIVE_UP", 2)

    def picky(request: dict[str, Any]) -> ScriptedReply:
        return well(request) if passage_of(request) == TEXTS[1] else error_reply(400, "No.")

    serve(picky)
    read(document_of(halden))
    report = status.report(halden)
    assert (report.done, report.failed) == (1, 2)


def test_a_restart_pays_only_for_what_is_missing(halden, serve, monkeypatch) -> None:
    server = serve(well)
    document = document_of(halden)
    run = start(document.pk, lambda: False)
    assert run
    monkeypatch.setattr(extractor, "GIVE_UP", 99)
    GraphSettings.objects.filter(datasource=halden).update(token_budget=1)
    FindMentions().run(run)
    assert server.requests == []
    GraphSettings.objects.filter(datasource=halden).update(token_budget=None)
    EntityMention.objects.all().delete()  # as if the worker was killed before they were stored
    read(document)
    EntityMention.objects.all().delete()
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.LINKING)
    read(document)
    assert len(server.requests) == 3
    assert Entity.objects.filter(name="Halden Foods").exists()


def test_tables_are_sent_as_markdown_and_names_are_found_in_the_text_itself(halden, serve) -> None:
    server = serve(well)
    document = document_of(
        halden,
        [
            "Sales by company\n\t2023\t2022\nHalden Foods, Leeds\t1,200\t1,100",
            "Brightwater Group\t900\t800\nMira Okafor founded Halden Foods, the larger of the two companies.",
        ],
    )
    structure_rows.rebuild(document)
    told = status.estimate(halden, document.chunks.all())
    read(document)
    first, second = sorted(
        (passage_of(request) for request in readings(server)), key=lambda said: "900" in said
    )
    heads = "|  | 2023 | 2022 |\n| --- | --- | --- |\n"
    assert first.endswith(f"Sales by company\n{heads}| Halden Foods, Leeds | 1,200 | 1,100 |")
    assert f"{heads}| Brightwater Group | 900 | 800 |\nMira Okafor founded" in second
    mention = EntityMention.objects.filter(name="Brightwater Group").get()
    assert mention.chunk.text[mention.start : mention.end] == "Brightwater Group"
    assert told.cached == 0
    assert status.estimate(halden, document.chunks.all()).cached == 2, "what was read costs nothing again"


def test_the_same_text_is_paid_once_and_leaves_nothing_when_it_goes(halden, serve) -> None:
    server = serve(well)
    first = read(document_of(halden, [*TEXTS, TEXTS[0]]))
    second = read(document_of(halden, TEXTS[:2], title="Copy"))
    assert len(server.requests) == 3
    assert spend(halden).cached_calls == 2
    purge(first)
    assert CachedExtraction.objects.count() == 2, "what the copy still has"
    purge(second)
    assert CachedExtraction.objects.count() == ChunkExtraction.objects.count() == 0
    assert not Entity.objects.exists()
    assert spend(halden).calls == 3, "what was spent stays known"


def test_a_deleted_datasource_takes_its_answers_along(halden, serve) -> None:
    serve(well)
    read(document_of(halden))
    purge_datasource(halden)
    assert CachedExtraction.objects.count() == 0


@pytest.mark.parametrize("limit", ["tokens", "money"])
def test_a_budget_stops_cleanly_and_reading_goes_on_when_it_is_raised(
    halden, serve, work, settings, limit
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    settings.LLM_PRICE_INPUT = settings.LLM_PRICE_OUTPUT = Decimal(1_000_000)  # a token costs 1
    expected: list[int] = []
    server = serve(lambda r: text_reply(answer(passage_of(r)), usage=(expected[0], 50)))
    overhead = model_reading.reader_of(halden).overhead
    expected.append(overhead)
    limits: Any = {"tokens": None, "money": None} | {limit: 2 * overhead}
    set_budget(halden, **limits)
    document = read(document_of(halden))
    assert len(readings(server)) == 1
    assert (status.report(halden).done, status.report(halden).waiting) == (1, 2)
    assert spend(halden).tokens == overhead + 50
    work()
    assert len(readings(server)) == 1, "nothing goes on before the budget is raised"
    set_budget(halden, tokens=None, money=None)
    work()
    assert len(readings(server)) == 3
    assert extractors(document) == {index: {"model reader"} for index in range(3)}
    assert Entity.objects.get(name="Halden Foods").mention_count == 3


def test_reading_that_a_month_s_budget_has_stopped_goes_on_in_the_next_month(
    halden, serve, work, settings
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    expected: list[int] = []
    server = serve(lambda r: text_reply(answer(passage_of(r)), usage=(expected[0], 50)))
    expected.append(model_reading.reader_of(halden).overhead)
    budgets.set_budget(halden.pk, tokens=2 * expected[0], money=None)
    read(document_of(halden))
    resume_held_reading(timestamp=0)
    work()
    assert len(readings(server)) == 1, "nothing goes on while the budget is used up"
    Spending.objects.update(day=budgets.first_of_month() - timedelta(days=1))
    resume_held_reading(timestamp=0)
    work()
    assert len(readings(server)) == 2, "the month has begun anew, with the same budget"
    change_budget(halden.pk, tokens=None, money=None)
    work()
    assert len(readings(server)) == 3, "a larger budget is taken up at once"


def test_requests_that_a_server_reads_and_does_not_answer_are_paid_from_the_budget(
    halden, serve, settings
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    settings.LLM_PRICE_INPUT = Decimal(1_000_000)  # a token costs 1
    server = serve(lambda request: ScriptedReply(body=b'{"choices": []}'))
    set_budget(halden, tokens=None, money=4 * Decimal(model_reading.reader_of(halden).overhead))
    read(document_of(halden))
    asked = len(readings(server))
    assert 0 < asked < extractor.ATTEMPTS, "the budget ends it, before the server was given up"
    assert spend(halden).money == spend(halden).tokens > asked * 100
    assert spend(halden).calls == 0
    assert status.report(halden).waiting == 3
    assert not status.has_room(halden)


def test_a_passage_whose_second_try_the_budget_has_no_room_for_waits_until_it_is_raised(
    halden, serve, work
) -> None:
    replies = iter(["I would rather not."])
    server = serve(lambda r: text_reply(next(replies, answer(passage_of(r))), usage=(3_000, 300)))
    set_budget(halden, tokens=5_000, money=None)
    read(document_of(halden, TEXTS[:1]))
    assert (len(readings(server)), spend(halden).tokens) == (1, 3_300)
    assert (status.report(halden).waiting, status.report(halden).failed) == (1, 0)
    set_budget(halden, tokens=None, money=None)
    work()
    assert (status.report(halden).done, spend(halden).tokens) == (1, 6_600)


def test_reading_is_taken_up_only_where_the_next_request_would_be_let_through(halden, serve, work) -> None:
    server = serve(well)
    set_budget(halden, tokens=1, money=None)
    read(document_of(halden, TEXTS[:1]))
    work()
    reader, (chunk,) = model_reading.reader_of(halden), status.unread(halden)
    expected = costs(halden, reader.overhead).of(chunk.text).tokens
    GraphSettings.objects.filter(datasource=halden).update(token_budget=expected)
    resume_held_reading(timestamp=0)
    assert not status.is_at_work(halden), "it would only be held again"
    GraphSettings.objects.filter(datasource=halden).update(token_budget=2 * expected)
    resume_held_reading(timestamp=0)
    assert status.is_at_work(halden)
    assert not readings(server)


def test_money_is_estimated_limited_and_kept(halden, serve, settings) -> None:
    with pytest.raises(ValidationError, match="needs the model's prices"):
        set_budget(halden, tokens=None, money=Decimal(1))
    for name, value in PRICE.items():
        setattr(settings, name, value)
    serve(well)
    document = document_of(halden, [*TEXTS, TEXTS[0]])
    before = status.estimate(halden, document.chunks.all())
    assert (before.chunks, before.calls, before.cached, before.fits) == (4, 3, 0, True)
    assert before.money is not None
    assert before.money == (before.prompt_tokens * 1000 + before.completion_tokens * 2000) / Decimal(10**6)
    set_budget(halden, tokens=None, money=before.money - 1)
    assert not status.estimate(halden, document.chunks.all()).fits
    set_budget(halden, tokens=None, money=before.money)
    read(document)
    assert spend(halden).money == Decimal("0.6")  # 3 calls of 100 tokens in and 50 out
    after = status.estimate(halden, document.chunks.all())
    assert (after.calls, after.cached) == (0, 3)


def test_choosing_the_model_reads_what_rules_had_read(contracts, serve, work) -> None:
    server = serve(well)
    document = read(document_of(contracts))
    assert server.requests == []
    assert extractors(document) == {index: {Rules.name} for index in range(3)}
    choose_extractor(contracts, GraphExtractor.MODEL)
    work()
    assert extractors(document) == {index: {"model reader"} for index in range(3)}
    assert len(server.requests) == 3


def test_ready_passages_are_read_by_the_model_once_they_are_ready(halden, serve, work) -> None:
    server = serve(well)
    lines = "".join(json.dumps({"title": "Halden", "text": text}) + "\n" for text in TEXTS)
    accepted = accept_upload(halden, halden.owner, "passages.jsonl", io.BytesIO(lines.encode()))
    work()
    for one in accepted:
        assert extractors(one.document) == {0: {"model reader"}}
    assert len(server.requests) == 3
    assert Entity.objects.get(name="Halden Foods").document_count == 3


def test_without_a_server_the_rules_read(halden) -> None:
    document = read(document_of(halden))
    assert set().union(*extractors(document).values()) == {Rules.name}
    assert not ChunkExtraction.objects.exists()


def test_what_was_read_before_the_worker_was_killed_comes_into_the_graph(contracts, serve, work) -> None:
    server = serve(well)
    document = read(document_of(contracts))
    chunks = list(document.chunks.order_by("index"))
    model_reading.read_chunks(contracts, model_reading.reader_of(contracts), chunks[:2], lambda _: None)
    assert extractors(document) == {index: {Rules.name} for index in range(3)}
    choose_extractor(contracts, GraphExtractor.MODEL)
    work()
    assert len(server.requests) == 3
    assert extractors(document) == {index: {"model reader"} for index in range(3)}


def test_choosing_the_rules_ends_the_reading_and_keeps_what_was_paid_for(
    contracts, serve, work, settings, monkeypatch
) -> None:
    settings.GRAPH_CONCURRENCY = 1
    server = serve(well)
    document = read(document_of(contracts, [f"{TEXTS[0]} Part {n}." for n in range(30)]))
    choose_extractor(contracts, GraphExtractor.MODEL)
    monkeypatch.setattr(
        model_reading,
        "announce_spending",
        lambda datasource: choose_extractor(datasource, GraphExtractor.RULES),
    )
    work()
    assert 0 < len(server.requests) < 30
    read_by_model = [found for found in extractors(document).values() if "model reader" in found]
    assert len(read_by_model) == status.report(contracts).done > 0
