"""Office files with a password: asked for it, opened with it, never kept."""

import hashlib
import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from msoffcrypto.format.ooxml import OOXMLFile
from pptx import Presentation

from accounts.models import User
from benchmarks.office_files import docx, paragraph, row, xlsx
from datasources.models import Datasource, DocumentStatus
from formats.sheets.format import SHEETS
from ingestion.adding.upload import accept_upload
from tests.formats.old_office import xls
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

FEE = "The mooring fee is nineteen euro a night."
PADDED = b"".join(hashlib.sha256(bytes([number])).digest() for number in range(250))  # does not shrink


def padded(content: bytes) -> bytes:
    """The library protects no file of less than 4 KB soundly."""
    archive = io.BytesIO(content)
    with zipfile.ZipFile(archive, "a") as parts:
        parts.writestr("padding.bin", PADDED)
    return archive.getvalue()


FILES = {
    "fees.docx": padded(docx(paragraph(FEE))),
    "fees.xlsx": padded(xlsx({"Fees": row(1, FEE, 19)})),
}


def presentation_bytes(title: str = "") -> bytes:
    written = io.BytesIO()
    deck = Presentation()
    if title:
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
    deck.save(written)
    return written.getvalue()


FILES["fees.pptx"] = padded(presentation_bytes(FEE))


def sealed(content: bytes, password: str = "hunter2") -> bytes:
    protected = io.BytesIO()
    office = OOXMLFile(io.BytesIO(presentation_bytes()))
    office.file = io.BytesIO(content)  # the library looks at more than our readers need before it protects
    office.encrypt(password, protected)
    return protected.getvalue()


@pytest.fixture
def client(alice: User) -> Client:
    return browser_of(alice)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("fees.docx", "fees.docx"),
        ("fees.xlsx", "fees.xlsx"),
        ("fees.xlsx", "named-wrong.docx"),
        ("fees.pptx", "fees.pptx"),
    ],
)
def test_a_protected_file_is_read_once_the_password_is_given(
    contracts: Datasource, alice: User, client: Client, work: Any, content: str, name: str
) -> None:
    document = accept_upload(contracts, alice, name, io.BytesIO(sealed(FILES[content])))[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "encrypted")
    assert "Enter password" in text_of(client.get(reverse("documents", args=[contracts.pk])))
    unlock = reverse("document_unlock", args=[contracts.pk, document.pk])
    for wrong in ("", "hunter3"):
        refused = client.post(unlock, {"password": wrong})
        assert refused.status_code == 422
        assert "That password does not open" in text_of(refused)
    assert client.post(unlock, {"password": "hunter2"}).status_code == 302
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    assert FEE in document.chunks.get().text
    assert (document.mime == SHEETS.mime) == (content == "fees.xlsx")
    with document.file.open("rb") as kept:
        assert kept.read() == FILES[content]


def test_a_workbook_of_before_2007_is_opened_with_its_password(
    contracts: Datasource, alice: User, client: Client, work: Any
) -> None:
    rows = [(f"{FEE} Berth {number}", 100.0 + number) for number in range(80)]
    document = accept_upload(contracts, alice, "fees.xls", io.BytesIO(xls(rows, "hunter2")))[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "encrypted")
    unlock = reverse("document_unlock", args=[contracts.pk, document.pk])
    assert client.post(unlock, {"password": "hunter3"}).status_code == 422
    assert client.post(unlock, {"password": "hunter2"}).status_code == 302
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    assert f"{FEE} Berth 7\t107" in document.pages.get(number=1).text
