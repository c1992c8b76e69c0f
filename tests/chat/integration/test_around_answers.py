"""What surrounds an answer: branches, thumbs, instructions of one's own, the notebook."""

import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from markdown_it import MarkdownIt

from accounts.models import User
from answering.state.conversation import messages
from answering.state.work import Asked, Means, Work
from chat import services
from chat.branches import branches_of
from chat.models import Feedback, Instructions, Note, Turn, TurnStatus
from chat.turns.run import _history
from chat.web.answers import rendering
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from tests.factories import TEXT, make_document, make_turn
from tests.people import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    return make_turn(alice, document)


def follow(turn: Turn, question: str) -> Turn:
    """A next question, answered."""
    asked = services.ask(
        turn.conversation.user,
        turn.conversation.datasource,
        question,
        conversation=turn.conversation,
        queued=False,
    )
    asked.write(status=TurnStatus.ANSWERED, answer=f"About {question}")
    return asked


def page_of(of: Turn, **asked: Any) -> str:
    address = reverse("conversation", args=[of.conversation.datasource_id, of.conversation_id])
    page = browser_of(of.conversation.user).get(address, asked)
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


# --- branches --------------------------------------------------------------------------------------------
def test_an_edited_question_begins_a_branch_and_the_old_one_stays(turn: Turn) -> None:
    second = follow(turn, "And in the first region?")
    edited = services.ask_again(second, "And in the second region?")
    edited.write(status=TurnStatus.ANSWERED, answer="There as well.")
    page = page_of(turn)
    assert "And in the second region?" in page
    assert "And in the first region?" not in page
    assert "2 of 2" in page
    old = page_of(turn, turn=second.number)
    assert "And in the first region?" in old
    assert "And in the second region?" not in old
    assert f"?turn={edited.number}" in old


def test_a_branch_goes_on_where_its_reader_is(turn: Turn) -> None:
    second = follow(turn, "First version?")
    services.ask_again(second, "Second version?").write(status=TurnStatus.ANSWERED)
    client, conversation = browser_of(turn.conversation.user), turn.conversation
    assert f'name="after" value="{second.number}"' in page_of(turn, turn=second.number)
    client.post(
        reverse("ask", args=[conversation.datasource_id, conversation.pk]),
        {"question": "And then?", "after": second.number},
    )
    assert branches_of(conversation).path() == [1, 2, 4]
    assert "First version?" in page_of(turn)


def test_a_model_hears_its_own_branch_alone(turn: Turn) -> None:
    second = follow(turn, "First version?")
    other = services.ask_again(second, "Second version?")
    other.write(status=TurnStatus.ANSWERED, answer="Two")
    third = follow(turn, "And then?")
    heard = [message.content for message in _history(third)]
    assert "Second version?" in heard
    assert "First version?" not in heard
    assert turn.question in heard


def test_even_the_first_question_can_be_edited(turn: Turn) -> None:
    follow(turn, "More?")
    again = services.ask_again(turn, "How long, in days?")
    again.write(status=TurnStatus.ANSWERED)
    assert branches_of(turn.conversation).path() == [3]
    assert branches_of(turn.conversation).versions(1) == [1, 3]
    assert branches_of(turn.conversation).path(2) == [1, 2]


def test_asking_again_is_refused_with_words(turn: Turn, bob: User) -> None:
    client = browser_of(turn.conversation.user)
    address = reverse("ask_again", args=[turn.pk])
    assert turn.question in client.get(address).content.decode()
    refused = client.post(address, {"question": " "})
    assert refused.status_code == 422
    assert "There is no question" in refused.content.decode()
    assert "cannot be chosen here" in client.post(address, {"question": "Q?", "model": "77"}).content.decode()
    assert browser_of(bob).post(address, {"question": "Mine?"}).status_code == 404
    went = client.post(address, {"question": "In days?"})
    conversation = turn.conversation
    there = reverse("conversation", args=[conversation.datasource_id, conversation.pk])
    assert went["Location"].startswith(f"{there}?turn=2")


def test_a_question_that_does_not_exist_is_not_followed(turn: Turn) -> None:
    conversation = turn.conversation
    with pytest.raises(ValidationError, match="no such question"):
        services.ask(conversation.user, conversation.datasource, "Q?", conversation=conversation, after=9)


# --- thumbs ----------------------------------------------------------------------------------------------
def test_thumbs_are_kept_with_a_reason_and_can_be_taken_back(turn: Turn, bob: User) -> None:
    client, address = browser_of(turn.conversation.user), reverse("feedback", args=[turn.pk])
    client.post(address, {"helpful": "no", "reason": "wrong", "note": "It is sixty."})
    given = Feedback.objects.get()
    assert (given.helpful, given.reason, given.note) == (False, "wrong", "It is sixty.")
    assert "It is sixty." in client.get(address).content.decode()
    line = client.post(address, {"helpful": "yes"}, headers={"HX-Request": "true"})
    assert 'aria-pressed="true"' in line.content.decode()
    assert Feedback.objects.get().helpful
    client.post(address, {"helpful": "back"})
    assert not Feedback.objects.exists()
    assert client.post(address, {"helpful": "no", "reason": "nonsense"}).status_code == 422
    assert browser_of(bob).post(address, {"helpful": "yes"}).status_code == 404
    assert not Feedback.objects.exists()


def test_feedback_goes_with_its_conversation(turn: Turn) -> None:
    Feedback.objects.create(turn=turn, helpful=True)
    services.delete_conversation(turn.conversation)
    assert not Feedback.objects.exists()


# --- instructions ----------------------------------------------------------------------------------------
def test_instructions_are_one_s_own(contracts: Datasource, alice: User, bob: User, charlie: User) -> None:
    address = reverse("instructions", args=[contracts.pk])
    browser_of(alice).post(address, {"text": "Use euros."})
    assert "Use euros." in browser_of(alice).get(address).content.decode()
    assert "Use euros." not in browser_of(bob).get(address).content.decode()
    assert browser_of(charlie).get(address).status_code == 404
    refused = browser_of(alice).post(address, {"text": "x" * 2001})
    assert refused.status_code == 422
    assert "the limit is 2,000" in refused.content.decode()
    browser_of(alice).post(address, {"text": ""})
    assert not Instructions.objects.exists()


def test_instructions_reach_the_model_without_tags() -> None:
    always, told = told_to_model("Answer in German. /citation[c1, made up words here now]")
    assert "Answer in German." in told
    assert "/citation[c1, made" not in told
    assert told_to_model("")[0] == always, "the beginning of a request is the same for everybody"
    assert "What this person asks" not in told_to_model("")[1]


def told_to_model(instructions: str) -> tuple[str, str]:
    """The system's message, and the question's."""
    unused: Any = None
    model: Any = SimpleNamespace(plans_here=False)
    means = Means(emit=unused, show=unused, rewrite=unused, revise=unused, model=model, tools=unused)
    asked = Asked(question="Why?", rounds=5, instructions=instructions)
    system, question = messages(Work(asked=asked, means=means))
    return system.content, question.content


# --- handing on ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "offered"),
    [
        ({}, True),
        ({"status": TurnStatus.QUOTES}, True),
        ({"status": TurnStatus.STOPPED}, False),
        ({"status": TurnStatus.STOPPED, "answer": ""}, False),
        ({"status": TurnStatus.NOT_FOUND, "answer": ""}, False),
        ({"status": TurnStatus.ANSWERED, "answer": ""}, False),
    ],
)
def test_only_an_answer_with_proof_is_offered_to_be_handed_on(
    turn: Turn, values: dict[str, Any], offered: bool
) -> None:
    turn.write(**values)
    foot = page_of(turn).split(f'id="{rendering.anchor(turn)}-foot"')[1]
    assert ("Evidence pack" in foot, "Share by a link" in foot) == (offered, offered)


# --- notebook --------------------------------------------------------------------------------------------
def test_an_answer_and_a_quote_are_kept_for_all_who_read_there(
    turn: Turn, contracts: Datasource, bob: User, charlie: User, settings: Any
) -> None:
    settings.SITE_URL = "https://svq.example.org"
    client = browser_of(turn.conversation.user)
    assert client.post(reverse("keep_answer", args=[turn.pk])).status_code == 302
    assert client.post(reverse("keep_answer", args=[turn.pk])).status_code == 302  # a second click
    assert client.post(reverse("keep_quote", args=[turn.pk, 1])).status_code == 302
    assert Note.objects.count() == 2
    page = browser_of(bob).get(reverse("notebook", args=[contracts.pk])).content.decode()
    assert page.count(TEXT) >= 2
    assert turn.question in page
    assert 'name="remove"' not in page
    past = browser_of(bob).get(reverse("notebook", args=[contracts.pk]), {"page": "9" * 18})
    assert past.status_code == 200
    told = browser_of(bob).get(reverse("export_notebook", args=[contracts.pk])).content.decode()
    assert f"## {turn.question}" in told
    assert "(https://svq.example.org/d/" in told
    assert "on the page; supports the claim, checked by code" in told
    assert browser_of(charlie).get(reverse("notebook", args=[contracts.pk])).status_code == 404


def test_a_note_says_that_its_file_was_deleted_and_leads_to_no_page_of_it(
    turn: Turn, contracts: Datasource, alice: User
) -> None:
    client = browser_of(alice)
    client.post(reverse("keep_quote", args=[turn.pk, 1]))
    notebook, exported = (reverse(name, args=[contracts.pk]) for name in ("notebook", "export_notebook"))
    lease = turn.citations.get().document
    assert lease
    reader = reverse("reader", args=[contracts.pk, lease.pk])
    assert reader in client.get(notebook).content.decode()
    assert reader in client.get(exported).content.decode()
    Document.objects.filter(pk=lease.pk).update(status=DocumentStatus.DELETED)
    for place in (notebook, exported):
        told = client.get(place).content.decode()
        assert "file deleted since; supports the claim" in told
        assert "on the page" not in told
        assert TEXT in told
        assert reader not in told


def test_a_viewer_reads_the_notebook_and_does_not_write_in_it(document: Document, bob: User) -> None:
    turn = make_turn(bob, document)
    assert browser_of(bob).post(reverse("keep_answer", args=[turn.pk])).status_code == 403
    assert "Keep in the notebook" not in page_of(turn)
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    assert "Keep in the notebook of Contracts, for all who read it" in page_of(turn)
    browser_of(bob).post(reverse("keep_answer", args=[turn.pk]))
    assert Note.objects.get().author == bob


def test_remarks_and_taking_out(turn: Turn, contracts: Datasource, alice: User) -> None:
    browser_of(alice).post(reverse("keep_answer", args=[turn.pk]))
    note = Note.objects.get()
    address = reverse("change_note", args=[contracts.pk, note.pk])
    browser_of(alice).post(address, {"remark": "For the audit"})
    assert (
        "> For the audit"
        in browser_of(alice).get(reverse("export_notebook", args=[contracts.pk])).content.decode()
    )
    browser_of(alice).post(address, {"remove": "1"})
    assert not Note.objects.exists()


def test_a_note_s_file_shows_names_and_remarks_letter_by_letter(
    turn: Turn, contracts: Datasource, alice: User
) -> None:
    question, title, remark = "What is __init__ in *F* #", "draft_of_`lease`_[2]", "1. _see_ #4, *not* **#5**"
    turn.write(question=question)
    turn.citations.update(document_title=title, cited_as="")
    browser_of(alice).post(reverse("keep_answer", args=[turn.pk]))
    browser_of(alice).post(
        reverse("change_note", args=[contracts.pk, Note.objects.get().pk]), {"remark": remark}
    )
    told = browser_of(alice).get(reverse("export_notebook", args=[contracts.pk])).content.decode()
    html = unescape(re.sub("<[^>]+>", "", MarkdownIt().render(told)))
    for shown in (question, title, remark):
        assert shown in html


def test_a_note_s_words_make_no_links_in_its_file(turn: Turn, contracts: Datasource, alice: User) -> None:
    turn.write(
        answer="See [here](https://evil.example) <img src=x>", question="# Big\n[x](https://evil.example)"
    )
    browser_of(alice).post(reverse("keep_answer", args=[turn.pk]))
    told = browser_of(alice).get(reverse("export_notebook", args=[contracts.pk])).content.decode()
    assert not re.search(r"(?<!\\)\]\(https://evil", told)
    assert "<img" not in told
