"""What a person is told while the database is away or has no connection free."""

from typing import Any

from django.db import connection
from django.db.utils import OperationalError

from accounts.models import User
from tests.rest import Api


def away(*_: Any) -> None:
    raise OperationalError("couldn't get a connection after 3.00 sec")


def test_a_page_and_the_api_tell_when_to_try_again(alice: User) -> None:
    api = Api(alice)
    api.client.raise_request_exception = False
    api.client.force_login(alice)
    with connection.execute_wrapper(away):
        page, answer = api.client.get("/"), api.get("data-sources")
    for response in (page, answer):
        assert (response.status_code, response["Retry-After"]) == (503, "5")
        assert "What was stored before is safe" in response.content.decode()
    assert answer.json()["code"] == "unavailable"
    assert api.client.get("/").status_code == 200
