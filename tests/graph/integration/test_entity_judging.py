"""A chat model decides about names that score alone leaves open: once, and after people."""

import json
import re
from typing import Any

import pytest

from datasources.models import Datasource, Document, DocumentStatus
from graph.curation import services
from graph.curation.judging import judge
from graph.extraction.llm.budget import spend
from graph.models import Entity, GraphExtractor, GraphSettings, MergeCandidate, PairVerdict
from graph.services import set_budget
from tests.graph.corpus import delete, picture, upload
from tests.openai_server import ScriptedReply, error_reply, text_reply

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_waiting")]

FIRST = "Jon Hartwell chairs the board. Jon Hartwell lives in Leeds."
SECOND = "The board thanked J. Hartwell. Since then, J. Hartwell has moved from Leeds to York."


@pytest.fixture
def board(contracts: Datasource) -> Datasource:
    GraphSettings.objects.create(datasource=contracts, extractor=GraphExtractor.MODEL)
    return contracts


def names_of(request: dict[str, Any]) -> list[tuple[str, str]]:
    """The pairs of names that the model is asked about."""
    sides = re.findall(r"^[AB]: (.*) \(.*\)$", request["messages"][1]["content"], re.MULTILINE)
    return list(zip(sides[::2], sides[1::2], strict=True))


def says(verdict: str) -> Any:
    def script(request: dict[str, Any]) -> ScriptedReply:
        numbers = range(1, len(names_of(request)) + 1)
        answer = {"answers": [{"pair": number, "verdict": verdict} for number in numbers]}
        return text_reply(json.dumps(answer), usage=(100, 10))

    return script


def ask(datasource: Datasource) -> bool:
    return judge(datasource, lambda: None)


def entities(datasource: Datasource) -> int:
    """How many persons the Hartwells are."""
    return Entity.objects.filter(datasource=datasource, names__key__contains="hartwell").distinct().count()


def test_the_model_makes_two_names_one(board, serve):
    server = serve(says("same"))
    upload(board, FIRST, SECOND)
    assert entities(board) == 2
    assert ask(board)
    assert entities(board) == 1
    (request,) = server.requests
    assert names_of(request) == [("J. Hartwell", "Jon Hartwell")]
    assert "chairs the board" in request["messages"][1]["content"]
    assert not MergeCandidate.objects.filter(datasource=board).exists()
    assert spend(board).tokens == 110


def test_the_model_keeps_two_names_apart_and_nobody_is_asked_again(board, serve):
    server = serve(says("different"))
    upload(board, FIRST, SECOND)
    ask(board)
    assert entities(board) == 2
    assert not MergeCandidate.objects.filter(datasource=board).exists()
    ask(board)
    assert len(server.requests) == 1


def test_what_the_model_is_unsure_of_stays_with_people_and_is_paid_once(board, serve):
    server = serve(says("unsure"))
    upload(board, FIRST, SECOND)
    ask(board)
    ask(board)
    assert entities(board) == 2
    assert MergeCandidate.objects.filter(datasource=board).count() == 1
    assert len(server.requests) == 1


def test_a_person_overrules_the_model(board, serve):
    serve(says("same"))
    upload(board, FIRST, SECOND)
    ask(board)
    one, two = Entity.objects.get(datasource=board, names__key="jon hartwell").names.order_by("key")
    services.keep_apart(one, two)
    assert entities(board) == 2


def test_an_answer_that_can_not_be_read_and_a_failing_server_change_nothing(board, serve):
    serve([text_reply("I think so."), text_reply("Perhaps."), error_reply(400, "no"), error_reply(400, "no")])
    upload(board, FIRST, SECOND)
    before = picture(board)
    assert not ask(board)
    assert not ask(board)
    assert picture(board) == before


def test_a_model_that_was_disconnected_meanwhile_is_not_asked(board):
    upload(board, FIRST, SECOND)
    assert not ask(board)
    assert entities(board) == 2


def test_the_budget_stops_the_asking(board, serve):
    server = serve(says("same"))
    set_budget(board, tokens=10, money=None)
    upload(board, FIRST, SECOND)
    ask(board)
    assert server.requests == []
    assert entities(board) == 2


def test_a_restart_asks_only_what_has_no_answer(board, serve):
    server = serve(says("same"))
    pairs = [
        f"{first} {last}" for first in ("Alma", "Bert", "Cora") for last in ("Quill", "Roth", "Stone", "Tull")
    ]
    upload(board, *(f"{name} wrote to {name[0]}. {name.split()[1]}, who is somebody." for name in pairs))

    class Killed(Exception):
        pass

    calls = iter(range(100))

    def killed_after_the_first_answer() -> None:
        if PairVerdict.objects.exists() and next(calls) >= 0:
            raise Killed

    with pytest.raises(Killed):
        judge(board, killed_after_the_first_answer)
    ask(board)
    asked = [pair for request in server.requests for pair in names_of(request)]
    assert len(asked) == len(set(asked))
    assert PairVerdict.objects.count() == len(asked)


def test_a_verdict_goes_with_a_document_that_it_was_based_on(board, serve):
    serve(says("same"))
    first, second = upload(board, FIRST, SECOND)
    ask(board)
    delete(board, second)
    assert not PairVerdict.objects.exists()
    other = upload(board, SECOND)[0]
    assert entities(board) == 2
    delete(board, first, other)
    assert not Entity.objects.filter(datasource=board).exists()


def test_other_words_about_a_name_are_another_question(board, serve):
    server = serve(says("different"))
    upload(board, FIRST, SECOND)
    ask(board)
    more = upload(board, "Jon Hartwell, a lawyer, signs as J. Hartwell.")
    ask(board)
    assert len(server.requests) == 2
    delete(board, *more)
    before = picture(board)
    ask(board)
    assert len(server.requests) == 2  # the first answer holds again
    assert picture(board) == before


def test_an_upload_has_the_names_judged_in_the_background(board, serve, work):
    def script(request: dict[str, Any]) -> ScriptedReply:
        if "Pair 1" in request["messages"][1]["content"]:
            return says("same")(request)
        text = request["messages"][1]["content"]
        names = [name for name in ("Jon Hartwell", "J. Hartwell") if name in text]
        things = [
            {"name": name, "types": ["PERSON"], "description": f"{name} is on the board."} for name in names
        ]
        return text_reply(json.dumps({"entities": things, "relations": [], "keywords": []}))

    serve(script)
    from tests.graph.reading_model import document_of, read

    read(document_of(board, [FIRST], title="First"))
    read(document_of(board, [SECOND], title="Second"))
    work()
    assert entities(board) == 1
    assert not Document.objects.exclude(status=DocumentStatus.READY).exists()
