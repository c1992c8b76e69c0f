"""People's decisions about the graph in the admin: nothing is written but by the services."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from graph.curation import services
from graph.models import Decision, DecisionKind, Entity, EntityName
from tests.graph.corpus import TEXTS, named, picture, upload
from tests.people import PASSWORD
from tests.responses import text_of


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root@example.org", PASSWORD, may_see_contents=True))
    return client


def run(client: Client, action: str, *rows: Any) -> Any:
    address = reverse(f"admin:graph_{rows[0]._meta.model_name}_changelist")
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(address, chosen, follow=True)


def save(client: Client, entity: Entity, **values: str) -> Any:
    form = {"name": entity.name, "types": ",".join(entity.types), "alias": ""} | values
    return client.post(reverse("admin:graph_entity_change", args=[entity.pk]), form, follow=True)


def delete(client: Client, decision: Decision) -> Any:
    address = reverse("admin:graph_decision_delete", args=[decision.pk])
    return client.post(address, {"post": "yes"}, follow=True)


def test_two_entities_are_merged_and_the_decision_is_deleted_again(
    staff: Client, contracts: Datasource
) -> None:
    upload(contracts, *TEXTS[:5])
    before = picture(contracts)
    beats, town, apple = (named(contracts, key) for key in ("beats electronics", "cupertino", "apple"))
    assert "Select exactly two entities" in text_of(run(staff, "merge_two", beats, town, apple))
    assert "Select exactly two entities" in text_of(run(staff, "merge_two", beats))
    assert not Decision.objects.exists()
    assert "are now one" in text_of(run(staff, "merge_two", beats, town))
    assert named(contracts, "beats electronics") == named(contracts, "cupertino")
    upload(contracts, TEXTS[7])
    assert named(contracts, "beats electronics") == named(contracts, "cupertino")
    contracts.documents.get(sha256=f"{7:064d}").delete()
    delete(staff, Decision.objects.get())
    assert named(contracts, "beats electronics") != named(contracts, "cupertino")
    assert {e[0] for e in before["entities"]} <= {e[0] for e in picture(contracts)["entities"]}


def test_name_types_and_another_name_become_decisions(staff: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    before = picture(contracts)
    save(staff, named(contracts, "apple"), name="Apple Computer", types="COMPANY,MAKER", alias="Cupertino")
    apple = named(contracts, "apple")
    assert (apple.name, apple.types) == ("Apple Computer", ["COMPANY", "MAKER"])
    assert named(contracts, "cupertino") == apple
    kinds = list(Decision.objects.values_list("kind", "decided_by__email"))
    assert sorted(kinds) == [
        (kind, "root@example.org") for kind in (DecisionKind.MERGE, DecisionKind.RENAME, DecisionKind.RETYPE)
    ]
    again = save(staff, apple, alias="Cupertino")
    assert "It already has this name." in text_of(again)
    assert save(staff, apple, name="").context["adminform"].errors
    save(staff, apple)
    assert Decision.objects.count() == 3
    for decision in Decision.objects.all():
        delete(staff, decision)
    assert picture(contracts) == before


def test_entities_are_left_out_and_brought_back(staff: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    before = picture(contracts)
    run(staff, "leave_out", named(contracts, "apple"), named(contracts, "cupertino"))
    assert named(contracts, "apple").hidden
    assert named(contracts, "cupertino").hidden
    address = reverse("admin:graph_decision_changelist")
    chosen = {"action": "delete_selected", "_selected_action": [d.pk for d in Decision.objects.all()]}
    staff.post(address, chosen | {"post": "yes"})
    assert picture(contracts) == before


def test_a_name_is_split_off_and_kept_apart(staff: Client, contracts: Datasource) -> None:
    upload(contracts, TEXTS[5], TEXTS[8])
    before = picture(contracts)
    micro = EntityName.objects.get(datasource=contracts, key="micro soft")
    assert "is now an entity of its own" in text_of(run(staff, "split_off", micro))
    assert named(contracts, "micro soft") != named(contracts, "microsoft")
    assert "It has no other name." in text_of(run(staff, "split_off", micro))
    other = EntityName.objects.get(datasource=contracts, key="microsoft")
    assert "two different things" in text_of(run(staff, "keep_two_apart", micro, other))
    delete(staff, Decision.objects.get())
    assert picture(contracts) == before


def test_who_may_only_look_decides_nothing(contracts: Datasource, alice: User) -> None:
    upload(contracts, *TEXTS[:2])
    alice.is_staff = True
    alice.save()
    looks = ("view_entity", "view_entityname", "view_decision")
    alice.user_permissions.set(Permission.objects.filter(codename__in=looks))
    client = Client()
    client.force_login(User.objects.get(pk=alice.pk))
    apple, town = named(contracts, "apple"), named(contracts, "cupertino")
    run(client, "merge_two", apple, town)
    run(client, "leave_out", apple)
    assert save(client, apple, name="Pear").status_code == 403
    assert not Decision.objects.exists()
    decision = services.hide(apple)
    assert delete(client, decision).status_code == 403
    assert Decision.objects.filter(pk=decision.pk).exists()
