"""Strict datasources, masked data and earlier answers, from the question to what the asker is given."""

import asyncio
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from answering.models import Models
from answering.prompts_used import prompts_sha256
from chat import services
from chat.exports import as_json, as_markdown
from chat.models import Turn, TurnStatus
from chat.turns import turn_run
from chat.turns.run import run_turn
from chat.web.answers.rendering import anchor
from chat.web.answers.turn_view import view_of
from datasources.models import Datasource, Document, Membership, Role
from events.models import Event
from ingestion.adding.upload import accept_upload
from ingestion.models import Chunk
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.factories import add_passages
from tests.openai_server import ScriptedOpenAI, tools_reply
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)

NOTICE = "The Customer may terminate this Agreement on not less than sixty (60) days' written notice."
CONTACT = "Notices go to Jane Doe, jane.doe@arden.example, telephone +44 20 7946 0958."
PASSAGES = [
    {"title": "Termination", "text": f"2.1 {NOTICE}"},
    {"title": "Notices", "text": f"14.2 {CONTACT}"},
]
SEARCH = tools_reply(("search_literal", {"words": "may terminate this Agreement", "limit": 1}))
CONTACTS = tools_reply(("search_literal", {"words": "Notices go to Jane Doe", "limit": 1}))
CLAIM = "The Customer may terminate this Agreement on not less than sixty days' written notice"
PROVEN = f"{CLAIM} /citation[c1, {NOTICE}]."
INVENTED = f"{PROVEN} The fee is EUR 5,000 /citation[c1, The termination fee is EUR 5,000 in all cases]."
QUESTION = "How may the Customer end it?"


@pytest.fixture
def agreement(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "agreement.jsonl")
    work()
    return contracts


def written(text: str, found: str = "all") -> Any:
    return tools_reply(("answer", {"found": found, "answer": text}))


def ask(user: User, datasource: Datasource, *replies: Any, question: str = QUESTION, **options: Any) -> Turn:
    """Ask, and run the turn against scripted replies; `asked` is how many requests the model had."""
    return run(services.ask(user, datasource, question, queued=False, **options), *replies)


def run(turn: Turn, *replies: Any) -> Turn:
    with ScriptedOpenAI(list(replies)) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
        turn.asked = len(server.requests)  # type: ignore[attr-defined]
    turn.refresh_from_db()
    return turn


def choose(datasource: Datasource, **values: Any) -> None:
    services.change_answer_settings(datasource, **values)


def codes(turn: Turn) -> list[str]:
    return [notice["code"] for notice in turn.notices]


def page_of(turn: Turn, client: Client) -> str:
    client.force_login(turn.conversation.user)
    address = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    return client.get(address).content.decode()


# --- strict ------------------------------------------------------------------------------------------------
def test_a_strict_datasource_shows_passages_in_place_of_an_invented_answer(
    agreement: Datasource, alice: User, client: Client
) -> None:
    choose(agreement, strict=True)
    turn = ask(alice, agreement, SEARCH, written(INVENTED))
    assert turn.status == TurnStatus.NOT_FOUND
    assert turn.nearest
    told = as_json(turn)
    assert told["answer"] == ""
    assert "EUR 5,000" in told["withheld"]
    assert told["verdict"]["hallucinated"]
    page = page_of(turn, client)
    assert "Withheld: not all of it is proven" in page
    assert "1 of 2 claims is not proven" in page
    assert "EUR 5,000" in page
    assert "Closest passages" in page


def test_a_strict_datasource_shows_what_is_proven(agreement: Datasource, alice: User) -> None:
    choose(agreement, strict=True)
    turn = ask(alice, agreement, SEARCH, written(PROVEN))
    assert turn.status == TurnStatus.ANSWERED
    assert (turn.verdict["grounded"], turn.verdict["confidence"]) == (True, 1.0)
    assert turn.verdict["sources"] == ["Termination"]


def test_elsewhere_an_invented_claim_is_marked_and_shown(agreement: Datasource, alice: User) -> None:
    turn = ask(alice, agreement, SEARCH, written(INVENTED))
    assert turn.status == TurnStatus.ANSWERED
    assert (turn.verdict["hallucinated"], turn.verdict["invented"]) == (True, 1)


# --- personal data -----------------------------------------------------------------------------------------
TOLD = f"Write to Jane Doe at jane.doe@arden.example or +44 20 7946 0958 /citation[c1, {CONTACT}]."


def test_personal_data_is_masked_wherever_the_answer_goes(
    agreement: Datasource, alice: User, client: Client
) -> None:
    choose(agreement, personal_data="mask")
    turn = ask(alice, agreement, CONTACTS, written(TOLD))
    assert turn.status == TurnStatus.ANSWERED
    citation = turn.citations.get()
    assert citation.on_page == "exact"
    assert citation.document is not None
    assert citation.masked == ["e-mail address", "telephone number"]
    events = json.dumps(list(Event.objects.filter(channel=turn.channel).values_list("data", flat=True)))
    for seen in (turn.answer, json.dumps(as_json(turn)), as_markdown(turn), events, page_of(turn, client)):
        assert "jane.doe@" not in seen
        assert "7946" not in seen
    assert "‹e-mail address masked›" in as_markdown(turn)
    assert "masked here" in as_markdown(turn)
    client.force_login(alice)
    pane = client.get(reverse("source", args=[turn.pk, 1]), headers={"HX-Request": "true"}).content.decode()
    assert "e-mail address, telephone number. The page shows it." in " ".join(pane.split())


def test_personal_data_is_warned_of(agreement: Datasource, alice: User, client: Client) -> None:
    choose(agreement, personal_data="warn")
    turn = ask(alice, agreement, CONTACTS, written(TOLD))
    assert "jane.doe@arden.example" in turn.answer
    assert "1 e-mail address" in page_of(turn, client)


# --- earlier answers ---------------------------------------------------------------------------------------
def test_the_same_question_is_given_the_same_answer_and_says_so(
    agreement: Datasource, alice: User, client: Client
) -> None:
    first = ask(alice, agreement, SEARCH, written(PROVEN))
    again = ask(alice, agreement, question=f" {QUESTION.lower()} ")
    assert again.asked == 0  # type: ignore[attr-defined]
    assert (again.answer, again.status, again.reused_from) == (first.answer, first.status, first)
    assert view_of(again).stage == "Ready at once: nothing that the answer rests on has changed"
    assert again.citations.get().quote == first.citations.get().quote
    assert "This answer was written on" in page_of(again, client)
    assert anchor(again) in page_of(again, client)
    third = ask(alice, agreement)
    assert third.reused_from == first


def test_an_earlier_answer_can_be_passed_over(agreement: Datasource, alice: User) -> None:
    ask(alice, agreement, SEARCH, written(PROVEN))
    anew = ask(alice, agreement, SEARCH, written("Otherwise."), fresh=True)
    assert (anew.asked, anew.reused_from) == (3, None)  # type: ignore[attr-defined]


def test_a_program_can_pass_it_over_too(agreement: Datasource, alice: User) -> None:
    ask(alice, agreement, SEARCH, written(PROVEN))
    question = {"question": QUESTION, "wait": False, "fresh": True}
    told = Api(alice).post(f"data-sources/{agreement.pk}/ask", question).json()
    anew = run(Turn.objects.get(pk=told["id"]), SEARCH, written("Otherwise."))
    assert (anew.asked, anew.reused_from) == (3, None)  # type: ignore[attr-defined]


def test_asked_again_in_the_same_words_it_is_answered_anew(agreement: Datasource, alice: User) -> None:
    first = ask(alice, agreement, SEARCH, written(PROVEN))
    anew = run(services.ask_again(first, QUESTION), SEARCH, written("Otherwise."))
    assert (anew.asked, anew.reused_from) == (3, None)  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", ["added", "renamed", "left out", "settings", "mode", "documents", "off"])
def test_any_change_makes_it_a_new_question(
    agreement: Datasource, alice: User, work: Any, change: str
) -> None:
    ask(alice, agreement, SEARCH, written(PROVEN))
    options: dict[str, Any] = {}
    match change:
        case "added":
            accept_upload(agreement, alice, "more.txt", io.BytesIO(b"Something else entirely is said here."))
            work()
        case "renamed":
            Document.objects.filter(title="Termination").update(title="Ending")
        case "left out":
            Chunk.objects.filter(document__title="Termination").update(left_out=True)
        case "settings":
            choose(agreement, passages=7)
        case "mode":
            options["mode"] = "fast"
        case "documents":
            options["document_ids"] = [Document.objects.get(title="Termination").pk]
        case "off":
            choose(agreement, remember=False)
    anew = ask(alice, agreement, SEARCH, written(PROVEN), **options)
    assert (anew.asked, anew.reused_from) == (2, None)  # type: ignore[attr-defined]


def test_a_deleted_answer_is_forgotten(agreement: Datasource, alice: User) -> None:
    first = ask(alice, agreement, SEARCH, written(PROVEN))
    services.delete_conversation(first.conversation)
    assert ask(alice, agreement, SEARCH, written(PROVEN)).reused_from is None


def test_what_was_said_in_one_conversation_is_no_answer_in_that_of_another(
    agreement: Datasource, alice: User, bob: User
) -> None:
    Membership.objects.get_or_create(datasource=agreement, user=bob, defaults={"role": Role.VIEWER})
    said = [{"role": "user", "content": "I am Alice."}, {"role": "assistant", "content": "Hello Alice."}]
    ask(alice, agreement, SEARCH, written(PROVEN), earlier=said)
    other = [{"role": "user", "content": "I am Bob."}, {"role": "assistant", "content": "Hello Bob."}]
    assert ask(bob, agreement, SEARCH, written(PROVEN), earlier=other).reused_from is None


def test_people_with_the_same_rights_share_an_answer_that_tells_of_nobody(
    agreement: Datasource, alice: User, bob: User
) -> None:
    Membership.objects.get_or_create(datasource=agreement, user=bob, defaults={"role": Role.VIEWER})
    first = ask(alice, agreement, SEARCH, written(PROVEN))
    assert ask(bob, agreement).reused_from == first


def test_an_answer_keeps_the_hash_of_the_prompts_that_it_was_written_with(
    agreement: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ask(alice, agreement, SEARCH, written(PROVEN))
    assert first.prompts == prompts_sha256()
    monkeypatch.setattr(turn_run, "prompts_sha256", lambda: "0" * 64)  # those of a later SVQ
    repeated = ask(alice, agreement)
    assert (repeated.reused_from, repeated.prompts) == (first, first.prompts)


def test_an_answer_that_was_cut_short_is_not_given_again(agreement: Datasource, alice: User) -> None:
    choose(agreement, tokens=1)
    cut = ask(alice, agreement, SEARCH, written(PROVEN))
    assert "tokens_spent" in codes(cut)
    assert ask(alice, agreement, SEARCH, written(PROVEN)).reused_from is None


@pytest.mark.parametrize(
    ("said", "reply"), [("Hello!", "What would you like to know"), ("Thanks!", "re welcome. What else?")]
)
def test_a_greeting_is_no_question(
    said: str, reply: str, agreement: Datasource, alice: User, client: Client
) -> None:
    turn = ask(alice, agreement, question=said)
    assert (turn.status, turn.asked) == (TurnStatus.ANSWERED, 0)  # type: ignore[attr-defined]
    page = page_of(turn, client)
    assert reply in page
    assert "without a source" not in page
