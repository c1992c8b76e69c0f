"""REST, asked as its own OpenAPI document describes it and as it does not: nothing breaks or hangs."""

from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.addresses import path_of
from tests.fuzz.requests import bounded, request
from tests.world import client_of

schemathesis = pytest.importorskip("schemathesis", reason="make setup installs it")
requests = pytest.importorskip("requests")
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)


@pytest.fixture
def operations(world: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    # Who waits for an answer gives the connection back, and with it the transaction that undoes the test.
    monkeypatch.setattr("chat.api.waiting.close_old_connections", lambda: None)
    described = Client().get("/api/v1/schema", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    schema = schemathesis.openapi.from_dict(described)
    schema.config.generation.update(modes=list(MODES))
    described = [operation.ok() for operation in schema.get_all_operations()]
    # Asking again needs no body, so each request would be answered, and waited for.
    return [operation for operation in described if not operation.path.endswith("/again")]


def name_of(template: str) -> str:
    """The URL name of an address with {holes}."""
    for value in ("1", str(uuid4()), "json"):
        parts = [value if part.startswith("{") else part for part in template.split("/")]
        try:
            return str(resolve("/".join(parts)).url_name)
        except Resolver404:
            continue
    return ""


@bounded(200)
@given(data=st.data())
def test_no_request_breaks_rest(world: SimpleNamespace, operations: list[Any], data: Any) -> None:
    operation = data.draw(st.sampled_from(operations))
    case = data.draw(operation.as_strategy(generation_mode=data.draw(st.sampled_from(MODES))))
    try:
        prepared = requests.Request(
            **{
                name: value
                for name, value in case.as_transport_kwargs(base_url="http://testserver").items()
                if name in {"method", "url", "headers", "files", "data", "json", "params", "cookies"}
            }
        ).prepare()
    except (requests.RequestException, ValueError):
        reject()  # what cannot be sent
    address = urlsplit(prepared.url)
    path = address.path
    if data.draw(st.booleans()) and (name := name_of(operation.path)):
        path = path_of(name, world)  # of something that is there
    headers = {
        f"HTTP_{key.upper().replace('-', '_')}": value if isinstance(value, str) else value.decode("latin-1")
        for key, value in prepared.headers.items()
        if key.lower() not in {"content-length", "content-type", "host", "cookie"}
    }
    user = world.people[data.draw(st.sampled_from(sorted(world.people)))]
    kind = prepared.headers.get("Content-Type", "application/json")
    kind = kind if isinstance(kind, str) else kind.decode("latin-1")
    sent = f"{path}?{address.query}" if address.query else path
    problems = request(
        client_of(user), case.method.upper(), sent, prepared.body or b"", content_type=kind, **headers
    )
    assert not problems, "\n".join(problems)
