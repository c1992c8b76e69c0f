"""Webhooks over REST: what an owner's program does with them, and that nobody else's does."""

import pytest

from accounts.models import TokenScope, User
from datasources.models import Datasource, Membership, Role
from exchange.webhooks.models import Webhook, WhyOff
from providers.connections.secrets import decrypted
from providers.connections.services import allow_owners
from tests.rest import Api, program

ADDRESS = "https://hooks.example/a"
ASKED = {"address": ADDRESS, "kinds": ["document.ready", "run.fell"]}


@pytest.fixture
def owner(alice: User) -> Api:
    return Api(alice)


@pytest.fixture
def place(contracts: Datasource) -> str:
    return f"data-sources/{contracts.pk}/webhooks"


def test_the_secret_is_told_once(owner: Api, place: str) -> None:
    made = owner.post(place, ASKED)
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["address"], told["kinds"], told["is_on"]) == (ADDRESS, ASKED["kinds"], True)
    assert told["secret"] == decrypted(Webhook.objects.get().encrypted_secret)
    listed, one = owner.get(place), owner.get(f"{place}/{told['id']}")
    assert listed.json()["results"] == [one.json()]
    assert told["secret"] not in listed.content.decode()
    assert one.json() == {name: value for name, value in told.items() if name != "secret"}


def test_it_is_changed_switched_off_and_on_again_and_deleted(owner: Api, place: str) -> None:
    told = owner.post(place, ASKED).json()
    one, secret = f"{place}/{told['id']}", Webhook.objects.get().encrypted_secret
    changed = owner.send("PATCH", one, {"address": "https://hooks.example/b"}).json()
    assert (changed["address"], changed["kinds"]) == ("https://hooks.example/b", ASKED["kinds"])
    off = owner.send("PATCH", one, {"is_on": False, "kinds": ["run.fell"]}).json()
    assert (off["is_on"], off["why_off"], off["kinds"]) == (False, WhyOff.OWNER, ["run.fell"])
    assert not Webhook.objects.get().deliveries.exclude(next_attempt=None).exists(), "the test that waited"
    on = owner.send("PATCH", one, {"is_on": True}).json()
    assert (on["is_on"], on["why_off"]) == (True, "")
    assert Webhook.objects.get().encrypted_secret == secret
    assert owner.send("DELETE", one).status_code == 204
    assert owner.get(one).status_code == 404
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "asked",
    [
        {"address": "http://127.0.0.1:9/a"},
        {"address": "ftp://hooks.example/"},
        {"address": "https://me@hooks.example/"},
        {"kinds": []},
        {"kinds": ["webhook.test"]},
        {"kinds": ["everything"]},
        {"secret": 5, "is_active": False},
    ],
)
def test_what_the_page_refuses_is_refused(owner: Api, place: str, asked: dict[str, object]) -> None:
    allow_owners(connect=False, private_addresses=False, private_webhooks=False)
    assert owner.post(place, ASKED | asked).status_code == 400
    assert not Webhook.objects.exists()
    one = f"{place}/{owner.post(place, ASKED).json()['id']}"
    assert owner.send("PATCH", one, {"is_on": False, **asked}).status_code == 400
    assert owner.get(one).json()["is_on"], "nothing of it was done"


def test_only_owners_and_programs_that_may_write(
    owner: Api, place: str, alice: User, bob: User, charlie: User, contracts: Datasource
) -> None:
    one = f"{place}/{owner.post(place, ASKED).json()['id']}"
    Membership.objects.update_or_create(datasource=contracts, user=bob, defaults={"role": Role.EDITOR})
    other = Datasource.objects.create(name="Other", owner=alice)
    reader = program(alice, TokenScope.READ)[0]
    elsewhere = program(alice, TokenScope.READ, TokenScope.WRITE, only=[other])[0]
    for api, looked, changed in [
        (Api(bob), 403, 403),
        (Api(charlie), 404, 404),
        (elsewhere, 404, 404),
        (reader, 200, 403),
        (program(alice, TokenScope.ASK)[0], 403, 403),
        (Api(), 401, 401),
    ]:
        assert [api.get(place).status_code, api.get(one).status_code] == [looked] * 2
        sent = [api.post(place, ASKED), api.send("PATCH", one, {"is_on": False}), api.send("DELETE", one)]
        assert [each.status_code for each in sent] == [changed] * 3
    assert Webhook.objects.enabled().count() == 1


def test_a_webhook_of_another_datasource_is_not_there(owner: Api, place: str, charlie: User) -> None:
    own = Datasource.objects.create(name="Own", owner=charlie)
    number = owner.post(place, ASKED).json()["id"]
    for method in ("GET", "PATCH", "DELETE"):
        body = {"is_on": False} if method == "PATCH" else None
        assert Api(charlie).send(method, f"data-sources/{own.pk}/webhooks/{number}", body).status_code == 404
    assert Webhook.objects.enabled().count() == 1
