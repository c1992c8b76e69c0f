"""JSON that breaks parsers or databases is malformed, and never a fault of SVQ."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from datasources.models import Datasource
from tests.rest import ERROR

pytestmark = pytest.mark.django_db
BODIES = {
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep in a field": b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "unclosed": b'{"email": ' * 100_000,
    "surrogate": b'{"name": "\\ud800", "email": "\\ud800"}',
    "surrogate in a key": b'{"\\udfff": 1}',
    "no utf-8": b'{"name": "\xff"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("path", ["auth/login", "data-sources", "data-sources/{}/documents/delete"])
def test_it_is_malformed(client: Client, alice: User, contracts: Datasource, path: str, body: bytes) -> None:
    cache.clear()  # sign-ins are counted
    client.force_login(alice)
    address = f"/api/v1/{path.format(contracts.pk)}"
    answer = client.generic("POST", address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert set(answer.json()) == ERROR
