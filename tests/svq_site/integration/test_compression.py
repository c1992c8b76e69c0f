"""What goes over the wire is small: pages travel compressed, what is to arrive unchanged is left alone."""

import gzip

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from tests.factories import make_document

pytestmark = pytest.mark.django_db
BROWSER = {"accept-encoding": "gzip, deflate, br"}


def test_a_page_travels_compressed(client: Client, alice: User, contracts: Datasource) -> None:
    client.force_login(alice)
    address = reverse("documents", args=[contracts.pk])
    plain = client.get(address)
    small = client.get(address, headers=BROWSER)
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.content) < len(plain.content) / 2
    assert contracts.name in gzip.decompress(small.content).decode()


def test_a_picture_of_a_page_keeps_its_form(client: Client, alice: User, contracts: Datasource) -> None:
    client.force_login(alice)
    document = make_document(contracts)
    response = client.get(reverse("page_image", args=[contracts.pk, document.pk, 1]), headers=BROWSER)
    assert response.status_code == 200
    assert "Content-Encoding" not in response.headers


def test_a_stored_file_keeps_its_length(client: Client, alice: User, contracts: Datasource) -> None:
    client.force_login(alice)
    document = make_document(contracts)
    response = client.get(reverse("document_original", args=[contracts.pk, document.pk]), headers=BROWSER)
    assert response.status_code == 200
    assert "Content-Encoding" not in response.headers

    async def content() -> bytes:
        return b"".join([block async for block in response])  # type: ignore[attr-defined]

    assert int(response.headers["Content-Length"]) == len(async_to_sync(content)())
