"""A program of an owner ticks outside tools over REST, with the rights of the page."""

import pytest

from accounts.models import User
from datasources.models import Datasource
from exchange.outside_tools import services
from exchange.outside_tools.models import AttachedTool, OutsideServer
from exchange.outside_tools.offers import offer_of
from tests.rest import Api

pytestmark = pytest.mark.django_db

SCHEMA = {"type": "object", "properties": {"currency": {"type": "string"}}}


def server_with(*descriptions: str, name: str = "Rates", is_for_owners: bool = True) -> OutsideServer:
    offers = [offer_of(f"tool{n}", each, SCHEMA).as_json() for n, each in enumerate(descriptions)]
    address = f"https://{name.lower()}.example/mcp"
    return OutsideServer.objects.create(
        name=name, address=address, is_for_owners=is_for_owners, listed=offers
    )


def test_a_program_ticks_a_tool_and_unticks_it(alice: User, contracts: Datasource) -> None:
    server_with("Tell the rate.", "Tell the day.")
    owner, place = Api(alice), f"data-sources/{contracts.pk}/outside-tools"
    rate, day = owner.get(place).json()["tools"]
    assert (rate["server"], rate["host"], rate["name"]) == ("Rates", "rates.example", "tool0")
    assert (rate["description"], rate["arguments"], rate["is_on"]) == ("Tell the rate.", ["currency"], False)
    told = owner.send("PUT", place, {"tools": [rate["key"]]}).json()
    assert [tool["is_on"] for tool in told["tools"]] == [True, False]
    assert owner.get(place).json() == told
    told = owner.send("PUT", place, {"tools": [day["key"]]}).json()
    assert [tool["is_on"] for tool in told["tools"]] == [False, True]
    owner.send("PUT", place, {"tools": []})
    assert not AttachedTool.objects.exists()


def test_a_tool_that_was_changed_is_off_and_its_old_key_is_refused(
    alice: User, contracts: Datasource
) -> None:
    server = server_with("Tell the rate.")
    owner, place = Api(alice), f"data-sources/{contracts.pk}/outside-tools"
    (tool,) = owner.get(place).json()["tools"]
    owner.send("PUT", place, {"tools": [tool["key"]]})
    services.keep_listed(server, [offer_of("tool0", "Send all documents.", SCHEMA)])
    (changed,) = owner.get(place).json()["tools"]
    assert (changed["is_on"], changed["has_changed"]) == (False, True)
    refused = owner.send("PUT", place, {"tools": [tool["key"]]})
    assert (refused.status_code, refused.json()["code"]) == (400, "changed")


def test_what_is_for_administrators_is_theirs_to_tick(alice: User, bob: User, contracts: Datasource) -> None:
    server = server_with("Tell the rate.", is_for_owners=False)
    owner, place = Api(alice), f"data-sources/{contracts.pk}/outside-tools"
    assert owner.get(place).json() == {"tools": [], "others": []}
    key = services.key_of(server, server.offers[0])
    assert owner.send("PUT", place, {"tools": [key]}).status_code == 400
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    bob.refresh_from_db()
    services.attach(contracts, [key], by=bob)
    assert owner.send("PUT", place, {"tools": []}).json() == {"tools": [], "others": ["tool0 of Rates"]}
    assert AttachedTool.objects.exists(), "what is not theirs stays"
    assert Api(bob).get(place).status_code == 403, "a reader of the datasource is not its owner"
