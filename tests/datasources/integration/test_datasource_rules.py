"""What people may call, share and see: the rules of datasources, whoever asks for a change."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import connection
from django.http import Http404
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources import services
from datasources.access import find_datasource
from datasources.lookup import datasource_named
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from datasources.services import (
    change_datasource,
    create_datasource,
    loss_of,
    share,
    unshare,
)
from exchange.shares.services import make_link
from tests.factories import make_document, make_turn
from tests.people import browser_of, person
from tests.rest import Api


def code_of(act, *arguments, **named) -> str:
    with pytest.raises(ValidationError) as refused:
        act(*arguments, **named)
    assert refused.value.code
    return refused.value.code


# --- names and sizes -------------------------------------------------------------------------------------
def test_a_name_is_kept_without_stray_spaces(alice: User) -> None:
    assert create_datasource(alice, "  Sales \n contracts ").name == "Sales contracts"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        (" \n", "name_missing"),
        ("\u202e", "name_missing"),
        ("\u2063\u3164", "name_missing"),
        ("x" * 121, "name_long"),
    ],
)
def test_a_name_that_is_none_is_refused(alice: User, name: str, code: str) -> None:
    assert code_of(create_datasource, alice, name) == code
    assert not Datasource.objects.exists()


def test_one_person_has_a_name_once_whatever_its_case(alice: User, bob: User) -> None:
    create_datasource(alice, "Contracts")
    assert code_of(create_datasource, alice, "CONTRACTS") == "name_taken"
    create_datasource(bob, "Contracts")


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_at_once_for_a_name_one_gets_it(alice: User) -> None:
    together = Barrier(2)

    def create(name: str) -> str:
        together.wait()
        try:
            return create_datasource(alice, name).name
        except ValidationError as refusal:
            return str(refusal.code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as requests:
        answers = set(requests.map(create, ["Contracts", "CONTRACTS"]))
    assert answers == {Datasource.objects.get().name, "name_taken"}


def test_a_datasource_may_keep_its_own_name_and_not_take_another(alice: User) -> None:
    create_datasource(alice, "Contracts")
    other = create_datasource(alice, "Letters")
    change_datasource(other, name="LETTERS")
    assert code_of(change_datasource, other, name="contracts") == "name_taken"
    other.refresh_from_db()
    assert other.name == "LETTERS"


@pytest.mark.parametrize(
    ("size", "overlap", "code"),
    [
        (199, 0, "chunk_size"),
        (8001, 0, "chunk_size"),
        (1000, 501, "chunk_overlap"),
        (1000, -1, "chunk_overlap"),
    ],
)
def test_senseless_chunks_are_refused(contracts: Datasource, size: int, overlap: int, code: str) -> None:
    assert code_of(change_datasource, contracts, chunk_size=size, chunk_overlap=overlap) == code
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (1000, 100)


@pytest.mark.parametrize(("size", "overlap"), [(200, 0), (8000, 4000), (1000, 500)])
def test_the_limits_themselves_are_allowed(contracts: Datasource, size: int, overlap: int) -> None:
    change_datasource(contracts, chunk_size=size, chunk_overlap=overlap)
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (size, overlap)


def test_what_is_not_told_stays_as_it_is(contracts: Datasource) -> None:
    change_datasource(contracts, description=" Signed ones. ")
    change_datasource(contracts, chunk_overlap=0)
    contracts.refresh_from_db()
    assert (contracts.name, contracts.description) == ("Contracts", "Signed ones.")
    assert (contracts.chunk_size, contracts.chunk_overlap) == (1000, 0)


# --- sharing ---------------------------------------------------------------------------------------------
def test_sharing_again_changes_the_role(contracts: Datasource, bob: User) -> None:
    share(contracts, bob, Role.EDITOR)
    assert Membership.objects.get(datasource=contracts).role == Role.EDITOR
    assert contracts.role_of(bob) == Role.EDITOR


def test_the_owner_cannot_be_made_a_member(contracts: Datasource, alice: User) -> None:
    assert code_of(share, contracts, alice, Role.VIEWER) == "already_owner"
    assert contracts.role_of(alice) == Role.OWNER


def test_a_member_who_is_removed_is_a_stranger(contracts: Datasource, bob: User, charlie: User) -> None:
    unshare(contracts, bob)
    unshare(contracts, charlie)  # nobody minds
    assert contracts.role_of(bob) is None
    assert not Datasource.objects.visible_to(bob).exists()


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.ASKER, [Role.ASKER]),
        (Role.VIEWER, [Role.ASKER, Role.VIEWER]),
        (Role.EDITOR, [Role.ASKER, Role.VIEWER, Role.EDITOR]),
        (Role.OWNER, [Role.ASKER, Role.VIEWER, Role.EDITOR, Role.OWNER]),
    ],
)
def test_a_higher_role_may_all_that_a_lower_one_may(
    contracts: Datasource, bob: User, role: Role, allowed: list[Role]
) -> None:
    share(contracts, bob, role)
    assert [needed for needed in Role if contracts.allows(bob, needed)] == allowed


def test_whoever_may_see_a_datasource_is_looked_up_once(
    contracts: Datasource, alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    share(contracts, bob, Role.EDITOR)
    with django_assert_num_queries(1):
        find_datasource(alice, contracts.pk, Role.OWNER, reads=True)
    with django_assert_num_queries(2):  # and the membership, with those of groups
        find_datasource(bob, contracts.pk, Role.EDITOR, reads=True)


# --- who sees what ---------------------------------------------------------------------------------------
def test_people_see_what_is_theirs_or_shared_with_them(
    contracts: Datasource, alice: User, bob: User, charlie: User
) -> None:
    own = create_datasource(bob, "Recipes")
    assert set(Datasource.objects.visible_to(alice)) == {contracts}
    assert set(Datasource.objects.visible_to(bob)) == {contracts, own}
    assert not Datasource.objects.visible_to(charlie).exists()
    assert not Datasource.objects.visible_to(AnonymousUser()).exists()  # type: ignore[arg-type]


def test_not_even_an_administrator_sees_what_is_not_shared(contracts: Datasource) -> None:
    root = person("root")
    root.is_superuser = root.is_staff = True
    root.save()
    assert not Datasource.objects.visible_to(root).exists()


@pytest.mark.parametrize(
    ("status", "visible", "current"),
    [
        (DocumentStatus.READY, True, True),
        (DocumentStatus.FAILED, True, True),
        (DocumentStatus.SUPERSEDED, True, False),
        (DocumentStatus.DELETED, False, False),
    ],
)
def test_a_replaced_version_can_be_looked_at_and_a_deleted_one_cannot(
    contracts: Datasource, bob: User, status: DocumentStatus, visible: bool, current: bool
) -> None:
    make_document(contracts, status=status)
    assert Document.objects.visible_to(bob).exists() is visible
    assert contracts.documents.current().exists() is current


@pytest.mark.parametrize("field", ["name", "description"])
def test_a_text_that_is_too_long_is_refused_and_stays_in_its_field(alice: User, field: str) -> None:
    client = Client()
    client.force_login(alice)
    page = client.get(reverse("new_datasource")).content.decode()
    assert "maxlength" not in page, "the browser would cut what is pasted, without a word"
    values = {"name": "Contracts", "description": ""} | {field: "x" * 501}
    answer = client.post(reverse("new_datasource"), values)
    assert answer.status_code == 422
    assert f"501 of {120 if field == 'name' else 500} characters. Shorten it." in answer.content.decode()
    assert "x" * 501 in answer.content.decode()
    assert not Datasource.objects.exists()


def test_a_description_that_is_too_long_is_never_cut(contracts: Datasource) -> None:
    assert code_of(change_datasource, contracts, description="x" * 501) == "description_long"


def test_a_change_of_a_datasource_that_is_gone_finds_nothing(contracts: Datasource) -> None:
    Datasource.objects.filter(pk=contracts.pk).delete()
    with pytest.raises(Http404):
        change_datasource(contracts, description="Signed ones.")


# --- what a deletion would cost --------------------------------------------------------------------------
def test_a_loss_is_named_in_a_sentence(contracts: Datasource, alice: User) -> None:
    turn = make_turn(alice, make_document(contracts))
    contracts.notes.create(author=alice, question="Kept?")
    make_link(alice, turn, recipient="Ada", days=1)
    make_document(contracts, "Second", "Other words.")
    make_document(contracts, "Old", "Old words.", status=DocumentStatus.SUPERSEDED)
    loss = loss_of(contracts)
    assert (loss.documents, loss.members, loss.more["conversations"]) == (2, 1, 1)
    assert str(loss) == "2 files, 1 share link, 1 conversation and 1 note go with it."


def test_a_datasource_is_known_by_its_name_or_number(contracts: Datasource, alice: User) -> None:
    assert datasource_named(alice, "contracts") == contracts
    assert datasource_named(alice, str(contracts.pk)) == contracts
    assert datasource_named(alice, "²") is None


@pytest.mark.django_db(transaction=True)
def test_who_shares_what_somebody_deletes_meanwhile_is_told_that_it_is_gone(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both ways in: a page and REST."""
    invite = services.invite

    def deleted_meanwhile(datasource: Datasource, *given: Any) -> Any:
        Datasource.objects.all().delete()
        return invite(datasource, *given)

    monkeypatch.setattr(services, "invite", deleted_meanwhile)
    told = Api(alice).post(
        f"data-sources/{contracts.pk}/members", {"email": "dora@example.org", "role": "viewer"}
    )
    assert (told.status_code, told.json()["code"]) == (404, "not_found")
    again = create_datasource(alice, "Again")
    browser = browser_of(alice)
    browser.raise_request_exception = False
    page = reverse("add_member", args=[again.pk])
    assert browser.post(page, {"email": "dora@example.org", "role": "viewer"}).status_code == 404
