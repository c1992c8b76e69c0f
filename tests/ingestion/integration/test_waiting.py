"""What the list of documents and the chat say about what waits."""

import io

import pytest
from django.urls import reverse

from accounts.models import User
from chat.services import ask
from datasources.models import Datasource, Role
from datasources.services import share
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.pausing import pause
from tests.people import browser_of

pytestmark = pytest.mark.django_db


def add(datasource: Datasource, user: User, name: str, size: int = 10) -> None:
    accept_upload(datasource, user, f"{name}.txt", io.BytesIO(f"{name} ".encode() * size))


def page(user: User, name: str, *arguments: object) -> str:
    return " ".join(browser_of(user).get(reverse(name, args=arguments)).content.decode().split())


def row(user: User, datasource: Datasource, title: str) -> str:
    listed = page(user, "documents", datasource.pk)
    start = listed.index(f'title="{title}"')
    return listed[start : listed.index("</tr>", start)]


def test_a_document_says_how_many_of_its_person_come_before(
    contracts: Datasource, alice: User, bob: User
) -> None:
    share(contracts, bob, Role.EDITOR)
    add(contracts, alice, "Large", size=40_000)
    for name in ("First", "Second", "Third"):
        add(contracts, alice, name)
    add(contracts, bob, "Own")
    assert "None of yours is before it" in row(alice, contracts, "First")
    assert "1 document of yours is before this one" in row(alice, contracts, "Second")
    assert "3 documents of yours are before this one" in row(alice, contracts, "Large")
    listed = page(alice, "documents", contracts.pk)
    places = [listed.index(f'title="{each}"') for each in ("First", "Second", "Third", "Large")]
    assert places == sorted(places), "those that wait stand in the order in which they are read"
    assert "3 documents of the same person are before this one" in row(bob, contracts, "Large")
    assert "None of yours is before it" in row(bob, contracts, "Own")


def test_while_reading_is_paused_no_place_is_told(contracts: Datasource, alice: User) -> None:
    add(contracts, alice, "First")
    pause(contracts)
    assert "None of yours is before it" not in row(alice, contracts, "First")


def test_a_question_says_how_many_of_ones_own_come_before(
    contracts: Datasource, alice: User, bob: User
) -> None:
    first, second = ask(alice, contracts, "Who?"), ask(alice, contracts, "Why?")
    others = ask(bob, contracts, "When?")
    place = "1 question of yours is before this one"
    assert place in page(alice, "conversation", contracts.pk, second.conversation_id)
    assert place not in page(alice, "conversation", contracts.pk, first.conversation_id)
    assert place not in page(bob, "conversation", contracts.pk, others.conversation_id)
