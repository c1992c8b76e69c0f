"""The pages that ask: what was asked elsewhere, and a question whose sender is signed out."""

from urllib.parse import parse_qs, urlsplit

from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat import services
from chat.models import Turn
from datasources.models import Datasource
from tests.factories import make_document, make_turn


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_questions_asked_elsewhere_are_sent_from_the_given_number_on(
    contracts: Datasource, alice: User, bob: User
) -> None:
    first = make_turn(alice, make_document(contracts), "First?")
    address = reverse("newer_questions", args=[contracts.pk, first.conversation_id])
    alices = signed_in(alice)
    assert alices.get(address, {"after": 1}).status_code == 204
    Turn.objects.create(conversation=first.conversation, number=2, question="Second?", status="stopped")
    answer = alices.get(address, {"after": 1}).content.decode()
    assert "Second?" in answer
    assert "First?" not in answer.partition("conversation-list")[0]
    assert alices.get(address, {"after": "x" * 50}).status_code == 200
    assert alices.get(address, {"after": 10**17}).status_code == 204
    assert signed_in(bob).get(address).status_code == 404


def test_a_signed_out_question_is_in_its_box_after_signing_in(contracts: Datasource, alice: User) -> None:
    make_document(contracts)
    client = Client()
    question = "Who keeps the keys & why?"
    sent = client.post(reverse("ask_new", args=[contracts.pk]), {"question": question})
    assert sent.status_code == 302
    after = parse_qs(urlsplit(sent["Location"]).query)["next"][0]
    client.force_login(alice)
    page = client.get(after)
    assert page.status_code == 200
    assert "Who keeps the keys &amp; why?" in page.content.decode()


def test_a_conversation_is_not_kept_by_the_browser(contracts: Datasource, alice: User) -> None:
    turn = make_turn(alice, make_document(contracts))
    page = signed_in(alice).get(reverse("conversation", args=[contracts.pk, turn.conversation_id]))
    assert "no-store" in page["Cache-Control"]


def test_a_title_that_is_too_long_is_refused_whole(contracts: Datasource, alice: User) -> None:
    turn = make_turn(alice, make_document(contracts), "Kept")
    rename = reverse("rename_conversation", args=[contracts.pk, turn.conversation_id])
    answer = signed_in(alice).post(rename, {"title": "x" * 201})
    assert answer.status_code == 422
    assert "The title has 201 characters; the limit is 200." in answer.content.decode()
    assert "x" * 201 in answer.content.decode(), "what was typed stays"
    turn.conversation.refresh_from_db()
    assert turn.conversation.title == "Kept"


def test_the_pencil_has_its_place_while_the_answer_is_written(contracts: Datasource, alice: User) -> None:
    turn = services.ask(alice, contracts, "How long?")
    address = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    page = signed_in(alice).get(address).content.decode()
    assert 'aria-busy="true"' in page
    assert page.count('class="me-a"') == 1
    assert "Edit the question and ask again" in page
