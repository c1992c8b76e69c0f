"""An answer whose document was replaced since says so, and marks the sources whose words are gone."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from chat.citation_rows.newer_version import since
from chat.models import Citation, Turn
from citations.choices import OnPage
from datasources.models import Datasource, Document, DocumentStatus
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

RENT, PETS = "The rent is £950 a month.", "No pets are allowed."


def replaced_by(document: Document, text: str) -> Document:
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.SUPERSEDED)
    return make_document(
        document.datasource,
        document.title,
        text,
        replaces=document,
        version=document.version + 1,
        ready_at=timezone.now(),
    )


def cite_too(turn: Turn, document: Document, words: str) -> None:
    n = turn.citations.count() + 1
    Citation.objects.create(
        turn=turn, n=n, document=document, written=words, quote=words, pages=[1], on_page=OnPage.EXACT
    )
    turn.answer += f" {words} ⟦{n}⟧"
    turn.save()


@pytest.fixture
def turn(contracts: Datasource, alice: User) -> Turn:
    lease = make_document(contracts, "Lease", RENT)
    turn = make_turn(alice, lease, "What is the rent?")
    cite_too(turn, lease, PETS)
    return turn


def page_of(turn: Turn, person: User) -> str:
    address = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    return browser_of(person).get(address).content.decode()


def said(turn: Turn, person: User) -> str:
    address = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    return text_of(browser_of(person).get(address))


def test_words_that_the_newer_version_has_no_longer_are_named_at_the_answer(turn: Turn, alice: User) -> None:
    assert "newer version" not in said(turn, alice)
    document = turn.citations.all()[0].document
    assert document
    middle = replaced_by(document, "The rent is £970 a month. No pets are allowed.")
    replaced_by(middle, "The rent is £990 a month. No  pets\nare allowed.")
    text = said(turn, alice)
    assert "“Lease” has a newer version since. The words of source 1 are not in it. Ask again" in text
    page = page_of(turn, alice)
    assert page.count("its words are not in the newer version") == 1
    assert page.count("its document has a newer version") == 1


def test_where_all_words_are_still_there_that_is_said(turn: Turn, alice: User) -> None:
    document = turn.citations.all()[0].document
    assert document
    replaced_by(document, f"{RENT} {PETS} Nothing else.")
    assert "“Lease” has a newer version since. All that is cited here is in it, too." in said(turn, alice)


def test_many_citations_take_no_more_queries_than_one(turn: Turn) -> None:
    document = turn.citations.all()[0].document
    assert document
    replaced_by(document, RENT)

    def queries() -> int:
        citations = list(turn.citations.select_related("document"))
        with CaptureQueriesContext(
            connection,
        ) as counted:
            assert len(since(citations)) == len(citations)
        return len(counted)

    few = queries()
    for _ in range(5):
        cite_too(turn, document, PETS)
    assert queries() == few <= 3
