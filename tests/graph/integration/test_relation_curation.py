"""Many relations put right at once: left out, brought back, given a type, remembered for later documents."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from graph.curation import services
from graph.models import Decision, Relation
from tests.graph.corpus import PAIRS, upload
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api

pytestmark = pytest.mark.django_db

AGAIN = [f"{text} So it was said again." for text in PAIRS]


@pytest.fixture
def relations(contracts: Datasource) -> list[Relation]:
    upload(contracts, *PAIRS)
    found = list(
        Relation.objects.filter(datasource=contracts).select_related("source", "target").order_by("pk")
    )
    assert len(found) > 1
    return found


def pairs(datasource: Datasource) -> set[tuple[str, str]]:
    return set(Relation.objects.filter(datasource=datasource).values_list("source__key", "target__key"))


def test_what_is_left_out_stays_out_until_it_is_brought_back(
    contracts: Datasource, relations: list[Relation], alice: User
) -> None:
    before, client = pairs(contracts), browser_of(alice)
    address = reverse("graph_relations", args=[contracts.pk])
    ticked = [one.pk for one in relations]
    shown = text_of(client.post(address, {"action": "dismiss", "relation": ticked}, follow=True))
    told = f"What is said of {len(ticked)} pairs is left out of the graph. Undo"
    assert told in shown
    assert not pairs(contracts)
    upload(contracts, *AGAIN)
    assert not pairs(contracts)
    listed = text_of(client.get(address, {"show": "dismissed"}))
    assert (
        f"What is said of “{relations[0].source.name}” and “{relations[0].target.name}” is left out."
        in listed
    )
    first = Decision.objects.order_by("pk")[0]
    client.post(address, {"action": "restore", "decision": [first.pk]})
    assert pairs(contracts) == {(first.key, first.other_key)}
    left = list(Decision.objects.values_list("pk", flat=True))
    said = text_of(client.post(address, {"action": "undo", "decision": left}, follow=True))
    assert f"{len(left)} relation" in said
    assert pairs(contracts) == before


def test_a_type_that_is_set_holds_for_later_documents(
    contracts: Datasource, relations: list[Relation], alice: User
) -> None:
    client, address = browser_of(alice), reverse("graph_relations", args=[contracts.pk])
    one = relations[0]
    kept = {"action": "relate", "relation": [one.pk], "type": " is a  client of "}
    shown = text_of(client.post(address, kept, follow=True))
    assert "1 relation of the type “is a client of” now. Undo" in shown
    upload(contracts, *AGAIN)
    one.refresh_from_db()
    assert one.keywords == ["is a client of"]
    services.undo_several(contracts.pk, list(Decision.objects.all()))
    assert Relation.objects.get(source=one.source_id, target=one.target_id).keywords != ["is a client of"]
    empty: dict[str, Any] = {"action": "relate", "relation": [one.pk], "type": " "}
    assert "A type has 1 to 60 characters." in text_of(client.post(address, empty, follow=True))


def test_a_reader_only_looks(contracts: Datasource, relations: list[Relation], bob: User) -> None:
    client, address = browser_of(bob), reverse("graph_relations", args=[contracts.pk])
    assert "Leave out" not in text_of(client.get(address))
    assert client.post(address, {"action": "dismiss", "relation": [relations[0].pk]}).status_code == 403


def test_programs_decide_about_one_relation(
    contracts: Datasource, relations: list[Relation], alice: User
) -> None:
    api, address, one = Api(alice), f"data-sources/{contracts.pk}/decisions", relations[0]
    api.post(address, {"kind": "relate", "relation": one.pk, "name": "supplies"})
    one.refresh_from_db()
    assert one.keywords == ["supplies"]
    made = api.post(address, {"kind": "dismiss", "relation": one.pk}).json()["decision"]
    assert not Relation.objects.filter(pk=one.pk).exists()
    assert api.post(address, {"kind": "dismiss", "relation": one.pk}).json()["code"] == "no_such_relation"
    api.send("DELETE", f"decisions/{made['id']}")
    again = Relation.objects.get(source=one.source_id, target=one.target_id)
    assert again.keywords == ["supplies"]
