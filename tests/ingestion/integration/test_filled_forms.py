"""A filled-in form from its upload to an answer whose proof says that the value was filled in."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from answering.models import Models
from chat import services as chat
from chat.turns.run import run_turn
from datasources.models import Datasource, DocumentStatus
from ingestion.adding.upload import accept_upload
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.formats.forms import fill_in, make_form
from tests.openai_server import ScriptedOpenAI, tools_reply
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

VALUE = "5 March 2024"


def test_a_filled_in_value_is_found_quoted_and_called_so(
    contracts: Datasource, alice: User, work: Any, client: Client, tmp_path: Path
) -> None:
    form = fill_in(make_form(tmp_path / "order.pdf"), {"field0": "Waypoint Systems Ltd", "field1": VALUE})
    with form.open("rb") as file:
        document = accept_upload(contracts, alice, "order.pdf", file)[0].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    search = tools_reply(("search_literal", {"words": "Effective date", "limit": 1}))
    said = f"It starts on 5 March 2024 /citation[c1, {VALUE}], in law /citation[c1, Governing law]."
    turn = chat.ask(alice, contracts, "When does it start?", queued=False)
    with ScriptedOpenAI([search, tools_reply(("answer", {"answer": said, "found": "all"}))]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    value, label = turn.citations.order_by("n")
    assert (value.quote, value.where) == (VALUE, "page 1, filled in")
    assert (label.quote, label.where) == ("Governing law", "page 1")
    client.force_login(alice)
    assert "Page 1, filled in" in text_of(client.get(reverse("source_card", args=[turn.pk, 1])))
    exported = client.get(reverse("export_conversation", args=[contracts.pk, turn.conversation_id]))
    assert "page 1, filled in" in exported.content.decode()
    reader = text_of(client.get(reverse("reader", args=[contracts.pk, document.pk])))
    assert "Filled in: “Waypoint Systems Ltd”, “5 March 2024”" in reader
