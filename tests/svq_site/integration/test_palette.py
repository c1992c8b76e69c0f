"""The command palette finds what a person may see, and nothing else."""

from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from datasources.services import create_datasource
from tests.factories import make_document, make_turn


def found(user: User, query: str = "", **more: Any) -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse("palette"), {"q": query, **more})
    assert answer.status_code == 200
    return answer.content.decode()


def test_names_are_found_by_parts_in_any_order_and_case(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Master Services Agreement")
    address = reverse("reader", args=[contracts.pk, document.pk])
    assert f'href="{address}"' in found(alice, "agree MASTER")
    assert address not in found(alice, "agree slave")
    assert reverse("documents", args=[contracts.pk]) in found(alice, "contr")


def test_everyone_sees_only_what_is_theirs(
    contracts: Datasource, alice: User, bob: User, charlie: User
) -> None:
    document = make_document(contracts, "Lighthouse plan")
    turn = make_turn(alice, document, "Lighthouse costs?")
    conversation = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    assert conversation in found(alice, "lighthouse")
    shared = found(bob, "lighthouse")
    assert "Lighthouse plan" in shared
    assert conversation not in shared, "a conversation is its author's alone"
    assert "Lighthouse" not in found(charlie, "lighthouse")
    assert "Contracts" not in found(charlie, datasource=contracts.pk)


def test_the_datasource_one_is_in_comes_first(contracts: Datasource, alice: User) -> None:
    other = create_datasource(alice, "Archive")
    for place in (other, contracts):
        make_document(place, f"Report of {place.name}")
    text = found(alice, "report", datasource=other.pk)
    assert text.index("Report of Archive") < text.index("Report of Contracts")
    assert reverse("chat", args=[other.pk]) in found(alice, datasource=other.pk)


def test_deleted_and_replaced_documents_are_gone(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Old tower", status=DocumentStatus.SUPERSEDED)
    make_document(contracts, "Gone tower", "other", status=DocumentStatus.DELETED)
    assert "tower" not in found(alice, "tower").replace("“tower”", "")


def test_the_switcher_lists_datasources_alone(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Contracts overview")
    text = found(alice, "contracts", only="datasources")
    assert text.count("<h3>") == 1
    assert "overview" not in text


def test_nothing_found_is_said(alice: User) -> None:
    assert "Nothing found for “&lt;b&gt;zebra”" in found(alice, "<b>zebra")


def test_signed_out_one_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert reverse("account_login") in client.get(reverse("palette"))["Location"]
