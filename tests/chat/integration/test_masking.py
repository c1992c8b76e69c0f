"""Where personal data is masked, it is so in what SVQ says of documents without being asked, too."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat import services
from chat.masking import may_be_asked
from chat.suggestions.introducing import Offered, keep
from datasources.models import Datasource, Introduction
from summaries.models import ChunkSummary, DocumentSummary
from tests.factories import make_document

pytestmark = pytest.mark.django_db

MAIL = "jane.doe@arden.example"
WHOSE = f"Who reads {MAIL}?"
PLAIN = "Who signs the lease?"


@pytest.mark.parametrize("chosen_before", [True, False])
def test_what_introduces_a_datasource_is_masked(
    contracts: Datasource, alice: User, client: Client, chosen_before: bool
) -> None:
    document = make_document(contracts)
    contracts.description = ""
    contracts.save()
    if chosen_before:
        services.change_answer_settings(contracts, personal_data="mask")
    offered = [
        Offered(question=WHOSE, documents=[document.pk]),
        Offered(question=PLAIN, documents=[document.pk]),
    ]
    keep(contracts, offered, f"Letters to {MAIL}", [document])
    if not chosen_before:
        services.change_answer_settings(contracts, personal_data="mask")
    made = Introduction.objects.get()
    assert [each["question"] for each in made.questions] == [PLAIN]
    client.force_login(alice)
    for page in (
        reverse("home"),
        reverse("chat", args=[contracts.pk]),
        reverse("documents", args=[contracts.pk]),
    ):
        assert MAIL not in client.get(page).content.decode()
    assert "Letters to ‹e-mail address masked›" in made.description


def test_summaries_are_shown_by_the_policy_of_the_moment(
    contracts: Datasource, alice: User, client: Client
) -> None:
    document = make_document(contracts)
    chunk = document.chunks.get()
    told = {"datasource": contracts, "document": document, "text": f"Write to {MAIL}.", "model": "m"}
    DocumentSummary.objects.create(**told)
    ChunkSummary.objects.create(chunk=chunk, **told)
    client.force_login(alice)
    pages = [
        reverse("documents", args=[contracts.pk]),
        reverse("chunks", args=[contracts.pk]) + f"?document={document.pk}&chunk={chunk.pk}",
    ]
    for policy, is_shown in (("off", True), ("mask", False)):
        services.change_answer_settings(contracts, personal_data=policy)
        for page in pages:
            content = client.get(page).content.decode()
            assert (MAIL in content) == is_shown
            assert "Write to" in content


def test_a_question_with_a_hole_is_not_proposed(contracts: Datasource) -> None:
    assert may_be_asked(contracts, WHOSE)
    services.change_answer_settings(contracts, personal_data="mask")
    assert not may_be_asked(contracts, WHOSE)
    assert may_be_asked(contracts, PLAIN)
