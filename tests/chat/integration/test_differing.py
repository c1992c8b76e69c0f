"""Documents that answer one question differently, with a model and without one."""

import asyncio
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from answering.models import Models, quotes_model
from answering.values.personal_data import PersonalData
from chat import services
from chat.exports import as_json, as_markdown
from chat.models import AnswerSettings, Turn
from chat.notebook import keep_answer
from chat.turns.run import run_turn
from chat.web.stream import snapshot
from datasources.models import Datasource
from exchange.mcp.tools.ask import outcome
from ingestion.lifecycle.deletion import delete
from memos.services import make_memo
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.factories import add_passages
from tests.openai_server import ScriptedOpenAI, ScriptedReply, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = "The Supplier shall back up Customer Data every night and shall keep each backup for 35 days."
PREVAILS = "If this Agreement conflicts with anything stated in a questionnaire, this Agreement prevails."
PASSAGES = [
    {
        "title": "Master services agreement",
        "text": f"1.2 {PREVAILS}\n\n12.2 {KEPT} It tests a restoration each quarter.",
    },
    {
        "title": "Security questionnaire",
        "text": "How long do you keep backups? Nightly backups are kept for 90 days.",
    },
    {"title": "Lecture notes", "text": "An inverted index maps each term to the documents that contain it."},
]
QUESTION = "How long are backups kept?"


@pytest.fixture
def agreement(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "agreement.jsonl")
    work()
    return contracts


def ask(
    user: User, datasource: Datasource, question: str = QUESTION, script: Any = None, **options: Any
) -> Turn:
    turn = services.ask(user, datasource, question, queued=False, **options)
    if script is None:
        asyncio.run(run_turn(turn.pk, Models(answers=quotes_model(), embedder=embedder())))
    else:
        with ScriptedOpenAI(script) as server:
            model = OpenAIChat(server.base_url, "k", "scripted", 60)
            asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    turn.refresh_from_db()
    return turn


def sides(turn: Turn) -> list[tuple[str, str]]:
    """The document and the value of each side."""
    values = []
    for side in turn.differ["sides"]:
        citation = turn.citations.get(n=side["citation"])
        start, end = side["value"]
        values.append((citation.document_title, citation.quote[start:end]))
    return values


BOTH = [("Master services agreement", "35 days"), ("Security questionnaire", "90 days")]


def test_without_a_model_both_documents_are_quoted_and_the_sentence_that_ranks_them(
    agreement: Datasource, alice: User
) -> None:
    turn = ask(alice, agreement)
    assert sorted(sides(turn)) == BOTH
    ranked = turn.citations.get(n=turn.differ["ranked_by"])
    assert PREVAILS in ranked.quote


def test_a_question_in_another_language_is_told_that_the_documents_differ(
    agreement: Datasource, alice: User
) -> None:
    turn = ask(alice, agreement, "Wie lange werden Backups aufbewahrt?")
    assert sorted(sides(turn)) == BOTH
    assert PREVAILS in turn.citations.get(n=turn.differ["ranked_by"]).quote


GERMAN = [
    {
        "title": "Rahmenvertrag Nordlicht",
        "text": "Die Kündigungsfrist des Vertrags mit Nordlicht beträgt drei Monate.",
    },
    {
        "title": "Nachtrag Nordlicht",
        "text": "Für den Vertrag mit der Firma Nordlicht ist die Kündigungsfrist sechs Monate.",
    },
    {
        "title": "Hausordnung",
        "text": "Die Nachtruhe im Haus der Firma beginnt jeden Abend um 22 Uhr, auch am Sonntag.",
    },
]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Wie lang ist die Kündigungsfrist?", ["drei Monate", "sechs Monate"]),
        ("Wer hat die Kündigungsfrist festgelegt?", []),
    ],
)
def test_documents_in_another_language_differ_in_a_figure_that_is_asked_for(
    contracts: Datasource, alice: User, work: Any, question: str, values: list[str]
) -> None:
    add_passages(contracts, alice, GERMAN, "vertraege.jsonl")
    work()
    turn = ask(alice, contracts, question)
    assert sorted(value for _, value in sides(turn)) == values if values else not turn.differ


def test_a_follow_up_about_something_else_shows_neither_the_earlier_answer_nor_its_card(
    agreement: Datasource, alice: User, work: Any
) -> None:
    add_passages(
        agreement,
        alice,
        [{"title": "Restoring", "text": "3.1 The auditor Mary Chen signs the record of each restoration."}],
        "restoring.jsonl",
    )
    work()
    first = ask(alice, agreement)
    assert first.differ
    turn = ask(alice, agreement, "And who signs it?", conversation=first.conversation)
    assert [citation.document_title for citation in turn.citations.all()] == ["Restoring"]
    assert not turn.differ


UNSURE = [
    {
        "title": "Services agreement",
        "text": "8.1 The account manager of the Supplier is Bo Hill.",
    },
    {
        "title": "Welcome letter",
        "text": "All complaints go to Ann Lee, who has been the manager of your account since May.",
    },
]


def test_what_another_document_may_say_otherwise_is_quoted_without_a_card(
    contracts: Datasource, alice: User, work: Any
) -> None:
    add_passages(contracts, alice, UNSURE, "unsure.jsonl")
    work()
    turn = ask(alice, contracts, "Who is the account manager of the Supplier?")
    assert not turn.differ
    quotes = [citation.quote for citation in turn.citations.all()]
    assert "Bo Hill" in quotes[0]
    assert any("Ann Lee" in quote for quote in quotes[1:])


def test_what_a_model_leaves_out_is_quoted_below_its_answer(agreement: Datasource, alice: User) -> None:
    search = ("search_chunks", {"query": "backups are kept", "limit": 5})

    def script(request: dict[str, Any]) -> ScriptedReply:
        read = request["messages"][-1]["content"]
        if (found := re.search(r'"key": "(c\d+)", "document": "Master', read, re.DOTALL)) is None:
            return tools_reply(search)
        cited = f"Backups are kept for 35 days /citation[{found[1]}, {KEPT}]."
        return tools_reply(("answer", {"found": "all", "answer": cited}))

    turn = ask(alice, agreement, script=script)
    assert turn.answer.startswith("Backups are kept for 35 days")
    assert sides(turn) == BOTH
    assert as_json(turn)["unsourced"] == 0


@pytest.fixture
def differing(agreement: Datasource, alice: User) -> Turn:
    """An answer whose documents say 35 and 90 days."""
    turn = ask(alice, agreement)
    assert sorted(sides(turn)) == BOTH
    return turn


def card_of(turn: Turn, client: Client) -> str:
    """The text of the card on the page of the conversation; empty without one."""
    client.force_login(turn.conversation.user)
    page = client.get(f"/d/{turn.conversation.datasource_id}/chat/{turn.conversation_id}/").content.decode()
    found = re.search(r'<section class="dfr".*?</section>', page, re.DOTALL)
    return " ".join(strip_tags(found[0]).split()) if found else ""


def test_the_page_shows_both_values_and_the_sentence_beside_each_other(
    differing: Turn, client: Client
) -> None:
    text = card_of(differing, client)
    assert text.startswith("Two documents give different figures SVQ compared their words")
    first, _, second = text.partition("≠")
    (title, value), (other_title, other_value) = BOTH
    assert f"{title} On the page {value}" in first
    assert f"{other_title} On the page {other_value}" in second
    assert "A sentence in Master services agreement may rank the two." in second
    assert "Whether it decides is yours to judge." in second
    assert PREVAILS in second


def test_the_document_that_says_it_prevails_stands_first(differing: Turn, client: Client) -> None:
    card = card_of(differing, client)
    assert card.index("Master services agreement") < card.index("Security questionnaire")
    one, other = differing.differ["sides"]
    differing.differ["sides"] = [other, one]
    differing.save()
    assert card_of(differing, client).index("35 days") < card_of(differing, client).index("90 days")


def test_a_page_that_waited_for_the_answer_gets_the_card(differing: Turn) -> None:
    html, _ = snapshot(differing.channel, differing.conversation.user)
    (place,) = re.findall(
        r'<div class="dfr-o" id="\w+-differ" hx-swap-oob="morph">(.*?)</section>', html, re.DOTALL
    )
    assert "35 days" in place
    assert "90 days" in place


def test_whoever_keeps_the_answer_keeps_what_differs(differing: Turn, client: Client) -> None:
    note = keep_answer(differing.conversation.user, differing)
    memo = make_memo(differing.conversation.user, differing.conversation.datasource, [note.pk])
    for text in (note.text, memo.text):
        first, second = (value for _title, value in BOTH)
        assert f"Two documents give different figures: “{first}”" in text
        assert f"“{second}”" in text


def test_where_nothing_ranks_them_the_page_says_so(differing: Turn, client: Client) -> None:
    del differing.differ["ranked_by"]
    differing.save()
    text = card_of(differing, client)
    assert text.endswith(
        "Nothing found that ranks them. Whether both speak of the same thing is yours to judge."
    )
    assert "may rank the two" not in text


def test_of_a_yes_and_a_no_the_whole_sentences_are_shown(differing: Turn, client: Client) -> None:
    for side in differing.differ["sides"]:
        side["value"] = [0, len(differing.citations.get(n=side["citation"]).quote)]
    differing.differ["kind"] = "polarity"
    differing.save()
    text = card_of(differing, client)
    assert text.startswith("Two documents give different answers")
    for side in differing.differ["sides"]:
        assert text.count(" ".join(differing.citations.get(n=side["citation"]).quote.split())) == 1


def test_a_quote_that_was_masked_since_is_not_compared(differing: Turn, client: Client) -> None:
    side = differing.differ["sides"][0]
    said = differing.citations.get(n=side["citation"])
    said.quote = said.quote.replace("backup", "[hidden]", 1)
    said.save()
    assert card_of(differing, client) == ""


def test_where_personal_data_is_masked_no_lines_around_the_quote_are_drawn(
    differing: Turn, client: Client
) -> None:
    AnswerSettings.objects.update_or_create(
        datasource=differing.conversation.datasource, defaults={"personal_data": PersonalData.MASK}
    )
    text = card_of(differing, client)
    assert "35 days" in text
    client.force_login(differing.conversation.user)
    page = client.get(f"/d/{differing.conversation.datasource_id}/chat/{differing.conversation_id}/")
    assert "/crop" not in page.content.decode().split('class="dfr"')[1].split("</section>")[0]


def test_words_of_documents_are_shown_as_they_are(differing: Turn, client: Client) -> None:
    """Nothing in a title or a quote becomes a part of the page or of the Markdown."""
    one, _ = differing.differ["sides"]
    quote = "Kept for <b>35 days</b> [9](http://a.example)."
    differing.citations.filter(n=one["citation"]).update(quote=quote, document_title="<i>Terms</i>")
    one |= {"value": [quote.index("<b>"), quote.index(".", 40)], "of": len(quote)}
    differing.save()
    client.force_login(differing.conversation.user)
    conversation = differing.conversation
    page = client.get(f"/d/{conversation.datasource_id}/chat/{conversation.pk}/").content.decode()
    assert '<p class="dfr-v" dir="auto">&lt;b&gt;35 days&lt;/b&gt; [9](http://a' in page
    assert "<i>Terms</i>" not in page
    assert "[9](http" not in as_markdown(differing)


@pytest.mark.parametrize("place", [0, 1])
def test_of_a_deleted_document_nothing_is_compared(
    differing: Turn, alice: User, client: Client, place: int
) -> None:
    said = differing.citations.get(n=differing.differ["sides"][place]["citation"])
    assert said.document
    delete(said.document, alice)
    differing.refresh_from_db()
    assert card_of(differing, client) == ""
    assert as_json(differing)["differ"] is None
    assert "different figures" not in as_markdown(differing)


def test_a_value_that_the_quote_no_longer_has_there_is_not_shown(differing: Turn, client: Client) -> None:
    one, other = (side["citation"] for side in differing.differ["sides"])
    differing.citations.filter(n=one).update(quote="[e-mail address]")
    assert card_of(differing, client) == ""
    assert other != one


def test_programs_and_files_get_both_values_and_what_ranks_them(differing: Turn) -> None:
    one, other = differing.differ["sides"]
    (_, value), (_, other_value) = sides(differing)
    ranked_by = differing.differ["ranked_by"]
    assert as_json(differing)["differ"] == {
        "kind": "duration",
        "sides": [
            {"citation": one["citation"], "value": value},
            {"citation": other["citation"], "value": other_value},
        ],
        "ranked_by": ranked_by,
    }
    cited = {value: one["citation"], other_value: other["citation"]}
    said = (
        f"Two documents give different figures: “35 days” [{cited['35 days']}], "
        f"“90 days” [{cited['90 days']}]. A sentence that may rank them: [{ranked_by}]."
    )
    assert said in as_markdown(differing).splitlines()


def test_a_program_that_asks_over_mcp_is_told(differing: Turn) -> None:
    status, said = outcome(differing, differing.conversation.user)
    assert status == 200
    assert "Two documents give different figures: “" in said["text"]
    assert {side["value"] for side in said["data"]["differ"]["sides"]} == {"35 days", "90 days"}


CLAUSE = (
    "15.2 The Customer may end this Agreement by giving the Supplier not less than 180 days' written notice."
)
CHANGE = (
    '2.1 Clause 15.2 of the Agreement is deleted and replaced with: "15.2 The Customer may end this '
    "Agreement by giving not less than 90 days' written notice.\""
)


def test_a_clause_and_its_change_are_two_versions_with_their_days(
    contracts: Datasource, alice: User, work: Any, client: Client
) -> None:
    begins = "This Agreement is made on 3 February 2025 between Arden and Brandt."
    changes = "This Amendment amends the Master Services Agreement and takes effect on 1 January 2026."
    passages = [
        {"title": "Master Services Agreement", "text": f"{begins}\n\n{CLAUSE}"},
        {"title": "Amendment No. 1", "text": f"{changes}\n\n{CHANGE}"},
    ]
    add_passages(contracts, alice, passages, "agreement.jsonl")
    work()
    turn = ask(alice, contracts, "How much notice must the Customer give?")
    client.force_login(alice)
    shown = client.get(f"/d/{contracts.pk}/chat/{turn.conversation_id}/").content.decode()
    card = " ".join(strip_tags(shown[shown.index('class="dfr"') :]).split())
    assert "One clause, two versions Clause 15.2." in card
    assert "3 February 2025 1 January 2026, Amendment No. 1 today" in card
    assert card.index("Before Amendment No. 1") < card.index("180 days") < card.index("90 days")
    assert "Amendment No. 1 says itself that it changes clause 15.2." in card
    before, after = (turn.citations.get(quote__contains=days).n for days in ("180 days", "90 days"))
    assert (
        f"One clause, two versions: “180 days” [{before}], “90 days” [{after}]. "
        "Amendment No. 1 says itself that it changes clause 15.2. SVQ found that by its words."
    ) in as_markdown(turn)
