"""What belongs to people: administrators see numbers and states; names and texts with a logged permission."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import AuditAct, AuditEntry, User
from datasources.models import Datasource, Document, JoinLink, Membership
from events import log
from events.models import Channel
from graph.models import Entity
from ingestion.models import Chunk
from svq_site.admin_site import models_with_contents
from tests.audit import noted
from tests.people import PASSWORD
from tests.world import PRIVATE, SECRET, make_world


@pytest.fixture
def world(contracts: Datasource, alice: User, bob: User, charlie: User) -> SimpleNamespace:
    made = make_world(contracts, alice, bob, charlie)
    JoinLink.objects.update(email=f"{PRIVATE}@example.org")
    alice.name = "Alice"  # people's names are in accounts, which administrators see
    alice.save()
    log.append(f"turn:{made.turn}", "turn_queued", {"question": f"Does {PRIVATE} matter?"})
    return made


@pytest.fixture
def root(db: None) -> User:
    cache.clear()
    return User.objects.create_superuser("root@example.org", PASSWORD)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def allow(person: User) -> None:
    person.may_see_contents = True
    person.save()


def address(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def pages_of(model: Any) -> list[str]:
    keys = [quote(row.pk) for row in model._default_manager.all()[:3]]
    pages = [address(model, "change", key) for key in keys]
    pages += [address(model, page, key) for key in keys[:1] for page in ("history", "delete")]
    return [address(model, "changelist"), *pages]


def test_without_the_permission_no_name_and_no_text_is_on_any_page(world: Any, root: User) -> None:
    client = client_of(root)
    seen = 0
    for model in admin.site._registry:
        if model._meta.app_label in {"procrastinate", "auth"}:
            continue
        for page in pages_of(model):
            answer = client.get(page)
            assert answer.status_code in (200, 403), page
            text = answer.content.decode()
            assert SECRET not in text, page
            assert PRIVATE not in text, page
            seen += 1
    assert seen > 50
    assert not noted().exists()


def test_numbers_and_states_are_shown_to_all_administrators(world: Any, root: User) -> None:
    page = client_of(root).get(address(Document, "change", world.document)).content.decode()
    assert f"document {world.document}" in page
    assert "Ready" in page
    listed = client_of(root).get(address(Document, "changelist")).content.decode()
    assert f"datasource {world.datasource}" in listed


def test_nothing_can_be_asked_about_names_and_texts(world: Any, root: User) -> None:
    """A search or a filter that finds or does not find would tell what is written there."""
    client = client_of(root)
    assert client.get(address(Document, "changelist"), {"title__startswith": SECRET}).status_code == 400
    assert client.get(address(Chunk, "changelist"), {"document__title": SECRET}).status_code == 400
    assert client.get(address(Chunk, "changelist"), {"text__contains": "x"}).status_code == 400
    found = client.get(address(Document, "changelist"), {"q": SECRET}).content.decode()
    none = client.get(address(Document, "changelist"), {"q": "nothing has this"}).content.decode()
    assert found.count("/change/") == none.count("/change/")
    fields = {"app_label": "datasources", "model_name": "membership", "field_name": "datasource"}
    assert client.get("/admin/autocomplete/", fields | {"term": SECRET}).status_code in (403, 404)


def test_nobody_lets_themselves_in_as_a_member_without_the_permission(world: Any, root: User) -> None:
    client = client_of(root)
    form = {"user": root.pk, "datasource": world.datasource, "role": "owner"}
    assert client.post(address(Membership, "add"), form).status_code == 403
    form = {"owner": root.pk, "chunk_size": 1000, "chunk_overlap": 100, "memberships-TOTAL_FORMS": 0}
    client.post(address(Datasource, "change", world.datasource), form | {"memberships-INITIAL_FORMS": 0})
    assert Datasource.objects.get(pk=world.datasource).owner.email == "alice@example.org"
    assert client.post(address(Entity, "change", world.entity), {"name": "Other"}).status_code == 403


def test_what_needs_no_look_can_be_done_unseen(world: Any, root: User) -> None:
    client = client_of(root)
    assert client.post(address(Chunk, "change", world.chunk), {"left_out": "on"}).status_code == 302
    assert Chunk.objects.get(pk=world.chunk).left_out


def test_with_the_permission_each_look_is_logged(world: Any, root: User) -> None:
    allow(root)
    client = client_of(root)
    assert SECRET in client.get(address(Document, "change", world.document)).content.decode()
    client.get(address(Chunk, "changelist"), {"q": "clause"})
    assert PRIVATE in client.get(address(Channel, "change", f"turn:{world.turn}")).content.decode()
    channel, search, look = noted()
    assert (look.email, look.subject, look.number) == (
        root.email,
        "datasources.Document",
        str(world.document),
    )
    assert (search.subject, search.number) == ("ingestion.Chunk", "")
    assert search.address == "GET /admin/ingestion/chunk/"
    assert channel.subject == "events.Channel"
    assert {entry.act for entry in noted()} == {AuditAct.LOOKED}


def test_an_address_that_names_no_row_is_logged_too(root: User) -> None:
    allow(root)
    answer = client_of(root).get("/admin/datasources/document/999999/change/")
    assert answer.status_code in (302, 404)
    assert noted().get().address == "GET /admin/datasources/document/999999/change/"


def test_switching_it_on_for_oneself_is_logged_and_the_log_is_for_reading_alone(root: User) -> None:
    client = client_of(root)
    form = {"email": root.email, "theme": "system", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    page = address(User, "change", root.pk)
    assert client.post(page, form | {"may_see_contents": "on"}).status_code == 302
    assert client.post(page, form).status_code == 302
    off, on = noted().exclude(act=AuditAct.CHANGED)
    assert (on.act, on.email, on.number) == (AuditAct.ALLOWED, root.email, str(root.pk))
    assert off.act == AuditAct.FORBADE
    listed = client.get(address(AuditEntry, "changelist")).content.decode()
    assert "May see contents from now on" in listed
    assert client.post(address(AuditEntry, "delete", on.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [on.pk], "post": "yes"}
    client.post(address(AuditEntry, "changelist"), chosen)
    assert noted().exclude(act=AuditAct.CHANGED).count() == 2


def test_a_superuser_shows_names_to_themselves_from_any_page(world: Any, root: User) -> None:
    client = client_of(root)
    page = address(Entity, "changelist")
    before = client.get(page).content.decode()
    assert f"entity {world.entity}" in before
    assert "rows have numbers instead. You can show them" in " ".join(before.split())
    answer = client.post("/admin/names/", {"show": "1", "next": page})
    assert (answer.status_code, answer.headers["Location"]) == (302, page)
    after = client.get(page).content.decode()
    assert Entity.objects.get(pk=world.entity).name in after
    assert "The audit log keeps each look." in after
    assert (
        client.post("/admin/names/", {"show": "0", "next": "https://example.org/"}).headers["Location"]
        == "/admin/"
    )
    assert f"entity {world.entity}" in client.get(page).content.decode()
    client.post("/admin/names/", {"show": "0"})  # as it is already
    client.post("/admin/names/", {"show": "perhaps"})
    acts = [entry.act for entry in noted().exclude(act=AuditAct.LOOKED)]
    assert acts == [AuditAct.FORBADE, AuditAct.ALLOWED]


def test_other_staff_are_told_whom_to_ask_and_cannot_switch(root: User, alice: User) -> None:
    alice.is_staff = True
    alice.save()
    client = client_of(alice)
    assert "A superuser can let" in client.get("/admin/").content.decode()
    assert client.post("/admin/names/", {"show": "1"}).status_code == 403
    assert not User.objects.get(pk=alice.pk).may_see_contents


def test_staff_who_may_only_add_see_the_list_of_models(alice: User) -> None:
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.filter(codename="add_group"))
    assert client_of(alice).get("/admin/").context["app_list"][0]["models"][0]["object_name"] == "Group"


def test_what_can_only_be_looked_at_stands_apart(root: User) -> None:
    names = [section["name"] for section in client_of(root).get("/admin/").context["app_list"]]
    first = next(place for place, name in enumerate(names) if name.endswith(": only to look at"))
    assert first > 0
    assert all(name.endswith(": only to look at") for name in names[first:])


def test_staff_cannot_give_themselves_more_nor_take_over_a_superuser(root: User, alice: User) -> None:
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client = client_of(alice)
    form = {"email": alice.email, "theme": "system", "is_active": "on"}
    more = {"may_see_contents": "on", "is_superuser": "on", "is_staff": "on"}
    assert client.post(address(User, "change", alice.pk), form | more).status_code == 302
    alice.refresh_from_db()
    assert (alice.may_see_contents, alice.is_superuser, alice.is_staff) == (False, False, True)
    new = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(f"/admin/accounts/user/{root.pk}/password/", new).status_code == 403
    assert client.post(address(User, "change", root.pk), form).status_code == 403
    assert client.post(address(User, "delete", root.pk), {"post": "yes"}).status_code == 403


def test_every_model_of_people_says_what_is_open() -> None:
    ours = {
        "datasources",
        "ingestion",
        "graph",
        "chat",
        "events",
        "evaluation",
        "research",
        "tables",
        "compliance",
        "memos",
        "shares",
        "summaries",
        "connectors",
        "webhooks",
        "outside_tools",
        "bundles",
    }
    registered = {model for model in admin.site._registry if model._meta.app_label in ours}
    assert registered == set(models_with_contents())
