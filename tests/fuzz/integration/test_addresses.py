"""Every address, asked by every role with values that nobody would write: no error of the server, no hang."""

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from svq_site.serving.refusals import SCIM
from tests.addresses import ADMINS, ALLAUTHS, METHODS, OWNER, ROWS, path_of
from tests.fuzz.requests import (
    BODIES,
    FORM,
    HOSTILE,
    JSON,
    PARAMETERS,
    bounded,
    encoded,
    query,
    request,
    tried,
)
from tests.world import client_at, client_of

pytest_plugins = ["tests.shared_world"]

NAMES = sorted(ROWS)
PLAIN = sorted(
    f"/{address.route.replace('^', '')}"
    for address in (*ADMINS, *ALLAUTHS)
    if not address.arguments and "logout" not in address.route
)
BY_KEY = (  # what is named by no number
    *(
        "conversation",
        "turn",
        "deletion",
        "form",
        "question_key",
        "paper_search",
        "bibliography",
        "section",
        "bundle_import",
    ),
)

texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30), st.integers().map(str))
values = st.dictionaries(st.sampled_from(PARAMETERS), texts, max_size=5)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
inner = st.recursive(
    leaves, lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part), max_leaves=5
)
jsons = st.dictionaries(st.sampled_from(PARAMETERS), inner, max_size=5)
header_names = st.sampled_from(
    [
        *(
            "ACCEPT",
            "AUTHORIZATION",
            "IF_NONE_MATCH",
            "RANGE",
            "REFERER",
            "HX_REQUEST",
            "HX_TARGET",
            "ORIGIN",
        ),
        *("HX_CURRENT_URL", "ACCEPT_LANGUAGE", "X_FORWARDED_FOR", "X_HTTP_METHOD_OVERRIDE", "LAST_EVENT_ID"),
    ]
)
header_values = st.one_of(
    st.sampled_from(
        ["*/*", "text/event-stream", "Bearer x", "Bearer a.b.c", "bytes=0-", "true", ";;;,q=", "x" * 3000]
    ),
    st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=20),
)
kinds = st.sampled_from(
    [JSON, FORM, FORM, "multipart/form-data", "multipart/form-data; boundary=x", "text/plain", "", "/;="]
)


@pytest.fixture
def world(shared_world: SimpleNamespace) -> SimpleNamespace:
    return shared_world


@pytest.fixture
def paths(world: SimpleNamespace) -> list[str]:
    return [path_of(name, world) for name in NAMES] + PLAIN


def test_every_address_bears_hostile_parameters(world: SimpleNamespace, paths: list[str]) -> None:
    problems = []
    nobody = client_of(None)
    for index, path in enumerate(paths):
        owner = client_at(path, world.people[OWNER])
        for value in tried(HOSTILE[:6], index):
            problems += request(owner, "GET", f"{path}?{query(dict.fromkeys(PARAMETERS, value))}")
        asked = [(nobody, "OPTIONS", JSON), (owner, "OPTIONS", "text/html"), (owner, "HEAD", JSON)]
        for client, method, accepted in tried(asked, index):
            problems += request(client, method, path, HTTP_ACCEPT=accepted)
    assert not problems, "\n".join(problems)


def test_every_form_and_every_rest_address_bears_hostile_bodies(
    world: SimpleNamespace, paths: list[str]
) -> None:
    problems = []
    again = path_of("api-turn-again", world)
    for index, path in enumerate(paths):
        owner = client_at(path, world.people[OWNER])
        if path == again:
            continue  # a request without a body asks the question again, and its answer is waited for
        if path.startswith(("/api/", SCIM)):
            for body in tried(BODIES, index):
                for method in ("POST", "PATCH", "PUT"):
                    problems += request(owner, method, path, body, content_type=JSON)
        if path in (reverse("api-rag-query"), reverse("api-compatible-query")):
            continue  # a question is one, however hostile, and its answer is waited for
        for value in tried(HOSTILE[:6], index):
            form = query(dict.fromkeys(PARAMETERS, value))
            problems += request(owner, "POST", path, form, content_type=FORM)
    assert not problems, "\n".join(problems)


def test_numbers_of_any_length_are_not_there(world: SimpleNamespace) -> None:
    problems = []
    numbered = [name for name in vars(world) if name not in BY_KEY]
    others = SimpleNamespace(**{**vars(world), **dict.fromkeys(numbered, "7777")})
    for index, name in enumerate(name for name in NAMES if ROWS[name].args):
        for number in tried((2**31, 2**63, 10**4000, "9" * 5000), index):
            path = path_of(name, others).replace("7777", str(number))
            owner = client_at(path, world.people[OWNER])
            for method in tried(METHODS, index):
                if name == "api-turn-again" and method == "POST":
                    continue  # the turn is there, so the question is asked again and its answer waited for
                problems += request(owner, method, path, "{}", content_type=JSON)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("charset", ["zlib", "undefined", "unicode_escape", "utf-16", "idna", "x" * 500])
def test_other_charsets_are_refused(charset: str, world: SimpleNamespace) -> None:
    client = AsyncClient(raise_request_exception=False)  # requests are read as the server reads them
    client.force_login(world.people[OWNER])

    async def status_of(path: str, kind: str) -> int:
        sent = f"{kind}; charset={charset}"
        response = await client.generic("POST", f"{path}?q=%5Cx00", "q=\\x00", content_type=sent)
        return int(response.status_code)

    for path in ("/", "/api/v1/data-sources", path_of("chunks", world), path_of("ask_new", world)):
        for kind in (FORM, JSON, "multipart/form-data; boundary=x"):
            assert async_to_sync(status_of)(path, kind) == 400, (path, kind)


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages"])
def test_cookies_bear_anything(name: str, world: SimpleNamespace) -> None:
    for value in ('"abcdefghij\\000"', "x" * 3000, '"\\377\\376abcdefgh"', "abcdefgh\u00e9", ""):
        assert not request(client_of(None), "GET", "/", HTTP_COOKIE=f"{name}={value}")


@bounded(250)
@given(data=st.data())
def test_no_request_breaks_the_server(world: SimpleNamespace, data: Any) -> None:
    def draw(strategy: st.SearchStrategy[Any]) -> Any:
        return data.draw(strategy)

    user = world.people[draw(st.sampled_from(sorted(world.people)))]
    path = draw(st.sampled_from([*NAMES, *PLAIN]))
    path = path if path.startswith("/") else path_of(path, world)
    if draw(st.integers(0, 5)) == 0:
        path += quote(draw(st.text(max_size=10)))
    if draw(st.booleans()):
        path += "?" + query(encoded(draw(values)))
    method = draw(st.sampled_from(("GET", *METHODS, "OPTIONS", "HEAD")))
    headers = {
        f"HTTP_{n}": v for n, v in draw(st.dictionaries(header_names, header_values, max_size=2)).items()
    }
    body, kind = query(encoded(draw(values))), draw(kinds)
    if path.startswith(("/api/", SCIM)):
        body, kind = json.dumps(draw(jsons)), draw(st.just(JSON) | kinds)
    problems = request(
        client_at(path, user), method, path, "" if method == "GET" else body, content_type=kind, **headers
    )
    assert not problems, "\n".join(problems)
