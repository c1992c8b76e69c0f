"""The original look of a document: LibreOffice's drawing of its file. A script stands for LibreOffice."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from reportlab.pdfgen.canvas import Canvas

from accounts.models import User
from benchmarks.office_files import docx, paragraph
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.adding.upload import accept_upload
from tests.people import browser_of
from tests.programs import offer, stand_ins

pytestmark = pytest.mark.django_db(transaction=True)

FEE = "The mooring fee is nineteen euro a night."
DRAWS = """
echo again >> '{folder}/calls'
while [ "$#" -gt 1 ]; do
  case "$1" in --convert-to) ending="$2";; --outdir) folder="$2";; esac
  shift
done
cp '{folder}/drawn.pdf' "$folder/source.$ending"
"""


@pytest.fixture
def fees(contracts: Datasource, alice: User, work: Any) -> Document:
    document = accept_upload(contracts, alice, "fees.docx", io.BytesIO(docx(paragraph(FEE))))[0].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error
    return document


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, drawn: str) -> None:
    """A program that draws every file as two pages with these words."""
    canvas = Canvas(str(folder / "drawn.pdf"))
    for page in (1, 2):
        canvas.drawString(72, 700, drawn)
        canvas.drawString(300, 30, str(page))
        canvas.showPage()
    canvas.save()
    offer("soffice", DRAWS.replace("{folder}", str(folder)), folder, monkeypatch)


def page_of(user: User, document: Document, name: str = "original_look", **query: Any) -> str:
    address = reverse(name, args=[document.datasource_id, document.pk])
    return " ".join(browser_of(user).get(address, query).content.decode().split())


def image_of(user: User, document: Document, number: int) -> Any:
    return browser_of(user).get(
        reverse("original_look_image", args=[document.datasource_id, document.pk, number])
    )


def test_a_document_is_shown_as_libreoffice_draws_it_and_says_that_nothing_is_marked(
    fees: Document, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "as LibreOffice draws it" not in page_of(alice, fees, "reader")
    install(tmp_path, monkeypatch, FEE)
    assert reverse("original_look", args=[fees.datasource_id, fees.pk]) in page_of(alice, fees, "reader")
    shown = page_of(alice, fees, page=2)
    assert "Page 2 of 2" in shown
    assert "100 % of its words are among those that SVQ has read. Nothing is marked here" in shown
    image = image_of(alice, fees, 2)
    assert (image.status_code, image["Content-Type"]) == (200, "image/webp")
    assert image_of(alice, fees, 3).status_code == 404
    assert (tmp_path / "calls").read_text().count("again") == 1, "it is drawn once"


def test_a_drawing_with_other_words_is_not_shown(
    fees: Document, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"{FEE} No fee is due from anybody who was here before the first of May.")
    assert "has other words than SVQ has read" in page_of(alice, fees)
    assert image_of(alice, fees, 1).status_code == 404


def test_a_drawing_that_took_too_long_is_tried_again(
    fees: Document, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, FEE)
    with monkeypatch.context() as busy:
        busy.setattr("formats.legacy.original_look.SECONDS", 0.01)
        assert "took too long" in page_of(alice, fees)
    assert "Page 1 of 2" in page_of(alice, fees)


@pytest.mark.parametrize("script", stand_ins("soffice", "")[1:])
def test_libreoffice_itself_draws_what_svq_has_read(
    fees: Document, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """Only where it is installed."""
    offer("soffice", script, tmp_path, monkeypatch)
    assert "Page 1 of 1" in page_of(alice, fees)
    assert image_of(alice, fees, 1).status_code == 200


def test_without_libreoffice_and_for_other_files_there_is_none(fees: Document, alice: User) -> None:
    assert "LibreOffice does not draw this document" in page_of(alice, fees)
    assert image_of(alice, fees, 1).status_code == 409
