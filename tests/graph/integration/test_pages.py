"""The graph page as the server sends it: what is drawn and listed, what the panel of an entity says."""

import re
import time
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from graph.aggregate import update
from graph.aggregate.queue import defer_lay_out_graph
from graph.curation import services
from graph.layout import node_positions
from graph.models import Entity, EntityPosition, Relation, RelationMention
from graph.tasks import lay_out_graph
from tests.factories import make_document
from tests.graph.corpus import LETTERS, entity, learn


@pytest.fixture
def drawn(contracts: Datasource) -> Datasource:
    """The graph of three documents, laid out."""
    for title, text in LETTERS.items():
        learn(make_document(contracts, title, text))
    node_positions.lay_out(contracts.pk)
    return contracts


@pytest.fixture
def reader(client: Client, bob: User) -> Client:
    client.force_login(bob)
    return client


def data(client: Client, datasource: Datasource, **query: Any) -> dict[str, Any]:
    answer = client.get(reverse("graph_data", args=[datasource.pk], query=query))
    assert answer.status_code == 200
    return dict(answer.json())


def named(found: dict[str, Any]) -> list[str]:
    return [node[1] for node in found["nodes"]]


def listed(client: Client, datasource: Datasource, **query: Any) -> list[str]:
    answer = client.get(reverse("graph", args=[datasource.pk], query={"view": "list"} | query))
    return [entity.name for entity, _ in answer.context["rows"]]


def part(client: Client, name: str, *arguments: int) -> str:
    answer = client.get(reverse(name, args=arguments), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return str(answer.content.decode())


# --- the page --------------------------------------------------------------------------------------------
def test_the_menu_has_it_before_the_first_entity(contracts: Datasource, reader: Client) -> None:
    page = reverse("graph", args=[contracts.pk])
    assert f'href="{page}"' in reader.get(reverse("documents", args=[contracts.pk])).content.decode()
    assert "No graph yet" in reader.get(page).content.decode()
    document = make_document(contracts, "Letter", LETTERS["Letter"], status=DocumentStatus.LINKING)
    assert "Building the graph" in reader.get(page).content.decode()
    document.status = DocumentStatus.READY
    document.save()
    learn(document)
    assert "No graph yet" not in reader.get(page).content.decode()


def test_a_graph_without_a_drawing_asks_for_one_once(contracts: Datasource, reader: Client) -> None:
    learn(make_document(contracts, "Letter", LETTERS["Letter"]))
    page = reverse("graph", args=[contracts.pk])
    for _ in range(2):
        assert "Drawing the graph" in reader.get(page).content.decode()
    waiting = ProcrastinateJob.objects.filter(queueing_lock=f"layout:{contracts.pk}", status="todo")
    assert waiting.count() == 1
    node_positions.lay_out(contracts.pk)
    assert "Drawing the graph" not in reader.get(page).content.decode()


def test_changes_in_quick_succession_are_drawn_once(contracts: Datasource) -> None:
    for _ in range(3):
        defer_lay_out_graph(contracts.pk)
    assert ProcrastinateJob.objects.filter(queueing_lock=f"layout:{contracts.pk}").count() == 1


def test_the_first_drawing_comes_at_once_and_others_after_the_last_file(contracts: Datasource) -> None:
    def drawn() -> int:
        return EntityPosition.objects.filter(entity__datasource=contracts).count()

    learn(make_document(contracts, "Letter", LETTERS["Letter"]))
    lay_out_graph(contracts.pk, since=time.time())
    first = drawn()
    assert first
    others = [make_document(contracts, title, text) for title, text in LETTERS.items() if title != "Letter"]
    for document in others:
        learn(document)
        lay_out_graph(contracts.pk, since=time.time())
        assert drawn() == first, "another file may follow"
    contracts.documents.update(created=timezone.now() - timedelta(minutes=1))
    lay_out_graph(contracts.pk, since=time.time())
    assert drawn() > first


def test_the_card_counts_what_is_not_left_out(drawn: Datasource, reader: Client) -> None:
    services.hide(entity(drawn, "Queen"))
    (card,) = reader.get(reverse("home")).context["cards"]
    assert card.entities == Entity.objects.filter(datasource=drawn, hidden=False).count()
    assert 0 < card.relations < Relation.objects.filter(datasource=drawn).count()


# --- the drawing -----------------------------------------------------------------------------------------
def test_the_drawing_has_all_entities_and_what_relates_them(drawn: Datasource, reader: Client) -> None:
    found = data(reader, drawn, type="all")
    assert found["total"] == len(found["nodes"]) == Entity.objects.filter(datasource=drawn).count()
    assert {"Tim Cook", "Apple Inc", "Zanzibar"} <= set(named(found))
    labels = [label for _, label, _ in found["types"]]
    assert "Amount" in labels
    assert all(0 <= kind < len(labels) for node in found["nodes"] for kind in node[2])
    pairs = {frozenset((named(found)[a], named(found)[b])) for a, b, *_ in found["edges"]}
    assert frozenset(("Tim Cook", "Brian May")) in pairs
    assert len({(x, y) for *_, x, y in found["nodes"]}) == len(found["nodes"])


def test_at_first_come_people_organisations_and_places_the_best_linked_first(
    contracts: Datasource, reader: Client
) -> None:
    kinds = ["PERSON", "ORGANIZATION", "LOCATION", "TERM"] * 3 + ["AMOUNT", "DATE", "REFERENCE", "NAME"] * 3
    made = Entity.objects.bulk_create(
        Entity(datasource=contracts, key=f"k{i}", name=f"Thing {i}", types=[kind], mention_count=i + 1)
        for i, kind in enumerate(kinds)
    )
    hub = made[2]
    Relation.objects.bulk_create(Relation(datasource=contracts, source=hub, target=one) for one in made[4:9])
    first = data(reader, contracts, shown=30)
    assert (first["total"], first["matching"]) == (24, 12)
    assert set(named(first)) == {f"Thing {i}" for i in range(12)}
    assert named(first)[0] == "Thing 2"
    asked = data(reader, contracts, type="AMOUNT")
    assert named(asked) == ["Thing 20", "Thing 16", "Thing 12"]
    assert len(data(reader, contracts, type="all", shown=30)["nodes"]) == 24
    page = reader.get(reverse("graph", args=[contracts.pk])).content.decode()
    assert re.search(r'value="PERSON"\s+data-first checked', page)
    assert re.search(r'value="AMOUNT"\s*>', page)


def test_an_unchanged_drawing_is_sent_once(drawn: Datasource, reader: Client) -> None:
    address = reverse("graph_data", args=[drawn.pk])
    first = reader.get(address)
    assert "private" in first["Cache-Control"]
    same = {"If-None-Match": first["ETag"]}
    assert reader.get(address, headers=same).status_code == 304
    learn(make_document(drawn, "More", "Queen met Tim Cook in Montreux."))
    assert reader.get(address, headers=same).status_code == 200


def test_of_equals_the_most_mentioned_come_first_and_more_on_request(
    contracts: Datasource, reader: Client
) -> None:
    Entity.objects.bulk_create(
        Entity(datasource=contracts, key=f"k{i}", name=f"Thing {i}", types=["NAME"], mention_count=i)
        for i in range(1, 251)
    )
    few = data(reader, contracts)
    assert (few["total"], len(few["nodes"]), named(few)[0]) == (250, 30, "Thing 250")
    assert len(data(reader, contracts, shown=400)["nodes"]) == 250
    least = Entity.objects.get(name="Thing 1")
    assert "Thing 1" in named(data(reader, contracts, entity=least.pk))


def test_one_document_has_its_own_drawing(drawn: Datasource, reader: Client) -> None:
    story = Document.objects.get(title="Story")
    found = data(reader, drawn, document=story.pk)
    assert {"Queen", "Brian May"} <= set(named(found))
    assert "Apple Inc" not in named(found)
    assert found["total"] == len(found["nodes"])
    assert set(listed(reader, drawn, document=story.pk)) == set(named(found))


def test_one_entity_in_one_document_is_drawn_also_where_no_verb_relates_it(
    drawn: Datasource, reader: Client
) -> None:
    story = Document.objects.get(title="Story")
    RelationMention.objects.update(keywords=[])
    for found in data(reader, drawn, document=story.pk)["nodes"]:
        assert found[0] in [
            node[0] for node in data(reader, drawn, document=story.pk, entity=found[0])["nodes"]
        ]


def test_what_is_left_out_is_nowhere(drawn: Datasource, reader: Client) -> None:
    services.hide(entity(drawn, "Queen"))
    assert "Queen" not in named(data(reader, drawn))
    assert "Queen" not in listed(reader, drawn)
    found = reader.get(
        reverse("entities", args=[drawn.pk], query={"q": "queen"}), headers={"HX-Request": "true"}
    )
    assert "No entity has" in found.content.decode()


def test_the_legend_counts_the_types(drawn: Datasource, reader: Client) -> None:
    story = Document.objects.get(title="Story")

    def told(**query: Any) -> dict[str, int]:
        page = reader.get(reverse("graph", args=[drawn.pk], query=query))
        return {one["style"].label: one["count"] for one in page.context["legend"]}

    assert told()["Amount"] == 1
    assert "Amount" not in told(document=story.pk)
    assert sum(told(document=story.pk).values()) >= data(reader, drawn, document=story.pk)["total"] > 0


# --- the list --------------------------------------------------------------------------------------------
def test_the_list_has_what_the_drawing_has(drawn: Datasource, reader: Client) -> None:
    assert set(listed(reader, drawn)) == set(named(data(reader, drawn)))


@pytest.mark.parametrize(
    ("query", "there", "missing"),
    [
        ({"type": "AMOUNT"}, "$3 billion", "Tim Cook"),
        ({"least": 2}, "Tim Cook", "Zanzibar"),
        ({"q": "electr"}, "Beats Electronics", "Queen"),
    ],
)
def test_the_list_is_narrowed(
    query: dict[str, Any], there: str, missing: str, drawn: Datasource, reader: Client
) -> None:
    names = listed(reader, drawn, **query)
    assert there in names
    assert missing not in names


@pytest.mark.parametrize("sort", ["mentions", "documents", "relations", "name"])
def test_the_list_is_sorted(sort: str, drawn: Datasource, reader: Client) -> None:
    answer = reader.get(reverse("graph", args=[drawn.pk], query={"view": "list", "sort": sort}))
    column = {"mentions": "mention_count", "documents": "document_count"}.get(sort, sort)
    values = [getattr(one, column) for one, _ in answer.context["rows"]]
    assert len(values) > 5
    assert values == sorted(values, reverse=sort != "name")


def test_the_list_goes_on(contracts: Datasource, reader: Client) -> None:
    Entity.objects.bulk_create(
        Entity(datasource=contracts, key=f"k{i}", name=f"Thing {i:03}", mention_count=1) for i in range(60)
    )
    assert len(listed(reader, contracts)) == 50
    assert len(listed(reader, contracts, page=2)) == 10
    page = reader.get(reverse("graph", args=[contracts.pk], query={"view": "list", "least": 1}))
    assert "?view=list&amp;page=2" in page.content.decode()


# --- the panel -------------------------------------------------------------------------------------------
def test_the_panel_tells_names_relations_and_mentions(drawn: Datasource, reader: Client) -> None:
    cook = entity(drawn, "Tim Cook")
    services.add_alias(cook, "Timothy Cook")
    learn(make_document(drawn, "Memo", "Timothy Cook opened the shop in Cupertino."))
    cook = Entity.objects.get(pk=cook.pk)
    said = part(reader, "entity", drawn.pk, cook.pk)
    assert "Also written as" in said
    assert "<mark>Tim Cook</mark>" in said
    assert "Brian May" in said
    for title in ("Letter", "Notice", "Memo"):
        assert title in said
    assert f"q={'What%20do%20the%20documents%20say%20about'}" in said


def test_the_sentence_that_says_what_it_is_has_its_page(contracts: Datasource, reader: Client) -> None:
    learn(make_document(contracts, "Letter", "Apple Inc is a maker of computers in Cupertino."))
    apple = entity(contracts, "Apple Inc")
    assert apple.description.startswith("Apple Inc is a maker")
    said = part(reader, "entity", contracts.pk, apple.pk)
    lead = said[said.index('class="gx-said"') : said.index('class="row gx-do"')]
    assert "Letter, page 1" in lead


def test_the_panel_of_the_address_is_on_the_page(drawn: Datasource, reader: Client) -> None:
    cook = entity(drawn, "Tim Cook")
    page = reader.get(reverse("graph", args=[drawn.pk], query={"entity": cook.pk})).content.decode()
    assert f'data-entity-panel="{cook.pk}"' in page
    alone = reader.get(reverse("entity", args=[drawn.pk, cook.pk])).content.decode()
    assert "Where it is named" in alone
    assert 'id="canvas"' not in alone
    gone = reader.get(reverse("graph", args=[drawn.pk], query={"entity": 10**9})).content.decode()
    assert "Not in the graph" in gone


def test_a_mention_leads_to_its_marked_words(drawn: Datasource, reader: Client) -> None:
    answer = reader.get(reverse("graph", args=[drawn.pk], query={"entity": entity(drawn, "Zanzibar").pk}))
    (card,) = answer.context["panel"].cards
    page = reader.get(card.address).content.decode()
    assert "Zanzibar</mark>" in page


def test_a_relation_leads_to_the_sentence_that_says_so(drawn: Datasource, reader: Client) -> None:
    ends = entity(drawn, "Brian May"), entity(drawn, "Tim Cook")
    relation = Relation.objects.get(source__in=ends, target__in=ends)
    said = part(reader, "relation", drawn.pk, relation.pk)
    assert "<mark>Brian May</mark> wrote to <mark>Tim Cook</mark>" in said
    assert "p. 1" in said
    whole = reader.get(reverse("relation", args=[drawn.pk, relation.pk]), follow=True).content.decode()
    assert "<mark>Brian May</mark> wrote to" in whole


def test_the_panel_tells_what_is_done_first_and_else_the_sentence_that_names_both(
    contracts: Datasource, reader: Client
) -> None:
    together = "Apple Inc. beside Microsoft Corp. again."
    for title in ("A", "B", "C"):
        learn(make_document(contracts, title, together))
    learn(make_document(contracts, "D", "Brian May wrote to Apple Inc. about it."))
    panel = part(reader, "entity", contracts.pk, entity(contracts, "Apple Inc").pk)
    says, beside = panel.index("What the documents say"), panel.index("In one sentence with")
    assert says < panel.index("wrote to") < panel.index("Brian May") < beside
    assert "<mark>Apple Inc</mark>. beside <mark>Microsoft Corp</mark>. again." in panel[beside:]
    assert panel.count('class="rel-q"') == 2
    assert "named together" not in panel


def test_a_deleted_document_proves_nothing_any_more(drawn: Datasource, reader: Client) -> None:
    letter = Document.objects.get(title="Letter")
    update.change(drawn.pk, withdrawn=[letter.pk])
    said = part(reader, "entity", drawn.pk, entity(drawn, "Tim Cook").pk)
    assert "Letter" not in said
    assert "Notice" in said


def test_an_entity_of_another_datasource_is_not_there(drawn: Datasource, reader: Client, bob: User) -> None:
    other = create_datasource(bob, "Recipes")
    for name, pk in (("entity", entity(drawn, "Queen").pk), ("relation", Relation.objects.first().pk)):  # type: ignore[union-attr]
        assert reader.get(reverse(name, args=[other.pk, pk])).status_code == 404


def test_a_question_is_ready_to_be_asked(drawn: Datasource, reader: Client) -> None:
    answer = reader.get(reverse("graph", args=[drawn.pk], query={"entity": entity(drawn, "Queen").pk}))
    asked = answer.context["panel"].question
    page = reader.get(reverse("chat", args=[drawn.pk], query={"q": asked})).content.decode()
    assert "What do the documents say about Queen?</textarea>" in page


def test_names_are_suggested_while_they_are_typed(drawn: Datasource, reader: Client) -> None:
    address = reverse("entities", args=[drawn.pk], query={"q": "brian"})
    assert "Brian May" in reader.get(address, headers={"HX-Request": "true"}).content.decode()
    assert reader.get(address).status_code == 302


# --- the places ------------------------------------------------------------------------------------------
def test_a_deleted_entity_leaves_no_place(drawn: Datasource) -> None:
    assert EntityPosition.objects.count() == Entity.objects.count() > 5
    ids = list(Document.objects.values_list("pk", flat=True))
    update.change(drawn.pk, removed=ids)
    assert not EntityPosition.objects.exists()
    drawn.delete()


def test_places_stay_when_a_document_is_added(drawn: Datasource) -> None:
    before = {p.entity_id: (p.x, p.y) for p in EntityPosition.objects.all()}
    node_positions.lay_out(drawn.pk)
    again = {p.entity_id: (p.x, p.y) for p in EntityPosition.objects.all()}
    size = np.ptp(np.array(list(before.values())), axis=0).max()
    assert max(np.hypot(*np.subtract(again[pk], at)) for pk, at in before.items()) < size / 4
    learn(make_document(drawn, "More", "Freddie Mercury of Queen met Brian May in Montreux."))
    node_positions.lay_out(drawn.pk)
    after = {p.entity_id: (p.x, p.y) for p in EntityPosition.objects.all()}
    assert len(after) > len(before)


def test_two_names_in_one_sentence_are_one_row_whichever_comes_first(
    contracts: Datasource, reader: Client
) -> None:
    learn(make_document(contracts, "A", "Apple Inc. with Microsoft Corp. in 2019."))
    learn(make_document(contracts, "B", "Microsoft Corp. beside Apple Inc., there."))
    apple = entity(contracts, "Apple Inc")
    both = Relation.objects.filter(
        source__name__regex="Apple|Microsoft", target__name__regex="Apple|Microsoft"
    )
    assert both.count() == 2
    panel = part(reader, "entity", contracts.pk, apple.pk)
    assert re.findall(r"(\d) quotes? about Apple Inc and Microsoft Corp", panel) == ["2"]
    for relation in both:
        quotes = part(reader, "relation", contracts.pk, relation.pk)
        assert " with " in quotes
        assert " beside " in quotes
