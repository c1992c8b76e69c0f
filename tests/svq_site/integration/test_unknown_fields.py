"""REST refuses fields that a request does not have, by their names."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction

from tests.addresses import ADMINISTRATOR, OWNER, ROWS, path_of
from tests.rest import ERROR
from tests.world import client_of

pytest_plugins = ["tests.shared_world"]

TAKES_FILES = 415  # the status of addresses that want multipart/form-data
OTHERS_PROTOCOLS = (
    "api-openai-",
    "api-compatible-",
    "api-oauth",
)  # their clients send fields of many kinds, which are ignored
WITH_A_BODY = [
    (name, method)
    for name, row in ROWS.items()
    for method in ("POST", "PUT", "PATCH")
    if name.startswith("api-")
    and not name.startswith(OTHERS_PROTOCOLS)
    and getattr(row, method) not in (None, ADMINISTRATOR)
]


def send(world: SimpleNamespace, method: str, path: str, body: dict[str, Any]) -> Any:
    with transaction.atomic():
        client = client_of(world.people[OWNER])
        answer = client.generic(method, path, json.dumps(body), content_type="application/json")
        transaction.set_rollback(True)
    return answer


def test_each_address_refuses_a_field_that_it_does_not_know(shared_world: SimpleNamespace) -> None:
    problems = []
    for name, method in WITH_A_BODY:
        path = path_of(name, shared_world)
        answer = send(shared_world, method, path, ROWS[name].body | {"nothing_such": 1})
        if answer.status_code == TAKES_FILES:
            continue
        told = answer.json().get("message", "")
        if answer.status_code != 400 or "“nothing_such”" not in told:
            problems.append(f"{method} {path}: {answer.status_code} {told}")
    assert len(WITH_A_BODY) > 50
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("name", "body", "named"),
    [
        ("api-rag-retrieve", {"query": "Who?", "rerank": {"enabled": True, "topk": 1}}, "“rerank.topk”"),
        (
            "api-rag-query",
            {"question": "Who?", "conversationHistory": [{"role": "user", "content": "Hi", "at": 1}]},
            "at”",
        ),
        ("api-tables", {"name": "A", "columns": [{"name": "End", "question": "When?", "typ": 1}]}, "typ”"),
    ],
)
def test_objects_within_a_body_are_looked_through(
    shared_world: SimpleNamespace, name: str, body: dict[str, Any], named: str
) -> None:
    answer = send(shared_world, "POST", path_of(name, shared_world), body)
    assert (answer.status_code, set(answer.json())) == (400, ERROR)
    assert named in answer.json()["message"]


def test_the_refusal_lists_what_is_known(shared_world: SimpleNamespace) -> None:
    body = {"query": "Who?", "similarityTopk": 3}
    told = send(shared_world, "POST", path_of("api-rag-retrieve", shared_world), body).json()["message"]
    assert told.startswith(
        "“similarityTopk”: There is no such field. Known here: query, grade, similarityTopK,"
    )


def test_what_an_object_only_shows_may_be_sent_back(shared_world: SimpleNamespace) -> None:
    path = path_of("api-datasource", shared_world)
    shown = client_of(shared_world.people[OWNER]).get(path).json()
    assert send(shared_world, "PATCH", path, {"id": shown["id"], "description": "New"}).status_code == 200
