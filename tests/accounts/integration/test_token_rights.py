"""What an API token may do by its rights, at every address of REST."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.urls import resolve

from accounts.models import TokenScope
from datasources.services import create_datasource
from svq_site.api_rights import METHODS, OPEN, rights, table
from tests.addresses import ADMINISTRATOR, ANYONE, OWNER, ROWS, path_of
from tests.responses import content_of
from tests.rest import program
from tests.world import PRIVATE, SECRET

pytest_plugins = ["tests.shared_world"]

READ, ASK, WRITE = TokenScope.READ, TokenScope.ASK, TokenScope.WRITE
ADDRESSES = [name for name in ROWS if name.startswith("api-")]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "api-rights.md"


def test_every_address_says_what_it_needs_and_the_documentation_has_it() -> None:
    silent = [f"{right.method} {right.address}" for right in rights() if not right.is_said]
    assert not silent, f"give their views a token_scope: {silent}"
    assert table() in DOCS.read_text(encoding="utf-8"), "print the table with `manage.py api_rights`"


@pytest.mark.parametrize("scope", TokenScope)
def test_a_token_is_refused_wherever_it_lacks_the_right(
    shared_world: SimpleNamespace, scope: TokenScope
) -> None:
    client, _ = program(shared_world.people[OWNER], scope)
    needs = {(right.address, right.method): right.needed for right in rights()}
    problems, tried = [], 0
    for name in ADDRESSES:
        path = path_of(name, shared_world)
        route = resolve(path).route.removeprefix("api/v1/")
        for method in METHODS:
            needed = needs.get((route, method), OPEN)
            if needed in (OPEN, scope) or (method == "GET" and scope == READ):
                continue
            tried += 1
            answer = client.send(method, path.removeprefix("/api/v1/"), ROWS[name].body)
            if (answer.status_code, answer.json()["code"]) != (403, "token_scope"):
                problems.append(f"{method} {path}: {answer.status_code}")
    assert tried > 50
    assert not problems, "\n".join(problems)


def test_a_token_for_another_datasource_finds_nothing_of_this_one(shared_world: SimpleNamespace) -> None:
    """With all rights, of the owner: whatever is named here is as if it were not there."""
    owner = shared_world.people[OWNER]
    client, _ = program(owner, only=[create_datasource(owner, "Diary")])
    problems = []
    for name in ADDRESSES:
        path, row = path_of(name, shared_world).removeprefix("/api/v1/"), ROWS[name]
        for method in METHODS:
            needed = getattr(row, method)
            if needed in (None, ANYONE, ADMINISTRATOR):
                continue
            with transaction.atomic():
                answer = client.send(method, path, row.body)
                told = content_of(answer).decode(errors="replace")
                transaction.set_rollback(True)
            hidden = [word for word in (SECRET, PRIVATE) if word in told]
            if hidden or (row.args and answer.status_code not in {403, 404, 415}):
                problems.append(f"{method} {path}: {answer.status_code} {hidden}")
    assert not problems, "\n".join(problems)
