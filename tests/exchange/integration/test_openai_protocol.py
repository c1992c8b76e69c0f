"""SVQ as a model, as OpenAI's own client library uses it: against a real web server and worker."""

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
from chat.models import Turn, TurnStatus
from datasources.models import Datasource
from datasources.services import create_datasource
from exchange.openai.completions import content_of, failure_of
from tests.browser import Live, wait_until
from tests.factories import make_document, make_turn

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)

TEXT = "Orrin Vale kept the lighthouse of Saltmere for forty years."
QUESTION: Any = {"role": "user", "content": "Who kept the lighthouse of Saltmere?"}


CLIENTS: list[OpenAI] = []


@pytest.fixture(autouse=True)
def _clients_are_closed() -> Iterator[None]:
    yield
    while CLIENTS:
        CLIENTS.pop().close()


@pytest.fixture
def town(contracts: Datasource) -> Datasource:
    make_document(contracts, "Keeper", TEXT)
    return contracts


def client_of(live: Live, person: User, *scopes: TokenScope, only: list[int] | None = None) -> OpenAI:
    given = list(scopes) or [TokenScope.ASK]
    _, secret = make_token(
        person, name=f"t{person.api_tokens.count()}", scopes=given, datasource_ids=only, days=1
    )
    return connected(live, secret)


def connected(live: Live, secret: str) -> OpenAI:
    CLIENTS.append(OpenAI(base_url=f"{live.base_url}/v1", api_key=secret, max_retries=0, timeout=60))
    return CLIENTS[-1]


def model_of(datasource: Datasource) -> str:
    return f"svq-{datasource.pk}"


def test_datasources_are_models_of_those_who_may_see_them(
    live: Live, town: Datasource, alice: User, charlie: User
) -> None:
    foreign = create_datasource(charlie, "Foreign")
    client = client_of(live, alice)
    assert [(model.id, model.owned_by) for model in client.models.list()] == [(model_of(town), "svq")]
    assert client.models.retrieve(model_of(town)).model_dump()["name"] == "Contracts"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve(model_of(foreign))
    with pytest.raises(openai.NotFoundError, match="nothing here that you may see"):
        client.chat.completions.create(model=model_of(foreign), messages=[QUESTION])


@pytest.mark.parametrize("model", ["svq-{}", "{}", "Contracts"])
def test_an_answer_has_its_sources_as_links_and_annotations(
    live: Live, town: Datasource, alice: User, model: str
) -> None:
    client = client_of(live, alice)
    told = client.chat.completions.create(
        model=model.format(town.pk),
        messages=[QUESTION],
        temperature=0.2,
    )
    (choice,) = told.choices
    content = choice.message.content
    assert content
    assert TEXT in content.replace("> ", "")
    assert choice.finish_reason == "stop"
    turn = Turn.objects.latest("created")
    link = f"/turn/{turn.pk}/source/1/"
    assert "[[1]](http" in content
    assert link in content
    assert "1. [Keeper, page 1](" in content
    assert choice.message.annotations
    (annotation, *_) = choice.message.annotations
    place = annotation.url_citation
    assert content[place.start_index : place.end_index].startswith("[[1]](")
    assert (place.title, place.url.endswith(link)) == ("Keeper, page 1", True)
    assert told.usage
    assert told.usage.total_tokens == told.usage.prompt_tokens + told.usage.completion_tokens


def test_a_stream_tells_what_is_done_then_the_same_answer(live: Live, town: Datasource, alice: User) -> None:
    client = client_of(live, alice)
    stream = client.chat.completions.create(
        model=model_of(town),
        messages=[QUESTION],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    content = "".join(delta.content or "" for delta in deltas)
    assert TEXT in content.replace("> ", "")
    assert "Sources:" in content
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert deltas[-1].model_dump()["annotations"][0]["type"] == "url_citation"
    assert chunks[-1].usage
    assert not chunks[-1].choices
    assert len({chunk.id for chunk in chunks}) == 1


def test_what_was_said_before_is_passed_on_and_the_systems_words_are_not(
    live: Live, town: Datasource, alice: User
) -> None:
    parts = [{"type": "text", "text": "And for how long?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    messages: list[Any] = [
        {"role": "system", "content": "Answer in rhymes."},
        QUESTION,
        {"role": "assistant", "content": "Orrin Vale."},
        {"role": "user", "content": parts},
    ]
    client_of(live, alice).chat.completions.create(model=model_of(town), messages=messages)
    turn = Turn.objects.latest("created")
    assert turn.question == "And for how long?"
    assert turn.earlier == [QUESTION, {"role": "assistant", "content": "Orrin Vale."}]


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "system", "content": "Be brief."}],
        [QUESTION, {"role": "assistant", "content": "Orrin Vale."}],
        [{"role": "user", "content": "x" * 4_001}],
        [{"role": "user", "content": {"text": "Who?"}}],
    ],
    ids=["none", "system alone", "ends with an answer", "too long", "no text"],
)
def test_a_request_without_a_question_is_refused_in_words(
    live: Live, town: Datasource, alice: User, messages: list[Any]
) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        client_of(live, alice).chat.completions.create(model=model_of(town), messages=messages)
    assert isinstance(refused.value.body, dict)
    assert len(refused.value.body["message"]) > 20
    assert not Turn.objects.exists()


def test_who_may_not_ask_is_refused(live: Live, town: Datasource, alice: User) -> None:
    with pytest.raises(openai.AuthenticationError):
        connected(live, "svq_wrong").models.list()
    reader = client_of(live, alice, TokenScope.READ)
    with pytest.raises(openai.PermissionDeniedError):
        reader.chat.completions.create(model=model_of(town), messages=[QUESTION])
    assert not Turn.objects.exists()


def test_a_token_of_one_datasource_reaches_no_other(live: Live, town: Datasource, alice: User) -> None:
    other = create_datasource(alice, "Other")
    client = client_of(live, alice, only=[other.pk])
    assert [model.id for model in client.models.list()] == [model_of(other)]
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(model=model_of(town), messages=[QUESTION])
    assert not Turn.objects.exists()


def test_odd_letters_in_earlier_messages_break_nothing(live: Live, town: Datasource, alice: User) -> None:
    messages: list[Any] = [{"role": "user", "content": "a\0b"}, QUESTION]
    told = client_of(live, alice).chat.completions.create(
        model=model_of(town), messages=messages, stream=None
    )
    assert told.choices
    assert Turn.objects.get().earlier == [{"role": "user", "content": "ab"}]


def test_passages_in_place_of_an_answer_come_with_the_reason(town: Datasource, alice: User) -> None:
    notice = {"code": "model_failed", "text": "The model went round in circles."}
    turn = make_turn(
        alice,
        town.documents.get(),
        status=TurnStatus.QUOTES,
        quotes_only=True,
        error_code="model_loops",
        notices=[notice],
    )
    assert failure_of(turn) is None
    content = content_of(turn)
    assert content.startswith("Passages that may answer.")
    assert "The model went round in circles." in content
    Turn.objects.update(status=TurnStatus.FAILED, error_message="The server is away.", answer="")
    turn.refresh_from_db()
    failure = failure_of(turn)
    assert failure
    assert failure["error"]["message"] == "The server is away."


def test_an_unknown_address_is_answered_for_programs(live: Live) -> None:
    answer = httpx.post(f"{live.base_url}/v1/embeddings", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_hanging_up_stops_the_answer(live: Live, town: Datasource, alice: User) -> None:
    live.stop_worker()  # nobody answers
    secret = client_of(live, alice).api_key
    body = {"model": model_of(town), "messages": [QUESTION], "stream": True}
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.stream(
        "POST", f"{live.base_url}/v1/chat/completions", json=body, headers=headers, timeout=30
    ) as told:
        assert b"reasoning_content" in next(told.iter_bytes())
    wait_until(lambda: Turn.objects.get().status == TurnStatus.STOPPED, "the stop")
    live.start()
