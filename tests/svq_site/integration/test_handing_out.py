"""A file that takes a while to make is not handed to somebody who has lost the right to it meanwhile."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import ApiToken, AuditAct, AuditEntry, TokenScope, User
from chat.models import Turn
from datasources.models import Datasource, Membership
from exchange.bundles import sending as bundles
from exchange.packs import sending as packs
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import content_of
from tests.rest import program

pytestmark = pytest.mark.django_db(transaction=True)


def hand_over(datasource: Datasource, person: User) -> None:
    datasource.owner = User.objects.exclude(pk=person.pk).earliest("pk")
    datasource.save()


def shut_off(datasource: Datasource, person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def revoke(datasource: Datasource, person: User) -> None:
    ApiToken.objects.all().delete()


def put_out(datasource: Datasource, person: User) -> None:
    Membership.objects.filter(user=person).delete()


@pytest.fixture
def turn(contracts: Datasource, bob: User) -> Turn:
    """Of a member."""
    return make_turn(bob, make_document(contracts))


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """While a bundle or a pack is made."""
    write_pack = packs.write_pack

    def exported(*given: Any, **more: Any) -> Iterator[bytes]:
        yield b"PK the first half"
        happens()
        yield b"and the second"

    def written(content: Any) -> Any:
        file = write_pack(content)
        happens()
        return file

    monkeypatch.setattr(bundles, "export", exported)
    monkeypatch.setattr(packs, "write_pack", written)


@pytest.mark.parametrize("lose", [hand_over, shut_off, revoke])
def test_a_bundle_is_not_handed_to_who_was_its_owner(
    lose: Callable[[Datasource, User], None],
    contracts: Datasource,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rest, _ = program(alice, TokenScope.READ)
    page, by_rest = reverse("bundle_file", args=[contracts.pk]), f"data-sources/{contracts.pk}/bundle"
    meanwhile(monkeypatch, lambda: None)
    assert b"the second" in content_of(browser_of(alice).get(page))
    assert b"the second" in content_of(rest.get(by_rest))
    meanwhile(monkeypatch, lambda: lose(contracts, alice))
    noted = AuditEntry.objects.filter(act=AuditAct.TOOK).count()
    refused = [rest.get(by_rest)] if lose is revoke else [browser_of(alice).get(page)]
    assert [answer.status_code for answer in refused] == [404]
    assert all(b"half" not in answer.content for answer in refused)
    assert AuditEntry.objects.filter(act=AuditAct.TOOK).count() == noted, "it was not taken"


@pytest.mark.parametrize("lose", [put_out, shut_off])
def test_a_pack_is_not_handed_to_who_was_a_member(
    lose: Callable[[Datasource, User], None],
    turn: Turn,
    contracts: Datasource,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = browser_of(bob)
    address = reverse("answer_pack_file", args=[turn.pk])
    assert content_of(page.get(address)).startswith(b"PK")
    meanwhile(monkeypatch, lambda: lose(contracts, bob))
    refused = page.get(address)
    assert refused.status_code == 404
    assert b"PK" not in refused.content
