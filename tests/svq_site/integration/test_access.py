"""Every address of the site, taken from the URL configuration, tried by everybody.

A new page needs a row in ROWS: its URL name, the lowest level that may use each method, and the arguments.
The address of a form without a page of its own sends everybody who is signed in on to a page with the form.
A page without a row fails `test_every_address_is_classified`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from datasources.models import Datasource, Deletion, Document, Membership, Role
from datasources.services import create_datasource
from graph.aggregate import mentions, update
from graph.curation import services
from graph.extraction.rules.extractor import Rules
from graph.models import Entity, EntityName, MergeCandidate, Relation
from ingestion.models import Chunk
from tests.factories import make_document, make_turn
from tests.people import person
from tests.responses import content_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SECRET = "Quetzalcoatl"  # in every name and text of alice's datasource
PRIVATE = "Xochimilco"  # in alice's conversation, which is hers alone


class Level(IntEnum):
    """Who may, from everybody up. AUTHOR: only whose it is; not even other members."""

    ANYONE = 0
    SIGNED_IN = 1
    VIEWER = 2
    EDITOR = 3
    OWNER = 4
    AUTHOR = 5


ANYONE, SIGNED_IN, VIEWER, EDITOR, OWNER, AUTHOR = Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Which level each method needs. `args` maps the address's arguments to names in the world below."""

    args: dict[str, str] = field(default_factory=dict)
    GET: Level | None = None
    POST: Level | None = None
    PUT: Level | None = None
    PATCH: Level | None = None
    DELETE: Level | None = None
    body: dict[str, Any] = field(default_factory=dict)


OF_DATASOURCE = {"pk": "datasource"}
OF_DOCUMENT = {"pk": "document"}
OF_CONVERSATION = {"pk": "datasource", "conversation": "conversation"}
OF_SOURCE_TURN = {"turn": "turn"}
OF_READER = {"pk": "datasource", "doc": "document"}
OF_ENTITY = {"pk": "datasource", "entity": "entity"}
OF_PAGE = {"pk": "document", "page": "first"}
OF_TURN = {"pk": "turn"}
OF_CITATION = {"pk": "turn", "n": "first"}
OF_CITED_PAGE = {"pk": "turn", "n": "first", "page": "first"}

ROWS = {
    "healthz": Row(GET=ANYONE),
    # --- one's own account ---
    "account_settings": Row(GET=SIGNED_IN, POST=SIGNED_IN),
    "theme": Row(GET=ANYONE, POST=ANYONE, body={"theme": "dark"}),
    "account_email": Row(GET=ANYONE),
    "account_reset_password": Row(GET=ANYONE, POST=ANYONE),
    # --- datasources ---
    "home": Row(GET=SIGNED_IN),
    "new_datasource": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "datasource_settings": Row(args=OF_DATASOURCE, GET=VIEWER, POST=OWNER),
    "datasource_tabs": Row(args=OF_DATASOURCE, GET=VIEWER),
    "add_member": Row(
        args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER, body={"email": "bob@example.org", "role": "editor"}
    ),
    "change_member": Row(
        args=OF_DATASOURCE | {"user": "bob"}, GET=SIGNED_IN, POST=OWNER, body={"role": "editor"}
    ),
    "datasource_delete": Row(args=OF_DATASOURCE, GET=OWNER, POST=OWNER),
    # --- documents ---
    "documents": Row(args=OF_DATASOURCE, GET=VIEWER),
    "documents_upload": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "documents_selection": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR, body={"action": "delete"}),
    "documents_undo": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "rechunk": Row(
        args=OF_DATASOURCE,
        GET=OWNER,
        POST=OWNER,
        body={"chunk_size": "500", "chunk_overlap": "50", "of": "all"},
    ),
    "reading_pause": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "reading_resume": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "document_retry": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_cancel": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_remove": Row(args=OF_READER, GET=SIGNED_IN, POST=EDITOR),
    "document_unlock": Row(args=OF_READER, GET=EDITOR, POST=EDITOR),
    "document_replace": Row(args=OF_READER, GET=EDITOR, POST=EDITOR),
    "document_original": Row(args=OF_READER, GET=VIEWER),
    "receipts": Row(GET=SIGNED_IN),
    "receipt": Row(args={"deletion": "deletion"}, GET=AUTHOR),
    # --- reading ---
    "palette": Row(GET=SIGNED_IN),
    "reader": Row(args=OF_READER, GET=VIEWER),
    "page_image": Row(args=OF_READER | {"number": "first"}, GET=VIEWER),
    "chunks": Row(args=OF_DATASOURCE, GET=VIEWER),
    "leave_out": Row(
        args=OF_DATASOURCE | {"chunk": "chunk"}, GET=SIGNED_IN, POST=EDITOR, body={"left_out": "true"}
    ),
    # --- the graph ---
    "graph": Row(args=OF_DATASOURCE, GET=VIEWER),
    "document_graph": Row(args=OF_DATASOURCE, GET=VIEWER),
    "graph_data": Row(args=OF_DATASOURCE, GET=VIEWER),
    "entities": Row(args=OF_DATASOURCE, GET=VIEWER),
    "entity": Row(args=OF_ENTITY, GET=VIEWER),
    "relation": Row(args=OF_DATASOURCE | {"relation": "relation"}, GET=VIEWER),
    "graph_extraction": Row(
        args=OF_DATASOURCE, GET=VIEWER, POST=OWNER, body={"extractor": "rules", "ontology": "research"}
    ),
    "extraction_state": Row(args=OF_DATASOURCE, GET=VIEWER),
    "extraction_budget": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=OWNER),
    "extraction_retry": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=EDITOR),
    "graph_export": Row(args=OF_DATASOURCE | {"form": "form"}, GET=VIEWER),
    "graph_review": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "graph_decisions": Row(args=OF_DATASOURCE, GET=VIEWER),
    "graph_decision_undo": Row(args=OF_DATASOURCE | {"decision": "decision"}, GET=SIGNED_IN, POST=EDITOR),
    "entity_merge": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    "entity_alias": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"name": "May Inc"}),
    "entity_split": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    "entity_rename": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"name": "June"}),
    "entity_types": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR, body={"types": "PERSON"}),
    "entity_hide": Row(args=OF_ENTITY, GET=EDITOR, POST=EDITOR),
    # --- chat ---
    "chat": Row(args=OF_DATASOURCE, GET=VIEWER),
    "ask_new": Row(args=OF_DATASOURCE, GET=SIGNED_IN, POST=VIEWER, body={"question": "Who?"}),
    "chat_scope": Row(args=OF_DATASOURCE, GET=VIEWER),
    "conversation": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "ask": Row(args=OF_CONVERSATION, GET=SIGNED_IN, POST=AUTHOR),
    "newer_questions": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "rename_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR, POST=AUTHOR),
    "delete_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR, POST=AUTHOR),
    "export_conversation": Row(args=OF_CONVERSATION, GET=AUTHOR),
    "stop": Row(args=OF_SOURCE_TURN, GET=AUTHOR, POST=AUTHOR),
    "source": Row(args=OF_SOURCE_TURN | {"n": "first"}, GET=AUTHOR),
    "source_card": Row(args=OF_SOURCE_TURN | {"n": "first"}, GET=AUTHOR),
    # --- REST ---
    "api-schema": Row(GET=ANYONE),
    "api-docs": Row(GET=ANYONE),
    "api-login": Row(POST=ANYONE),
    "api-refresh": Row(POST=ANYONE),
    "api-datasources": Row(GET=SIGNED_IN, POST=SIGNED_IN, body={"name": "Another"}),
    "api-datasource": Row(
        args=OF_DATASOURCE, GET=VIEWER, PATCH=OWNER, DELETE=OWNER, body={"description": "Changed"}
    ),
    "api-loss": Row(args=OF_DATASOURCE, GET=OWNER),
    "api-members": Row(
        args=OF_DATASOURCE, GET=OWNER, POST=OWNER, body={"email": "bob@example.org", "role": "editor"}
    ),
    "api-member": Row(
        args={"pk": "datasource", "user": "bob"}, PUT=OWNER, DELETE=OWNER, body={"role": "editor"}
    ),
    "api-documents": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR),
    "api-documents-delete": Row(args=OF_DATASOURCE, POST=EDITOR, body={"documents": [999_999_999]}),
    "api-documents-restore": Row(args=OF_DATASOURCE, POST=EDITOR, body={"documents": [999_999_999]}),
    "api-deletions": Row(GET=SIGNED_IN),
    "api-deletion": Row(args={"pk": "deletion"}, GET=AUTHOR),
    "api-document": Row(args=OF_DOCUMENT, GET=VIEWER, DELETE=EDITOR),
    "api-document-replace": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-document-retry": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-document-cancel": Row(args=OF_DOCUMENT, POST=EDITOR),
    "api-pages": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-page": Row(args=OF_PAGE, GET=VIEWER),
    "api-page-image": Row(args=OF_PAGE, GET=VIEWER),
    "api-chunks": Row(args=OF_DOCUMENT, GET=VIEWER),
    "api-chunk": Row(args={"pk": "chunk"}, GET=VIEWER, PATCH=EDITOR, body={"left_out": True}),
    "api-entities": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-document-map": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-entity": Row(args={"pk": "entity"}, GET=VIEWER),
    "api-entity-mentions": Row(args={"pk": "entity"}, GET=VIEWER),
    "api-relations": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-relation": Row(args={"pk": "relation"}, GET=VIEWER),
    "api-relation-evidence": Row(args={"pk": "relation"}, GET=VIEWER),
    "api-decisions": Row(args=OF_DATASOURCE, GET=VIEWER, POST=EDITOR, body={"kind": "hide", "entity": 0}),
    "api-decision": Row(args={"pk": "decision"}, GET=VIEWER, DELETE=EDITOR),
    "api-candidates": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-candidate": Row(args={"pk": "candidate"}, POST=EDITOR, body={"same": False}),
    "api-graph-export": Row(args=OF_DATASOURCE | {"form": "form"}, GET=VIEWER),
    "api-graph-import": Row(args=OF_DATASOURCE, POST=EDITOR),
    "api-extraction": Row(args=OF_DATASOURCE, GET=VIEWER, PATCH=OWNER, body={"ontology": "research"}),
    "api-extraction-estimate": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-failed-chunks": Row(args=OF_DATASOURCE, GET=VIEWER),
    "api-extraction-retry": Row(args=OF_DATASOURCE, POST=EDITOR),
    "api-conversations": Row(args=OF_DATASOURCE, GET=VIEWER, POST=VIEWER),
    "api-ask": Row(args=OF_DATASOURCE, POST=VIEWER, body={"question": "Why?", "wait": False}),
    "api-conversation": Row(
        args={"pk": "conversation"}, GET=AUTHOR, PATCH=AUTHOR, DELETE=AUTHOR, body={"title": "Changed"}
    ),
    "api-conversation-export": Row(args={"pk": "conversation"}, GET=AUTHOR),
    "api-turn": Row(args=OF_TURN, GET=AUTHOR),
    "api-turn-stop": Row(args=OF_TURN, POST=AUTHOR),
    "api-turn-export": Row(args=OF_TURN, GET=AUTHOR),
    "api-citation": Row(args=OF_CITATION, GET=AUTHOR),
    "api-citation-image": Row(args=OF_CITED_PAGE, GET=AUTHOR),
    "api-citation-crop": Row(args=OF_CITED_PAGE, GET=AUTHOR),
    "api-citation-pdf": Row(args=OF_CITATION, GET=AUTHOR),
}


# --- the addresses ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    name: str  # with its namespaces; empty for a pattern that has none
    route: str
    arguments: tuple[str, ...]
    module: str  # of the view

    @property
    def is_admins(self) -> bool:
        return self.route.startswith("admin/")

    @property
    def is_allauths(self) -> bool:
        return self.module.startswith("allauth.")


def walk(
    resolver: URLResolver, spaces: str = "", route: str = "", given: tuple[str, ...] = ()
) -> Iterator[Address]:
    """All addresses below a resolver."""
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        names = given + tuple(entry.pattern.converters) + tuple(entry.pattern.regex.groupindex)
        arguments = tuple(dict.fromkeys(names))
        if isinstance(entry, URLPattern):
            name = f"{spaces}{entry.name}" if entry.name else ""
            yield Address(name=name, route=here, arguments=arguments, module=entry.callback.__module__)
        else:
            inner = f"{spaces}{entry.namespace}:" if entry.namespace else spaces
            yield from walk(entry, inner, here, arguments)


ADDRESSES = list(walk(get_resolver()))
OURS = [address for address in ADDRESSES if not (address.is_admins or address.is_allauths)]
ADMINS = [address for address in ADDRESSES if address.is_admins]
ALLAUTHS = [address for address in ADDRESSES if address.is_allauths]


# --- the people and their things -------------------------------------------------------------------------
@pytest.fixture
def world(contracts: Datasource, alice: User, bob: User, charlie: User) -> Any:
    """alice owns a datasource with secrets, erin edits it, bob reads it; charlie has one of his own."""
    cache.clear()  # throttles count there
    erin = person("erin")
    Membership.objects.create(datasource=contracts, user=erin, role=Role.EDITOR)
    make_document(create_datasource(charlie, "Recipes"), "Soup", "Boil it for an hour.")
    alice.name = f"Alice {SECRET}"
    alice.save()
    contracts.name, contracts.description = f"{SECRET} contracts", f"About {SECRET}"
    contracts.save()
    document = make_document(contracts, f"{SECRET} report", f"The {SECRET} clause ends in May.")
    turn = make_turn(alice, document, f"Does {PRIVATE} matter?")
    entity = learn(document)
    decision = services.rename(entity, f"{SECRET} itself", alice)
    relation, candidate = compare(entity)
    return SimpleNamespace(
        people={OWNER: alice, EDITOR: erin, VIEWER: bob, SIGNED_IN: charlie, ANYONE: None},
        datasource=contracts.pk,
        document=document.pk,
        chunk=Chunk.objects.get(document=document).pk,
        conversation=turn.conversation_id,
        turn=turn.pk,
        entity=entity.pk,
        decision=decision.pk,
        relation=relation.pk,
        candidate=candidate.pk,
        deletion=receipt_of(contracts).pk,
        bob=bob.pk,
        first=1,
        form="json",
    )


def receipt_of(datasource: Datasource) -> Deletion:
    """The receipt of a document that was there once."""
    return Deletion.objects.create(
        batch=uuid4(), owner=datasource.owner, datasource=datasource.pk, datasource_name=datasource.name,
        document=0, document_name=f"{SECRET} draft",
    )  # fmt: skip


def learn(document: Document) -> Entity:
    """What the document names enters the graph; one such thing."""
    chunks = list(document.chunks.all())
    mentions.store(chunks, Rules().extract(document.title, [chunk.text for chunk in chunks]), Rules.name)
    update.change(document.datasource_id, added=[document.pk])
    return Entity.objects.filter(datasource=document.datasource_id).earliest("pk")


def compare(entity: Entity) -> tuple[Relation, MergeCandidate]:
    """Another thing, what is said of both, and the question whether they are one."""
    more = {"datasource": entity.datasource, "key": "other", "name": f"{SECRET} other"}
    other = Entity.objects.create(**more)
    name = EntityName.objects.create(entity=other, **more)
    return (
        Relation.objects.create(
            datasource=entity.datasource, source=entity, target=other, description=f"About {SECRET}."
        ),
        MergeCandidate.objects.create(datasource=entity.datasource, a=entity.names.get(), b=name, score=0.9),
    )


def client_of(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user:
        client.force_login(user)
    return client


def send(client: Client, method: str, path: str, body: dict[str, Any]) -> Any:
    """One request whose changes are undone. Pages get a form, REST gets JSON."""
    with transaction.atomic():
        if method == "GET":
            response = client.get(path)
        elif path.startswith("/api/"):
            response = client.generic(method, path, json.dumps(body), content_type="application/json")
        elif method == "POST":
            response = client.post(path, body)
        else:
            response = client.generic(method, path)
        transaction.set_rollback(True)
    return response


# --- what is expected ------------------------------------------------------------------------------------
def expected(needed: Level, who: Level) -> str:
    """One of "in", "sign in", "forbidden", "not found"."""
    if who >= needed or (needed is AUTHOR and who is OWNER):
        return "in"
    if who is ANYONE:
        return "sign in"
    if who is SIGNED_IN or needed is AUTHOR:
        return "not found"  # a stranger must not even learn that it exists
    return "forbidden"


def outcome(response: Any) -> str:
    status, location = response.status_code, response.headers.get("Location", "")
    if status == 401 or (status in {301, 302} and "login" in location):
        return "sign in"
    if status >= 500 and status != 503:  # healthz names what is not ready
        return f"broken ({status})"
    return {403: "forbidden", 404: "not found", 405: "method not allowed"}.get(status, "in")


def test_every_address_is_classified() -> None:
    missing = [address.name or address.route for address in OURS if address.name not in ROWS]
    assert not missing, f"add rows to ROWS for {missing}"
    gone = set(ROWS) - {address.name for address in OURS}
    assert not gone, f"these rows have no address any more: {gone}"


def test_streams_are_the_only_addresses_outside_of_django() -> None:
    from svq_site import asgi  # builds the application, so not before the tests begin

    assert [route for route, _ in asgi.ROUTES] == [r"^events/$", r"^events/html/$", ""]


@pytest.mark.parametrize("name", [address.name for address in OURS if address.name in ROWS])
def test_who_gets_in(name: str, world: Any) -> None:
    row = ROWS[name]
    path = reverse(name, kwargs={argument: getattr(world, of) for argument, of in row.args.items()})
    problems = []
    for who, user in world.people.items():
        client = client_of(user)
        for method in METHODS:
            needed: Level | None = getattr(row, method)
            if needed is None and (who is not OWNER or ANYONE in (row.GET, row.POST)):
                continue  # what no row allows is tried by the owner alone
            response = send(client, method, path, row.body)
            got = outcome(response)
            wanted = "method not allowed" if needed is None else expected(needed, who)
            if got != wanted and not (needed is ANYONE and "broken" not in got):
                problems.append(f"{method} {path} as {who.name}: {got}, not {wanted}")
            problems += [f"{method} {path} tells {who.name} {text}" for text in leaks(response, who)]
            if path.startswith("/api/") and response.status_code >= 400:
                assert set(response.json()) == {"code", "message", "hint"}, (method, path)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "name", [name for name, row in ROWS.items() if row.POST and not name.startswith("api-")]
)
def test_every_address_of_a_form_can_be_reloaded(name: str, world: Any) -> None:
    """A refused form is shown at its own address: a reload must not end in "method not allowed"."""
    path = reverse(name, kwargs={argument: getattr(world, of) for argument, of in ROWS[name].args.items()})
    shown = client_of(world.people[OWNER]).get(path, follow=True)
    assert (shown.status_code, shown["Content-Type"].partition(";")[0]) == (200, "text/html"), name


def leaks(response: Any, who: Level) -> list[str]:
    """What the response tells that this person must not know."""
    hidden = []
    if who <= SIGNED_IN:
        hidden += [SECRET, "alice@example.org"]
    if who is not OWNER:
        hidden.append(PRIVATE)
    content = content_of(response)
    return [text for text in hidden if text.encode() in content]


def test_members_see_what_strangers_must_not(world: Any) -> None:
    owner, viewer = client_of(world.people[OWNER]), client_of(world.people[VIEWER])
    for name in ("api-document", "api-pages", "api-chunks"):
        assert SECRET in viewer.get(reverse(name, args=[world.document])).content.decode()
    assert PRIVATE in owner.get(reverse("api-turn", args=[world.turn])).content.decode()


def test_the_admin_is_for_staff(world: Any) -> None:
    values = {
        "object_id": str(world.datasource), "app_label": "datasources", "url": "datasources/",
        "id": "1",
        "content_type_id": str(ContentType.objects.get_for_model(Datasource).pk),
    }  # fmt: skip
    problems = []
    for who in (OWNER, SIGNED_IN, ANYONE):
        client = client_of(world.people[who])
        for address in ADMINS:
            if address.name in {"admin:login", "admin:logout"}:
                continue
            path = "/admin/datasources/nothing"
            if address.name:
                path = reverse(address.name, kwargs={name: values[name] for name in address.arguments})
            for method in ("GET", "POST"):
                response = send(client, method, path, {})
                if outcome(response) == "in" or SECRET.encode() in content_of(response):
                    problems.append(f"{method} {path} as {who.name}")
    assert len(ADMINS) > 50
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("who", [SIGNED_IN, ANYONE])
def test_sign_in_pages_tell_nothing(who: Level, world: Any) -> None:
    values = {"key": "3-abc", "uidb36": "1"}
    problems = []
    for address in ALLAUTHS:
        path = reverse(address.name, kwargs={name: values[name] for name in address.arguments})
        for method in ("GET", "POST"):
            response = send(client_of(world.people[who]), method, path, {})
            problems += [f"{method} {path}: {response.status_code}"] * (response.status_code >= 500)
            problems += [f"{method} {path} tells {text}" for text in leaks(response, who)]
    assert not problems, "\n".join(problems)
