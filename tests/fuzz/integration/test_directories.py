"""SCIM, asked with a directory's token by what directories write and by what none would: nothing breaks."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.addresses import ROWS, path_of
from tests.fuzz.requests import HOSTILE, bounded, query, request
from tests.world import DIRECTORY_TOKEN, client_with

pytest_plugins = ["tests.shared_world"]

CHANGES = [
    (name, method)
    for name, row in ROWS.items()
    for method in ("POST", "PUT", "PATCH", "DELETE")
    if name.startswith("scim_") and getattr(row, method)
]
ATTRIBUTES = (
    *(
        "userName",
        "externalId",
        "displayName",
        "name",
        "name.formatted",
        "name.givenName",
        "emails",
        "active",
    ),
    *("emails.value", 'emails[type eq "work"].value', 'emails[type eq "home"]', "members", "members.value"),
    *("urn:ietf:params:scim:schemas:core:2.0:User:active", "id", "schemas", "meta", "password"),
)
OPERATORS = (*["eq"] * 6, "EQ", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le", "pr", "")
CHARACTERS = st.characters(exclude_categories=())  # halves of characters, too
strange = st.one_of(
    st.sampled_from([each for each in HOSTILE if isinstance(each, str)]),
    st.text(CHARACTERS, max_size=10),
    st.sampled_from(["True", "FALSE", "bob@example.org", "\ud800", "e\u0301", "\u200b"]),
)
leaves = st.one_of(strange, st.none(), st.booleans(), st.integers(), st.floats())
listed = st.fixed_dictionaries(
    {}, optional={"value": leaves, "type": st.sampled_from(["work", "home", 5]), "primary": leaves}
)
values = st.one_of(leaves, listed, st.lists(st.one_of(listed, leaves), max_size=3))
bodies = st.dictionaries(st.one_of(st.sampled_from(ATTRIBUTES), strange), values, max_size=5)
paths = st.one_of(
    st.sampled_from(ATTRIBUTES), st.builds('members[value eq "{}"]'.format, st.one_of(strange, st.integers()))
)
operations = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "Replace", "remove", "move"])},
    optional={"path": paths, "value": st.one_of(values, bodies)},
)
patches = st.fixed_dictionaries({"Operations": st.lists(operations, max_size=4)})
terms = st.builds(
    "{} {} {}".format,
    st.sampled_from(ATTRIBUTES),
    st.sampled_from(OPERATORS),
    st.one_of(strange.map(json.dumps), st.sampled_from(["true", "False", "null", "5", '"'])),
)
filters = st.builds(
    lambda parts, joint: joint.join(parts),
    st.lists(terms, min_size=1, max_size=3),
    st.sampled_from([" and ", " AND ", " or ", " not "]),
)


@pytest.fixture
def world(shared_world: SimpleNamespace) -> SimpleNamespace:
    return shared_world


@pytest.mark.parametrize("name", ["scim_users", "scim_groups"])
@bounded(150)
@given(asked=filters, more=st.dictionaries(st.sampled_from(["startIndex", "count"]), leaves))
def test_no_filter_breaks_the_server(
    world: SimpleNamespace, name: str, asked: str, more: dict[str, Any]
) -> None:
    sent = {key: str(value).encode(errors="replace") for key, value in (more | {"filter": asked}).items()}
    assert not request(client_with(DIRECTORY_TOKEN), "GET", f"{path_of(name, world)}?{query(sent)}")


@bounded(300)
@given(data=st.data())
def test_no_body_of_a_directory_breaks_the_server(world: SimpleNamespace, data: Any) -> None:
    name, method = data.draw(st.sampled_from(CHANGES))
    body = data.draw(patches if method == "PATCH" else bodies)
    if data.draw(st.booleans()):
        body = ROWS[name].body | body
    kind = data.draw(st.sampled_from(["application/scim+json", "application/json"]))
    client = client_with(DIRECTORY_TOKEN)
    assert not request(client, method, path_of(name, world), json.dumps(body), content_type=kind)
