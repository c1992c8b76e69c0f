"""The command palette finds what a person may see, and nothing else."""

import re
from html import unescape
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, DocumentStatus, Membership, Role
from datasources.services import create_datasource
from graph.models import Entity, EntityName
from ingestion.models import Chunk
from tests.factories import make_document, make_turn


def found(user: User, query: str = "", **more: Any) -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse("palette"), {"q": query, **more})
    assert answer.status_code == 200
    return answer.content.decode().replace("<mark>", "").replace("</mark>", "")


def results(user: User, query: str, **more: Any) -> list[tuple[str, str, str]]:
    """(heading, text with <mark>, address) of each."""
    client = Client()
    client.force_login(user)
    html = client.get(reverse("palette"), {"q": query, **more}).content.decode()
    found = []
    for group in html.split("<h3>")[1:]:
        heading = group.partition("</h3>")[0]
        for address, text in re.findall(r'<a class="pal-i[^"]*" href="([^"]*)">(.*?)</a>', group, re.DOTALL):
            words = re.sub(r"<(?!/?mark)[^>]*>", " ", text)
            found.append((heading, " ".join(unescape(words).split()), unescape(address)))
    return found


def of_group(heading: str, user: User, query: str, **more: Any) -> list[str]:
    return [text for group, text, _ in results(user, query, **more) if group == heading]


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


def test_whoever_may_only_ask_is_led_to_asking_about_a_document(contracts: Datasource, charlie: User) -> None:
    document = make_document(contracts, "Lighthouse plan")
    Membership.objects.create(datasource=contracts, user=charlie, role=Role.ASKER)
    address = f"{reverse('chat', args=[contracts.pk])}?documents={document.pk}"
    assert ("Documents", "<mark>Lighthouse</mark> plan Contracts", address) in results(charlie, "lighthouse")


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
    assert {group for group, _, _ in results(alice, "tower")} == {"Ask"}


def test_the_switcher_lists_datasources_alone(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Contracts overview")
    text = found(alice, "contracts", only="datasources")
    assert text.count("<h3>") == 1
    assert "overview" not in text


def test_nothing_found_is_said(alice: User) -> None:
    assert "Nothing found for “&lt;b&gt;zebra”" in found(alice, "<b>zebra")
    assert "Nothing found for “\\ &#x27; :* &amp; | !”" in found(alice, "\\ ' :* & | !")


def test_nothing_found_is_said_beside_the_offer_to_ask(contracts: Datasource, alice: User) -> None:
    make_document(contracts)
    page = found(alice, "zebra", datasource=contracts.pk)
    assert "Ask Contracts" in page
    assert "Nothing found for “zebra”." in page
    assert "Nothing found" not in found(alice, "backups", datasource=contracts.pk)


def test_signed_out_one_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert reverse("account_login") in client.get(reverse("palette"))["Location"]


TERMS = (
    "The Early Termination\nCharge is payable within thirty days. The customer's notice ends the agreement, "
    "and nothing else ends it. Termination for cause carries no charge."
)


def test_passages_are_found_by_beginnings_of_words_and_marked(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Amendment", TERMS)
    make_document(contracts, "Other", "The harbour opens at noon.")
    (passage,) = [each for each in results(alice, "early terminat") if each[0] == "Passages"]
    assert "<mark>Early</mark> <mark>Terminat</mark>ion Charge is payable" in passage[1]
    assert passage[1].endswith("Page 1, Amendment")
    assert passage[2] == f"{reverse('reader', args=[contracts.pk, document.pk])}?page=1&q=early+terminat"
    client = Client()
    client.force_login(alice)
    assert "<mark" in client.get(passage[2]).content.decode()
    assert not of_group("Passages", alice, "earlyx terminat")
    assert of_group("Passages", alice, "CUSTOMER’S NOTICES"), "other endings, where none are the same"
    scattered = next(each for each in results(alice, "charge notice") if each[0] == "Passages")
    assert "chunk=" in scattered[2], "words that stand apart are shown by their passage"


def test_misspelt_words_are_found_as_the_search_page_finds_them(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Port rules", "The harbour opens at noon.")
    here = {"datasource": contracts.pk}
    assert of_group("Passages", alice, "harbuor", **here) == [
        "The <mark>harbour</mark> opens at noon. Page 1, Port rules"
    ]
    ((_, _, address),) = [each for each in results(alice, "harbuor", **here) if each[0] == "Search"]
    assert address == f"{reverse('search', args=[contracts.pk])}?q=harbuor"
    assert not of_group("Search", alice, "zzyzx", **here)


def test_what_is_called_just_so_comes_before_what_begins_so(contracts: Datasource, alice: User) -> None:
    """Before names that are mentioned more often, and before newer passages with a longer word."""
    make_document(contracts, "Maker", "Chips are made by Intel alone.")
    for number in range(8):
        make_document(contracts, f"Rights {number}", f"Intellectual property of part {number}.")
        name = f"Intellectual property {number}"
        Entity.objects.create(datasource=contracts, key=name.lower(), name=name, mention_count=9)
    Entity.objects.create(datasource=contracts, key="intel", name="Intel", mention_count=1)
    assert of_group("Names in the graph", alice, "intel")[0].startswith("<mark>Intel</mark> ")
    assert of_group("Passages", alice, "intel")[0].endswith("Page 1, Maker")


def test_passages_of_the_very_phrase_come_first(contracts: Datasource, alice: User) -> None:
    for number in range(8):
        make_document(contracts, f"Apart {number}", f"Harbour {number}: the fee of the port is due.")
    make_document(contracts, "Together", "The port fee is due.")
    first, *_ = of_group("Passages", alice, "port fee")
    assert first.endswith("Page 1, Together")


def test_a_passage_is_found_behind_thousands_of_others(contracts: Datasource, alice: User) -> None:
    """First the phrase, then the datasource that one is in, however many newer passages have the words."""
    make_document(contracts, "Ours", "Our backup policy. Tapes.")
    make_document(contracts, "Also ours", "A policy for each backup.")
    elsewhere = create_datasource(alice, "Elsewhere")
    document = make_document(elsewhere, "Later", "Later, a policy on any backup.")
    first = document.chunks.get()
    Chunk.objects.bulk_create(
        Chunk(
            datasource=elsewhere,
            document=document,
            index=n,
            text="Later, a policy on any backup.",
            start=0,
            end=30,
            first_page=1,
            last_page=1,
        )
        for n in range(first.index + 1, 1500)
    )
    for typed in ("backup policy", "backup"):
        notes = of_group("Passages", alice, typed, datasource=contracts.pk)
        assert "Ours" in "".join(notes[:2])
        assert "Also ours" in "".join(notes[:2])


def test_nobody_finds_passages_or_entities_of_strangers_or_of_what_is_gone(
    contracts: Datasource, alice: User, bob: User, charlie: User
) -> None:
    make_document(contracts, "Seen", "A lighthouse stands here.")
    make_document(contracts, "Gone", "This lighthouse is gone.", status=DocumentStatus.DELETED)
    make_document(contracts, "Unread", "This lighthouse is unread.", status=DocumentStatus.EMBEDDING)
    hidden = make_document(contracts, "Left out", "This lighthouse is left out.")
    Chunk.objects.filter(document=hidden).update(left_out=True)
    Entity.objects.create(datasource=contracts, key="lighthouse", name="Lighthouse", mention_count=1)
    for person in (alice, bob):
        assert of_group("Passages", person, "lighthouse") == [
            "A <mark>lighthouse</mark> stands here. Page 1, Seen"
        ]
        assert len(of_group("Names in the graph", person, "lighthouse")) == 1
    assert not results(charlie, "lighthouse")


def test_entities_are_found_by_each_of_their_names(contracts: Datasource, alice: User) -> None:
    entity = Entity.objects.create(
        datasource=contracts, key="ibm", name="IBM", types=["organisation"], mention_count=3
    )
    EntityName.objects.create(
        datasource=contracts,
        key="international business machines",
        entity=entity,
        count=2,
        name="International Business Machines",
    )
    Entity.objects.create(datasource=contracts, key="ib", name="IBM hidden", hidden=True, mention_count=9)
    for query in ("ibm", "machines intern"):
        (found,) = [each for each in results(alice, query) if each[0] == "Names in the graph"]
        assert found[2] == f"{reverse('graph', args=[contracts.pk])}?entity={entity.pk}"
    assert of_group("Names in the graph", alice, "ibm") == ["<mark>IBM</mark> Organisation, Contracts"]


def test_conversations_are_found_by_their_questions(contracts: Datasource, alice: User) -> None:
    turn = make_turn(alice, make_document(contracts), "Who pays the harbour fee?")
    turn.conversation.title = "Fees"
    turn.conversation.save()
    assert of_group("Conversations", alice, "harbour") == ["Fees Contracts"]


def test_what_is_typed_can_be_asked(contracts: Datasource, alice: User) -> None:
    make_document(contracts)
    (ask,) = [each for each in results(alice, "why & how?", datasource=contracts.pk) if each[0] == "Ask"]
    client = Client()
    client.force_login(alice)
    assert "why &amp; how?" in client.get(ask[2]).content.decode()


def test_4000_passages_are_searched_to_the_last(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts)
    text = "The party shall pay the fee of invoice {0} within {0} days after the term begins. " * 12
    Chunk.objects.bulk_create(
        Chunk(
            datasource=contracts,
            document=document,
            index=1 + number,
            text=text.format(number),
            start=0,
            end=10,
            first_page=1,
            last_page=1,
        )
        for number in range(4000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ingestion_chunk")
    client = Client()
    client.force_login(alice)
    for query, found in (("invoice 3999", True), ("fee of inv", True), ("zebra", False)):
        asked = {"q": query, "datasource": str(contracts.pk)}
        page = client.get(reverse("palette"), asked).content.decode()
        assert (f"/documents/{document.pk}" in page) is found, query


def test_administrators_find_the_pages_of_the_server(alice: User, bob: User) -> None:
    """In the palette and in the search of the settings; others do not."""
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    pages = {"group": "groups", "invite": "people", "webhook": "models", "audit": "audit_log"}
    for word, page in pages.items():
        address = f'href="{reverse(page)}#'
        assert address in found(User.objects.get(pk=alice.pk), word)
        assert address not in found(bob, word)
        for person, is_found in ((alice, True), (bob, False)):
            client = Client()
            client.force_login(person)
            searched = client.get(reverse("account_settings"), {"q": word}, headers={"HX-Request": "true"})
            assert (address in searched.content.decode()) == is_found
