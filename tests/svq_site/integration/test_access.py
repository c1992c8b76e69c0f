"""Every address of the site, tried by everybody.

The address of a form without a page of its own sends everybody who is signed in on to a page with the form.
A page without a row in `tests.addresses` fails `test_every_address_is_classified`.
"""

import json
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources import matters
from datasources.models import Datasource, Document, Matter
from svq_site.serving.refusals import SCIM
from tests.addresses import (
    ADMINISTRATOR,
    ADMINS,
    ALLAUTHS,
    ANYONE,
    ASKER,
    AUTHOR,
    DIRECTORY,
    EDITOR,
    METHODS,
    OURS,
    OWNER,
    ROWS,
    SIGNED_IN,
    VIEWER,
    Level,
    path_of,
)
from tests.factories import make_turn
from tests.responses import content_of
from tests.world import DIRECTORY_TOKEN, PRIVATE, SECRET, client_of, client_with

pytest_plugins = ["tests.shared_world"]

IMAGES = {
    "page_image",
    "api-page-image",
    "api-citation-image",
    "api-citation-crop",
    "api-citation-pdf",
    "gap_crop",
    "passage_crop",
    "source_page",
}
FOR_GOOD = "private, max-age=31536000, immutable"
NOTHING = "private, no-store"


@pytest.fixture
def world(shared_world: SimpleNamespace) -> SimpleNamespace:
    return shared_world


def send(client: Client, method: str, path: str, body: dict[str, Any]) -> Any:
    """One request whose changes are undone. Pages get a form, REST gets JSON."""
    with transaction.atomic():
        if method == "GET":
            response = client.get(path)
        elif path.startswith(("/api/", SCIM)):
            response = client.generic(method, path, json.dumps(body), content_type="application/json")
        elif method == "POST":
            response = client.post(path, body)
        else:
            response = client.generic(method, path)
        transaction.set_rollback(True)
    return response


# --- what is expected ------------------------------------------------------------------------------------
def expected(needed: Level, who: Level) -> set[str]:
    """Of "in", "sign in", "forbidden", "not found"."""
    if needed is DIRECTORY:
        return {"sign in"}
    if who >= needed or (needed is AUTHOR and who is OWNER):
        return {"in"}
    if who is ANYONE:
        return {"sign in"}
    if who is SIGNED_IN or needed >= AUTHOR:
        return {"not found"}  # a stranger must not even learn that it exists
    return {"forbidden", "not found"} if who is ASKER else {"forbidden"}


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


def test_streams_and_probes_are_the_only_addresses_outside_of_django() -> None:
    from svq_site import asgi  # builds the application, so not before the tests begin

    outside = [r"^events/$", r"^events/html/$", r"^mcp/?$", r"^livez$", r"^readyz$"]
    assert [route for route, _ in asgi.ROUTES] == [*outside, ""]


@pytest.mark.parametrize("name", [address.name for address in OURS if address.name in ROWS])
def test_who_gets_in(name: str, world: Any) -> None:
    row = ROWS[name]
    path = path_of(name, world)
    problems = []
    for who, user in world.people.items():
        client = client_of(user)
        for method in METHODS:
            needed: Level | None = getattr(row, method)
            if who is ASKER and needed is not None and needed > VIEWER:
                continue  # what a viewer is refused; their own answers have a test below
            if needed is None and (who is not OWNER or {ANYONE, DIRECTORY} & {row.GET, row.POST}):
                continue  # what no row allows is tried by the owner alone
            response = send(client, method, path, row.body)
            got = outcome(response)
            wanted = {"method not allowed"} if needed is None else expected(needed, who)
            if got not in wanted and not (needed is ANYONE and "broken" not in got):
                problems.append(f"{method} {path} as {who.name}: {got}, not {sorted(wanted)}")
            problems += [f"{method} {path} tells {who.name} {text}" for text in leaks(response, who)]
            problems += kept(response, f"{method} {path} as {who.name}", is_image=name in IMAGES)
            if path.startswith("/api/") and response.status_code >= 400:
                others = {"success", "error", "details"} if "-compatible-" in name else set()
                assert set(response.json()) == {"code", "message", "hint"} | others, (method, path)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.GET is DIRECTORY])
def test_a_directory_gets_in_by_its_token_and_without_it_nobody_does(name: str, world: Any) -> None:
    row, path = ROWS[name], path_of(name, world)
    User.objects.create_superuser(
        "chief@example.org"
    )  # where there is none, nobody's account can be shut off
    for method in METHODS:
        for token in ("", "scim_of-no-directory", f"{DIRECTORY_TOKEN}x"):
            assert outcome(send(client_with(token), method, path, row.body)) == "sign in", (method, token)
        response = send(client_with(DIRECTORY_TOKEN), method, path, row.body)
        if getattr(row, method) is None:
            assert outcome(response) == "method not allowed", method
        elif name == "scim_nothing":
            assert outcome(response) == "not found"
        else:
            assert response.status_code in (200, 201, 204), (method, response.content)


def test_who_leaves_a_group_is_a_stranger_at_every_address(world: Any) -> None:
    """erin sees the datasource by a group alone."""
    erin, problems = world.people[EDITOR], []
    with transaction.atomic():
        erin.group_members.all().delete()
        client = client_of(erin)
        for name, row in ROWS.items():
            for method in METHODS:
                if getattr(row, method) in (VIEWER, EDITOR):
                    response = send(client, method, path_of(name, world), row.body)
                    if outcome(response) != "not found" or leaks(response, SIGNED_IN):
                        problems.append(f"{method} {name}: {outcome(response)}")
        transaction.set_rollback(True)
    assert not problems, "\n".join(problems)


# What could be carried away of one's own answers, or shows them to others.
CARRIED = {
    "export_conversation",
    "export_conversation_word",
    "export_cited",
    "conversation_pack",
    "conversation_pack_file",
    "answer_pack",
    "answer_pack_file",
    "share_answer",
    "share_conversation",
    "keep_answer",
    "keep_quote",
    "api-bibliography",
    "api-conversation-export",
    "api-conversation-pack",
    "api-conversation-share-links",
    "api-turn-export",
    "api-turn-pack",
    "api-turn-share-links",
    "api-citation-pdf",
}


def test_whoever_may_only_ask_has_answers_and_proofs_of_their_own_and_carries_nothing_away(
    world: Any,
) -> None:
    ann, problems = world.people[ASKER], []
    client = client_of(ann)
    with transaction.atomic():
        turn = make_turn(ann, Document.objects.get(pk=world.document), "When does the clause end?")
        own = SimpleNamespace(**vars(world) | {"turn": turn.pk, "conversation": turn.conversation_id})
        for name, row in ROWS.items():
            if not {"turn", "conversation"} & set(row.args.values()):
                continue
            for method in METHODS:
                if getattr(row, method) is None:
                    continue
                got = outcome(send(client, method, path_of(name, own), row.body))
                if got != ("forbidden" if name in CARRIED else "in"):
                    problems.append(f"{method} {name}: {got}")
        transaction.set_rollback(True)
    assert not problems, "\n".join(problems)


# What an address names that is in the archived datasource.
ARCHIVED = {
    "datasource",
    "document",
    "document_as_id",
    "chunk",
    "conversation",
    "turn",
    "entity",
    "decision",
    "relation",
    "candidate",
    "question_set",
    "run",
    "table",
    "paper_import",
    "assessment",
    "check",
    "subject",
}


def test_nobody_changes_what_is_archived_at_any_address(world: Any) -> None:
    """Its owner is told so (409), by whatever method, and can read all of it."""
    owner, problems = world.people[OWNER], []
    client = client_of(owner)
    with transaction.atomic():
        matters.archive(Matter.objects.get(pk=world.matter), by=owner)
        for name, row in ROWS.items():
            if not ARCHIVED & set(row.args.values()) or "matter" in name:
                continue
            for method in METHODS:
                if getattr(row, method) is None:
                    continue
                response = send(client, method, path_of(name, world), row.body)
                told = content_of(response)
                is_refused = response.status_code == 409 and b"archived with its matter" in told
                if is_refused == (method == "GET"):
                    problems.append(f"{method} {name}: {response.status_code}")
        transaction.set_rollback(True)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, row in ROWS.items()
        if row.POST and row.GET not in (ADMINISTRATOR, DIRECTORY) and not name.startswith("api-")
        if name != "oauth_authorize"  # without what a program asks in its address, there is no form
    ],
)
def test_every_address_of_a_form_can_be_reloaded(name: str, world: Any) -> None:
    """A refused form is shown at its own address: a reload must not end in "method not allowed"."""
    path = path_of(name, world)
    shown = client_of(world.people[OWNER]).get(path, follow=True)
    assert (shown.status_code, shown["Content-Type"].partition(";")[0]) == (200, "text/html"), name


def kept(response: Any, asked: str, *, is_image: bool = False) -> list[str]:
    """What a browser or a proxy keeps of it, and should not: images of pages alone are, by their reader."""
    said = response["Cache-Control"]
    allowed = {NOTHING, FOR_GOOD} if is_image else {NOTHING}
    return [] if said in allowed else [f"{asked} is kept: {said}"]


def leaks(response: Any, who: Level) -> list[str]:
    """What the response tells that this person must not know."""
    hidden = []
    if who <= SIGNED_IN:
        hidden += [SECRET, "alice@example.org"]
    if who is not OWNER:
        hidden.append(PRIVATE)
    content = content_of(response)
    return [text for text in hidden if text.encode() in content]


def test_the_image_of_a_page_is_kept_and_no_error_or_redirect(world: Any) -> None:
    client = client_of(world.people[OWNER])
    assert client.get(path_of("page_image", world))["Cache-Control"] == FOR_GOOD
    for path in ("/nowhere", "/api/v1/nowhere", "/admin"):
        assert client.get(path)["Cache-Control"] == NOTHING, path


def test_members_see_what_strangers_must_not(world: Any) -> None:
    owner, viewer = client_of(world.people[OWNER]), client_of(world.people[VIEWER])
    for name in ("api-document", "api-pages", "api-chunks"):
        assert SECRET in viewer.get(reverse(name, args=[world.document])).content.decode()
    assert PRIVATE in owner.get(reverse("api-turn", args=[world.turn])).content.decode()


def test_the_admin_is_for_staff(world: Any) -> None:
    values = {
        "object_id": str(world.datasource),
        "app_label": "datasources",
        "url": "datasources/",
        "id": "1",
        "content_type_id": str(ContentType.objects.get_for_model(Datasource).pk),
    }
    problems = []
    # One check lets all of them in or out, so each address is tried by one of the three.
    clients = {who: client_of(world.people[who]) for who in (OWNER, SIGNED_IN, ANYONE)}
    for address, who in zip(ADMINS, cycle(clients), strict=False):
        if address.name in {"admin:login", "admin:logout"}:
            continue
        path = "/admin/datasources/nothing"
        if address.name:
            path = reverse(address.name, kwargs={name: values[name] for name in address.arguments})
        for method in ("GET", "POST"):
            response = send(clients[who], method, path, {})
            if outcome(response) == "in" or SECRET.encode() in content_of(response):
                problems.append(f"{method} {path} as {who.name}")
            problems += kept(response, f"{method} {path} as {who.name}")
    assert len(ADMINS) > 50
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("who", [SIGNED_IN, ANYONE])
def test_sign_in_pages_tell_nothing(who: Level, world: Any) -> None:
    values = {"key": "3-abc", "uidb36": "1", "pk": "1"}
    problems = []
    for address in ALLAUTHS:
        path = reverse(address.name, kwargs={name: values[name] for name in address.arguments})
        for method in ("GET", "POST"):
            response = send(client_of(world.people[who]), method, path, {})
            problems += [f"{method} {path}: {response.status_code}"] * (response.status_code >= 500)
            problems += [f"{method} {path} tells {text}" for text in leaks(response, who)]
            problems += kept(response, f"{method} {path}")
    assert not problems, "\n".join(problems)
