"""However many rows there are, a page asks the database as often: each address is counted with 1 and 120 rows
of every kind, and in `make fuzz` with 1, 20 and 500.

An address is covered as soon as `tests.addresses` knows it, a model as soon as it is there.
"""

import os
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.addresses import ADMINS, OWNER, ROWS, path_of
from tests.multiplied import Copies
from tests.responses import content_of
from tests.world import DIRECTORY_TOKEN, client_of, client_with

pytest_plugins = ["tests.shared_world"]
pytestmark = pytest.mark.django_db

SIZES = (1, 20, 500) if os.environ.get("SVQ_FUZZ") else (1, 120)  # the last is more than a page of any list
PARTS = 6  # queries of parts that are there only with several rows: a comparison, further pages of a list
OF_A_PACK = 4_000  # 1,500 quotes at most, 300 of them drawn, each with the rows of its own
BOUNDED = {
    "export_conversation_word": 230,  # draws 40 pages at most, each with the rows of its own
    **dict.fromkeys(("answer_pack_file", "conversation_pack_file"), OF_A_PACK),
    **dict.fromkeys(("api-turn-pack", "api-conversation-pack"), OF_A_PACK),
}
NAMES = [name for name, row in ROWS.items() if row.GET is not None]
LISTS = {
    "pages": [name for name in NAMES if not name.startswith(("api-", "scim_"))],
    "REST": [name for name in NAMES if name.startswith("api-")],
    "SCIM": [name for name in NAMES if name.startswith("scim_")],
    "admin": [each.name for each in ADMINS if each.name.endswith("_changelist")],
}


@pytest.mark.parametrize("kind", LISTS)
def test_many_rows_take_no_more_queries_than_a_few(kind: str, shared_world: SimpleNamespace) -> None:
    owner = shared_world.people[OWNER]
    owner.is_staff = owner.is_superuser = True
    owner.save()
    copies = Copies(shared_world)
    client = client_with(DIRECTORY_TOKEN) if kind == "SCIM" else client_of(owner)
    counts: list[dict[str, int]] = []
    for size in SIZES:
        copies.raise_to(size - 1)
        counts.append({name: queries_of(client, name, shared_world) for name in LISTS[kind]})
    grown = {
        name: [count[name] for count in counts]
        for name in LISTS[kind]
        if counts[-1][name] > BOUNDED.get(name, 0)
        and any(more[name] > few[name] + PARTS for few, more in pairwise(counts))
    }
    assert not grown


def queries_of(client: Client, name: str, world: SimpleNamespace) -> int:
    path = reverse(name) if name.startswith("admin:") else path_of(name, world)
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
        content_of(response)
    assert response.status_code < 500 or name == "healthz", (path, response.status_code)
    return len(queries)
