"""The admin: every model can be listed, searched and opened, and deleting there loses no file silently."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import CompositePrimaryKey
from django.test import Client
from django.urls import reverse

from accounts.models import GroupMember, PeopleGroup, User
from chat.models import Conversation
from datasources.models import Datasource, Document
from events import log
from events.models import Channel, Event
from graph.models import Decision, Entity, EntityName
from ingestion.models import Chunk, Page
from tests.factories import TEXT, make_document, make_turn, make_vector
from tests.people import PASSWORD

APPS = ("accounts", "datasources", "ingestion", "graph", "chat", "events")
MODELS = [
    model
    for app in APPS
    for model in apps.get_app_config(app).get_models()
    if model is not Event and not isinstance(model._meta.pk, CompositePrimaryKey)  # vectors
]


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    root = User.objects.create_superuser("root@example.org", PASSWORD, may_see_contents=True)
    client.force_login(root)
    return client


@pytest.fixture
def things(contracts: Datasource, alice: User) -> Document:
    """At least one row of the models that people look at."""
    document = make_document(contracts)
    turn = make_turn(alice, document)
    log.append(turn.channel, "turn_queued", {"question": "<b>How long?</b>"})
    make_vector(Chunk.objects.get(), [1.0, 0.0, 0.0])
    entity = Entity.objects.create(datasource=contracts, key="backup", name="Backup")
    EntityName.objects.create(datasource=contracts, key="backup", name="Backup", entity=entity)
    Decision.objects.create(datasource=contracts, kind="hide", key="backup", decided_by=alice)
    return document


def changelist(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def delete_address(thing: Any) -> str:
    return reverse(f"admin:{thing._meta.app_label}_{thing._meta.model_name}_delete", args=[thing.pk])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_can_be_listed_searched_and_opened(model: Any, staff: Client, things: Document) -> None:
    registered = admin.site._registry[model]
    assert registered.search_fields
    assert registered.list_filter
    assert len(registered.list_display) > 1
    row = model._default_manager.first()
    assert staff.get(changelist(model)).status_code == 200
    assert staff.get(changelist(model), {"q": "backup"}).status_code == 200
    if row is not None:
        opened = reverse(
            f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[quote(row.pk)]
        )
        assert opened in staff.get(changelist(model)).content.decode()
        assert staff.get(opened).status_code == 200


def test_its_pages_have_the_icon_of_all_pages(staff: Client, things: Document) -> None:
    """Without one, a browser asks for /favicon.ico, which is not there."""
    for address in (reverse("admin:index"), changelist(Page)):
        icon = re.search(r'<link rel="icon" href="([^"]+)"', staff.get(address).content.decode())
        assert icon
        assert "favicon" in icon[1]


def test_no_two_blocks_and_no_two_kinds_of_groups_have_one_name(staff: Client) -> None:
    blocks = staff.get(reverse("admin:index")).context["app_list"]
    names = [block["name"] for block in blocks]
    assert len(set(names)) == len(names)
    groups = [model["name"] for block in blocks for model in block["models"] if "roups" in str(model["name"])]
    assert sorted(groups) == ["Groups of people", "Groups of rights"]


def test_a_search_finds_by_text(staff: Client, things: Document) -> None:
    found = staff.get(changelist(Page), {"q": TEXT[:20]}).content.decode()
    assert f"/admin/ingestion/page/{Page.objects.get().pk}/change/" in found
    nothing = staff.get(changelist(Page), {"q": "zebra"}).content.decode()
    assert "/change/" not in nothing


def test_what_a_job_wrote_cannot_be_changed_by_hand(staff: Client, things: Document) -> None:
    page = Page.objects.get()
    address = reverse("admin:ingestion_page_change", args=[page.pk])
    assert staff.post(address, {"text": "forged"}).status_code == 403
    assert staff.post(delete_address(page), {"post": "yes"}).status_code == 403
    assert Page.objects.get().text == TEXT


def test_a_chunk_can_be_left_out_but_not_rewritten(staff: Client, things: Document) -> None:
    chunk = Chunk.objects.get()
    address = reverse("admin:ingestion_chunk_change", args=[chunk.pk])
    assert staff.post(address, {"left_out": "on", "text": "forged"}).status_code == 302
    chunk.refresh_from_db()
    assert (chunk.left_out, chunk.text) == (True, TEXT)


@pytest.mark.django_db(transaction=True)  # files are deleted by a job
def test_a_deleted_document_takes_its_file_along(staff: Client, things: Document, work: Any) -> None:
    path = Path(things.file.path)
    asked = staff.get(delete_address(things))
    assert things.title in asked.content.decode()
    assert path.exists()
    assert staff.post(delete_address(things), {"post": "yes"}).status_code == 302
    assert not Document.objects.exists()
    work()
    assert not path.exists()


@pytest.mark.django_db(transaction=True)  # files are deleted by a job
def test_selected_documents_take_their_files_along(staff: Client, things: Document, work: Any) -> None:
    newer = make_document(things.datasource, "Newer", "Other text.", replaces=things)
    paths = [Path(things.file.path), Path(newer.file.path)]
    chosen = {"action": "delete_selected", "_selected_action": [newer.pk, things.pk], "post": "yes"}
    assert staff.post(changelist(Document), chosen).status_code == 302
    assert not Document.objects.exists()
    work()
    assert not any(path.exists() for path in paths)


@pytest.mark.django_db(transaction=True)  # files are deleted by a job
def test_deleting_a_datasource_names_the_loss_first(staff: Client, things: Document, work: Any) -> None:
    path, datasource = Path(things.file.path), things.datasource
    asked = staff.get(delete_address(datasource)).content.decode()
    assert "1 file and 1 conversation go with it." in asked
    assert staff.post(delete_address(datasource), {"post": "yes"}).status_code == 302
    assert not Datasource.objects.exists()
    work()
    assert not path.exists()


def test_a_deleted_conversation_takes_its_events_along(staff: Client, things: Document) -> None:
    assert staff.post(delete_address(Conversation.objects.get()), {"post": "yes"}).status_code == 302
    assert not Conversation.objects.exists()
    assert not Event.objects.exists()


def test_events_are_shown_with_their_channel_as_text(staff: Client, things: Document) -> None:
    channel = Channel.objects.get()
    shown = staff.get(reverse("admin:events_channel_change", args=[channel.pk])).content.decode()
    assert "turn_queued" in shown
    assert "<b>How long?</b>" not in shown


def test_an_account_that_owns_something_is_not_deleted(
    staff: Client, things: Document, charlie: User
) -> None:
    alice = things.datasource.owner
    GroupMember.objects.create(group=PeopleGroup.objects.create(name="Legal"), person=charlie)
    assert staff.post(delete_address(alice), {"post": "yes"}).status_code == 403
    assert staff.post(delete_address(charlie), {"post": "yes"}).status_code == 302
    assert User.objects.filter(pk=alice.pk).exists()
    assert not User.objects.filter(pk=charlie.pk).exists()


def test_an_account_is_made_by_email_in_small_letters(staff: Client) -> None:
    new = {
        "email": "Dora@Example.org",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    assert staff.post(reverse("admin:accounts_user_add"), new).status_code == 302
    assert User.objects.get(email="dora@example.org").check_password(PASSWORD)
    again = staff.post(reverse("admin:accounts_user_add"), new)
    assert again.status_code == 200  # the form, with its error
    assert User.objects.filter(email__iexact="dora@example.org").count() == 1
