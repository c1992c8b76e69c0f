"""Whoever may only ask: what they find there, and what they don't. Every address is in svq_site's tests."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import PeopleGroup, User
from chat.api.rag_query import scope_of
from datasources import services
from datasources.access import people_of
from datasources.models import Datasource, Document, Introduction, Matter, Role
from exchange.mcp.tools import list_datasources
from exchange.mcp.tools.list_datasources import ListDatasources
from exchange.shares.services import link_of, make_link
from retrieval.api.documents import scopes_of
from retrieval.api.refusals import Refusal
from svq_site.channels import SvqChannelManager
from tests.factories import TEXT, make_document, make_turn
from tests.people import browser_of, person
from tests.responses import text_of

QUESTION = "How long are backups kept?"


@pytest.fixture
def ann(contracts: Datasource) -> User:
    found = person("ann")
    services.share(contracts, found, Role.ASKER)
    return found


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts, "Backup rules")


@pytest.fixture
def web(ann: User) -> Client:
    return browser_of(ann)


def page(web: Client, name: str, *args: object, **asked: str) -> str:
    response = web.get(reverse(name, args=args), asked)
    assert response.status_code == 200
    return str(response.content.decode())


def test_the_bar_and_the_palette_offer_documents_and_ask_alone(
    web: Client, contracts: Datasource, document: Document
) -> None:
    bar = page(web, "datasource_tabs", contracts.pk)
    assert re.findall(r'href="/d/\d+/([^"]*)"', bar) == ["", "chat/"]
    assert "More" not in bar
    found = text_of(page(web, "palette", q="Backups", here=str(contracts.pk)))
    assert f"Ask {contracts.name}: “Backups”" in found
    assert "Backups are kept" not in found
    assert f"/documents/{document.pk}/" not in page(web, "palette", q="Backups")
    assert "Passage size" not in text_of(page(web, "palette", q="passage", here=str(contracts.pk)))
    home = page(web, "home")
    assert contracts.name in home
    assert "<dt>Passages</dt>" not in home
    refused = web.get(reverse("gaps", args=[contracts.pk]))
    assert refused.status_code == 403
    assert f'href="{reverse("chat", args=[contracts.pk])}"' in refused.content.decode()
    nowhere = text_of(page(web, "search_all", q="backups"))
    assert "Nothing was searched" in nowhere
    assert "Nothing found" not in nowhere
    assert "Every passage with these exact words" not in nowhere
    assert "Nothing found" not in page(web, "palette", q="backups")


def test_what_svq_writes_of_the_documents_is_told_to_readers_alone(
    web: Client, ann: User, bob: User, contracts: Datasource, document: Document
) -> None:
    Introduction.objects.create(datasource=contracts, description="Three letters of Dr Okafor.")

    def told(client: Client, who: User) -> dict[str, bool]:
        shown = {
            "home": page(client, "home"),
            "found": page(client, "home", find="Okafor").partition("</header>")[2],
            "documents": page(client, "documents", contracts.pk),
            "chat": page(client, "chat", contracts.pk),
            "list": str(client.get(reverse("api-datasources")).json()),
            "detail": str(client.get(reverse("api-datasource", args=[contracts.pk])).json()),
            "mcp": list_datasources.listed(who, ListDatasources()).text,
            "of one": list_datasources.listed(who, ListDatasources(datasource=contracts.pk)).text,
        }
        return {name: "Three letters" in text for name, text in shown.items()}

    assert not any(told(web, ann).values()), told(web, ann)
    assert all(told(browser_of(bob), bob).values()), told(browser_of(bob), bob)


def test_documents_are_listed_by_their_names(web: Client, contracts: Datasource, document: Document) -> None:
    make_document(contracts, "Rent")
    listed = page(web, "documents", contracts.pk)
    assert "Backup rules" in listed
    assert f"/documents/{document.pk}/" not in listed
    assert f"/chat/?documents={document.pk}" in listed
    narrowed = page(web, "documents", contracts.pk, find="backup")
    assert "Backup rules" in narrowed
    assert "Rent" not in text_of(narrowed)


def test_an_answer_shows_its_proof_and_offers_no_way_out(web: Client, ann: User, document: Document) -> None:
    turn = make_turn(ann, document, QUESTION)
    thread = page(web, "conversation", document.datasource_id, turn.conversation_id, cite="1")
    assert TEXT in text_of(thread)
    assert reverse("source_page", args=[turn.pk, 1, 1]) in thread
    for out in ("/documents/", "/export/", "/pack/", "/share/", "/notebook/", "/chunks/", "/keep/"):
        assert out not in thread, out
    picture = web.get(reverse("source_page", args=[turn.pk, 1, 1]))
    assert picture["Content-Type"] == "image/webp"
    assert web.get(reverse("source_page", args=[turn.pk, 1, 2])).status_code == 404


def test_a_reader_who_may_only_ask_from_now_on_keeps_the_answers_and_their_links_end(
    bob: User, contracts: Datasource, document: Document
) -> None:
    services.share(contracts, bob, Role.EDITOR)
    turn = make_turn(bob, document, QUESTION)
    _, token = make_link(bob, turn, recipient="Dora", days=1)
    assert link_of(token)
    services.share(contracts, bob, Role.ASKER)
    assert link_of(token) is None
    web = browser_of(bob)
    assert TEXT in text_of(page(web, "conversation", contracts.pk, turn.conversation_id))
    assert web.get(reverse("reader", args=[contracts.pk, document.pk])).status_code == 404


def test_the_highest_of_several_roles_counts(ann: User, contracts: Datasource, document: Document) -> None:
    assert not Document.objects.visible_to(ann).exists()
    assert ann not in people_of(contracts)
    group = PeopleGroup.objects.create(name="Readers")
    group.members.create(person=ann)
    services.share_with_group(contracts, group, Role.VIEWER)
    assert list(Document.objects.visible_to(ann)) == [document]
    assert ann in people_of(contracts)


def test_a_group_and_a_matter_can_let_people_ask(contracts: Datasource, document: Document) -> None:
    erin, finn = person("erin"), person("finn")
    group = PeopleGroup.objects.create(name="Askers")
    group.members.create(person=erin)
    services.share_with_group(contracts, group, Role.ASKER)
    matter = Matter.objects.create(name="Arden")
    matter.shares.create(person=finn, role=Role.ASKER)
    contracts.matter = matter
    contracts.save()
    for each in (erin, finn):
        assert contracts.allows(each, Role.ASKER)
        assert not contracts.allows(each, Role.VIEWER)
        assert not Datasource.objects.visible_to(each).exists()
    assert contracts.name in text_of(page(browser_of(erin), "home"))
    assert contracts.name in text_of(page(browser_of(finn), "matter", matter.pk))


def test_programs_are_told_its_name_and_no_way_to_read(ann: User, web: Client, document: Document) -> None:
    told = list_datasources.listed(ann, ListDatasources(datasource=document.datasource_id))
    assert "Backup rules (1 page, ready)\n" in f"{told.text}\n"
    assert "/documents/" not in told.text
    assert told.links == ()
    models = web.get(reverse("api-openai-models")).json()["data"]
    assert [each["id"] for each in models] == [f"svq-{document.datasource_id}"]
    assert not SvqChannelManager().can_read_channel(ann, f"datasource:{document.datasource_id}")
    assert SvqChannelManager().can_read_channel(ann, make_turn(ann, document).channel)


def test_documents_can_be_asked_about_by_their_number_and_not_searched(ann: User, document: Document) -> None:
    assert scope_of(ann, QUESTION, [document.pk]).document_ids == frozenset({document.pk})
    with pytest.raises(Refusal):
        scopes_of(ann, [document.pk])
    with pytest.raises(Refusal):
        scopes_of(ann, None)
