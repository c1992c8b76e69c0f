"""Conversations: what they are called, which documents they search, what stopping and deleting them does."""

import threading
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models.signals import pre_delete
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from chat import services
from chat.models import Conversation, Turn, TurnStatus
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from events import log
from events.models import Channel
from ingestion.lifecycle.deletion import delete, restore
from ingestion.lifecycle.purging import purge
from tests.factories import make_document, make_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


def finish(turn: Turn) -> None:
    turn.status = TurnStatus.ANSWERED
    turn.save()


def code_of(act, *arguments, **named) -> str:
    with pytest.raises(ValidationError) as refused:
        act(*arguments, **named)
    assert refused.value.code
    return refused.value.code


# --- titles ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Why?", "Why?"),
        ("Why?\nTell me all.", "Why?"),
        ("word " * 16, ("word " * 16).strip()),
        ("word " * 40, "word " * 14 + "word…"),
        ("x" * 81, "x" * 79 + "…"),
    ],
)
def test_a_conversation_is_called_by_its_first_question(
    contracts: Datasource, alice: User, question: str, title: str
) -> None:
    assert services.ask(alice, contracts, question).conversation.title == title


def test_a_conversation_that_has_a_title_keeps_it(contracts: Datasource, alice: User) -> None:
    conversation = services.begin_conversation(alice, contracts, "  About\n backups ")
    services.ask(alice, contracts, "Why?", conversation=conversation)
    conversation.refresh_from_db()
    assert conversation.title == "About backups"


def test_an_empty_title_is_refused(alice: User, document: Document) -> None:
    conversation = make_turn(alice, document).conversation
    assert code_of(services.rename, conversation, " \n ") == "title_missing"
    conversation.refresh_from_db()
    assert conversation.title == "How long are backups kept?"


# --- questions -------------------------------------------------------------------------------------------
def test_turns_are_numbered_in_their_order(contracts: Datasource, alice: User) -> None:
    first = services.ask(alice, contracts, "One?")
    finish(first)
    second = services.ask(alice, contracts, "Two?", conversation=first.conversation)
    assert (first.number, second.number) == (1, 2)
    assert second.conversation == first.conversation


def test_characters_that_no_database_keeps_are_left_out(contracts: Datasource, alice: User) -> None:
    assert services.ask(alice, contracts, " Wh\0y?\0 ").question == "Why?"


def test_the_longest_question_is_taken(contracts: Datasource, alice: User) -> None:
    longest = "x" * services.MAX_QUESTION
    assert services.ask(alice, contracts, longest).question == longest
    assert code_of(services.ask, alice, contracts, longest + "x") == "question_long"


def test_questions_wait_for_those_before_them_in_their_conversation(
    contracts: Datasource, alice: User
) -> None:
    first = services.ask(alice, contracts, "One?")
    second = services.ask(alice, contracts, "Two?", conversation=first.conversation)
    elsewhere = services.ask(alice, contracts, "Three?")
    locks: dict[int | None, str | None] = dict(ProcrastinateJob.objects.values_list("pk", "lock"))
    assert locks[first.job_id] == locks[second.job_id] != locks[elsewhere.job_id]
    assert [turn.number for turn in first.conversation.turns.order_by("number")] == [1, 2]


def test_more_than_a_few_waiting_questions_are_refused_and_leave_nothing(
    contracts: Datasource, alice: User
) -> None:
    conversation = services.ask(alice, contracts, "0?").conversation
    for number in range(1, services.MOST_UNANSWERED):
        services.ask(alice, contracts, f"{number}?", conversation=conversation)
    assert code_of(services.ask, alice, contracts, "Again?", conversation=conversation) == "busy"
    assert Turn.objects.count() == services.MOST_UNANSWERED
    finish(conversation.turns.order_by("number")[0])
    services.ask(alice, contracts, "Again?", conversation=conversation)


# --- which documents are searched ------------------------------------------------------------------------
def test_a_choice_of_documents_holds_until_another_is_made(
    contracts: Datasource, alice: User, document: Document
) -> None:
    other = make_document(contracts, "Other", "Other words.")
    first = services.ask(alice, contracts, "One?", document_ids=[document.pk])
    conversation = first.conversation
    finish(first)
    kept = services.ask(alice, contracts, "Two?", conversation=conversation)
    assert kept.document_ids == [document.pk]
    finish(kept)
    changed = services.ask(alice, contracts, "Three?", conversation=conversation, document_ids=[other.pk])
    assert changed.document_ids == [other.pk]
    assert first.document_ids == [document.pk]
    finish(changed)
    again = services.ask_again(first, first.question)
    assert again.document_ids == [document.pk]  # so that two answers to the same search can be compared
    finish(again)
    assert services.ask(alice, contracts, "Four?", conversation=conversation).document_ids == [other.pk]


@pytest.mark.parametrize("status", [DocumentStatus.SUPERSEDED, DocumentStatus.DELETED])
def test_a_document_that_is_gone_cannot_be_chosen(
    contracts: Datasource, alice: User, status: DocumentStatus
) -> None:
    gone = make_document(contracts, status=status)
    assert code_of(services.ask, alice, contracts, "Why?", document_ids=[gone.pk]) == "foreign_document"
    assert not Conversation.objects.exists()


def test_a_document_of_another_datasource_cannot_be_chosen(
    contracts: Datasource, alice: User, document: Document
) -> None:
    other = create_datasource(alice, "Letters")
    assert code_of(services.begin_conversation, alice, other, "", [document.pk]) == "foreign_document"


def test_no_document_chosen_does_not_mean_all(contracts: Datasource, alice: User, document: Document) -> None:
    assert code_of(services.ask, alice, contracts, "Why?", document_ids=[]) == "no_documents"
    assert services.ask(alice, contracts, "Why?").document_ids is None


def test_a_choice_never_widens_when_its_document_is_deleted(
    contracts: Datasource, alice: User, document: Document
) -> None:
    other = make_document(contracts, "Other", "Other words.")
    first = services.ask(alice, contracts, "One?", document_ids=[document.pk, other.pk])
    finish(first)
    delete(document)
    second = services.ask(alice, contracts, "Two?", conversation=first.conversation)
    assert second.document_ids == [other.pk]
    finish(second)
    purge(document)
    delete(other)
    assert code_of(services.ask, alice, contracts, "3?", conversation=first.conversation) == "no_documents"
    restore(other)
    third = services.ask(alice, contracts, "Three?", conversation=first.conversation)
    assert third.document_ids == [other.pk]
    finish(third)
    everywhere = services.ask(alice, contracts, "Four?", conversation=first.conversation, document_ids=None)
    assert everywhere.document_ids is None


def test_a_new_version_takes_the_place_of_the_one_that_was_chosen(
    contracts: Datasource, alice: User, document: Document
) -> None:
    first = services.ask(alice, contracts, "One?", document_ids=[document.pk])
    finish(first)
    newest = document
    for version in (2, 3):
        Document.objects.filter(pk=newest.pk).update(status=DocumentStatus.SUPERSEDED)
        newest = make_document(
            contracts, f"Version {version}", "New words.", replaces=newest, ready_at=timezone.now()
        )
    make_document(contracts, "Unread", "Unread.", replaces=document, status=DocumentStatus.FAILED)
    second = services.ask(alice, contracts, "Two?", conversation=first.conversation)
    assert second.document_ids == [newest.pk]


# --- the end ---------------------------------------------------------------------------------------------
def test_stopping_twice_is_stopping_once(contracts: Datasource, alice: User) -> None:
    turn = services.ask(alice, contracts, "Why?")
    assert services.stop(turn)
    assert not services.stop(turn)
    turn.refresh_from_db()
    assert (turn.status, turn.run_token) == (TurnStatus.STOPPED, None)
    assert [event.kind for event in log.read(turn.channel)].count("turn_finished") == 1


def test_a_stopped_question_makes_room_for_the_next(contracts: Datasource, alice: User) -> None:
    turn = services.ask(alice, contracts, "One?")
    services.stop(turn)
    assert services.ask(alice, contracts, "Two?", conversation=turn.conversation).number == 2


def test_a_deleted_conversation_takes_its_questions_and_their_events_along(
    contracts: Datasource, alice: User, document: Document
) -> None:
    other = make_turn(alice, document)
    turn = services.ask(alice, contracts, "Why?")
    services.delete_conversation(turn.conversation)
    assert list(Turn.objects.all()) == [other]
    assert not Channel.objects.filter(name=turn.channel).exists()
    assert log.read(turn.channel) == []


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_while_its_conversation_is_deleted_goes_with_it(
    contracts: Datasource, alice: User
) -> None:
    """In another tab, when the questions to delete were looked up already."""
    turn = services.ask(alice, contracts, "Why?")
    finish(turn)

    def ask() -> None:
        Turn.objects.create(conversation=turn.conversation, number=2, question="Who?")
        connection.close()

    def elsewhere(**_: Any) -> None:
        pre_delete.disconnect(elsewhere, sender=Conversation)
        asking = threading.Thread(target=ask)
        asking.start()
        asking.join()

    pre_delete.connect(elsewhere, sender=Conversation)
    services.delete_conversation(turn.conversation)
    assert not Turn.objects.exists()
    assert not Conversation.objects.exists()
    assert code_of(services.ask, alice, contracts, "And?", conversation=turn.conversation) == "deleted"
