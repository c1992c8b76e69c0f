"""Requests with text that cannot be kept: 400, and one line in the log."""

import logging

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/accounts/login/?next=a%00b", "/a%00b"])
def test_a_null_byte_is_refused_without_a_traceback(
    client: Client, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = client.get(address)
    assert answer.status_code == 400
    assert "characters that cannot be read" in answer.content.decode()
    assert len(caplog.records) == 1
    assert not caplog.records[0].exc_info


def test_programs_are_refused_in_their_own_form(client: Client) -> None:
    answer = client.get("/api/v1/data-sources?name=a%00b")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")
    assert answer.json()["code"]
