"""An answer that was given while a document was still being read says so, and keeps saying so."""

import asyncio
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from chat import services
from chat.exports import as_markdown
from chat.models import Turn
from chat.turns.run import run_turn
from datasources.models import Datasource, DocumentStatus
from tests.factories import add_passages, make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lease(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(
        contracts, alice, [{"title": "Lease", "text": "The Tenant shall pay a rent of £950 a month."}]
    )
    work()
    return contracts


def asked(datasource: Datasource, person: User) -> Turn:
    turn = services.ask(person, datasource, "What rent shall the tenant pay?", queued=False)
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    return turn


def test_a_document_that_was_being_read_is_named_at_the_answer(lease: Datasource, alice: User) -> None:
    late = make_document(lease, "Side letter", status=DocumentStatus.QUEUED)
    turn = asked(lease, alice)
    late.status = DocumentStatus.READY  # it is read now; the answer was given without it
    late.save()
    page = browser_of(alice).get(reverse("conversation", args=[lease.pk, turn.conversation_id]))
    said = text_of(page)
    assert "1 document was not yet read when this was asked: “Side letter”. Ask again" in said
    assert "1 document was not yet read when this was asked" in as_markdown(turn)
    assert not turn.cache_key, "asked again, it is answered with what is there by then"


def test_with_every_document_read_nothing_is_said(lease: Datasource, alice: User) -> None:
    assert asked(lease, alice).notices == []
