"""Scans read in place of SVQ's own reader: by Tesseract, for which a script stands, and by an OCR server."""

import io
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, ScanReader
from datasources.services import change_datasource
from formats.ocr import tesseract
from formats.ocr.certainty import doubtful_words
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.recognising import recognise
from ingestion.models import PageSource
from providers.connections.models import Connection
from providers.connections.services import Offer, allow_owners, connect, disconnect
from providers.protocols import ProviderError
from providers.text_recognisers import text_recogniser
from reader import page_images
from svq_site.host import doctor
from tests.formats.scans import encoded, page
from tests.people import browser_of
from tests.programs import offer, stand_ins

pytestmark = pytest.mark.django_db(transaction=True)

RENT = "Арендная плата составляет 475 рублей в месяц"
HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def table(text: str, sure: int = 95) -> str:
    """What Tesseract says of a line that stands in the upper left of a page."""
    rows = [
        f"5\t1\t1\t1\t1\t{n}\t{60 + 90 * n}\t60\t80\t30\t{30 if word == '475' else sure}\t{word}"
        for n, word in enumerate(text.split())
    ]
    return "\n".join([HEAD, "1\t1\t0\t0\t0\t0\t0\t0\t900\t500\t-1\t", *rows, ""])


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A script in place of Tesseract, with English and Russian; gives the file that tells its calls."""
    called, said = tmp_path / "called", tmp_path / "said.tsv"
    said.write_text(table(RENT))
    script = (
        f"echo \"$@\" >> '{called}'\n"
        'if [ "$1" = --list-langs ]; then printf "List of languages (2):\\neng\\nrus\\n"; exit; fi\n'
        f"test -s page.png && cat '{said}'\n"
    )
    offer("tesseract", script, tmp_path, monkeypatch)
    tesseract._installed.cache_clear()
    yield called
    tesseract._installed.cache_clear()


class Handler(BaseHTTPRequestHandler):
    """An OCR server that reads the same words on every picture."""

    requests: ClassVar[list[tuple[dict[str, list[str]], dict[str, str], bytes]]] = []
    answers: ClassVar[list[tuple[int, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.requests.append((parse_qs(urlsplit(self.path).query), dict(self.headers), body))
        status, answer = self.answers.pop(0) if self.answers else (200, self.words(body))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(answer)

    def words(self, body: bytes) -> bytes:
        width, height = Image.open(io.BytesIO(body)).size
        said = [("rent", 0.99), ("475", 0.4), ("EUR", 0.9)]
        rows = [
            {"text": text, "box": [100 + 120 * n, 50, 200 + 120 * n, 90], "confidence": sure, "line": 0}
            for n, (text, sure) in enumerate(said)
        ]
        return json.dumps({"width": width, "height": height, "words": rows}).encode()

    def log_message(self, *given: Any) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """Connected by an administrator; its address."""
    Handler.requests, Handler.answers = [], []
    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        address = f"http://127.0.0.1:{http.server_port}/v1"
        connect("ocr", Offer(provider="ocr", address=address, key="secret", model="small"))
        yield address
        http.shutdown()


def scan(datasource: Datasource, user: User, work: Any) -> Document:
    document = accept_upload(datasource, user, "lease.png", io.BytesIO(encoded(page(), "PNG")))[0].document
    work()
    document.refresh_from_db()
    return document


def test_tesseract_reads_a_language_that_svq_does_not(
    contracts: Datasource, alice: User, work: Any, installed: Path
) -> None:
    change_datasource(contracts, scan_reader=ScanReader.TESSERACT, scan_languages=["rus"])
    document = scan(contracts, alice, work)
    assert document.status == DocumentStatus.READY, document.error_message
    row = document.pages.get()
    assert (row.source, row.text.strip()) == (PageSource.OCR, RENT)
    assert doubtful_words(row.text, bytes(row.certainty)) == ["475"]
    assert "-l rus" in installed.read_text()
    start = row.text.index("плата")
    ((x0, y0, x1, y1),) = page_images.place(document, start, start + 5)[1]
    assert (x0 * 900) / (y0 * 500) == pytest.approx(150 / 60, rel=0.02)  # the second word, of equal letters
    assert (x1 - x0) * 900 / ((y1 - y0) * 500) == pytest.approx(80 / 30, rel=0.02)
    assert "English and Russian" in doctor.tesseract_installed().detail


@pytest.mark.parametrize("script", stand_ins("tesseract", "")[1:])
def test_tesseract_itself_reads_a_scan(
    contracts: Datasource,
    alice: User,
    work: Any,
    installed: Path,
    script: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only where it is installed."""
    offer("tesseract", script, tmp_path, monkeypatch)
    tesseract._installed.cache_clear()
    change_datasource(contracts, scan_reader=ScanReader.TESSERACT)
    row = scan(contracts, alice, work).pages.get()
    assert row.source == PageSource.OCR
    assert row.text.split()


def test_a_scan_waits_when_its_reader_is_gone(
    contracts: Datasource, alice: User, work: Any, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_datasource(contracts, scan_reader=ScanReader.TESSERACT)
    monkeypatch.setenv("PATH", "/nowhere")
    document = scan(contracts, alice, work)
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "needs_ocr")
    with pytest.raises(ValidationError, match="not installed"):
        recognise(document)


def test_a_server_reads_scans(contracts: Datasource, alice: User, work: Any, server: str) -> None:
    change_datasource(contracts, scan_reader=ScanReader.SERVER, scan_languages=["kor", "eng"])
    document = scan(contracts, alice, work)
    assert document.status == DocumentStatus.READY, document.error_message
    row = document.pages.get()
    assert row.text.split() == ["rent", "475", "EUR"]
    assert doubtful_words(row.text, bytes(row.certainty)) == ["475"]
    (asked, headers, picture), *others = Handler.requests
    assert asked == {"model": ["small"], "languages": ["eng,kor"]}
    assert headers["Authorization"] == "Bearer secret"
    assert Image.open(io.BytesIO(picture)).format == "PNG"
    assert not others


def names_of_fields(shown: str) -> set[str]:
    """What a browser could send from the page."""
    return set(re.findall(r'<(?:input|select)[^>]* name="(\w+)"', shown))


def test_the_form_for_a_server_is_complete(server: str) -> None:
    disconnect("ocr")
    administrator = browser_of(User.objects.create_superuser("root@example.org", "a long password"))
    fields = names_of_fields(administrator.get(reverse("models") + "?role=ocr").content.decode())
    typed = {"role": "ocr", "provider": "ocr", "address": server, "model": "default", "timeout": "60"}
    sent = {name: value for name, value in typed.items() if name in fields}
    assert administrator.post(reverse("models"), sent | {"use": "1"}).status_code == 302
    assert Connection.objects.get(address=server).model == "default"


def test_an_owner_needs_to_know_nothing_but_the_address_of_a_server(
    contracts: Datasource, alice: User, server: str
) -> None:
    disconnect("ocr")
    allow_owners(connect=True, private_addresses=True)
    client, address = browser_of(alice), reverse("own_model", args=[contracts.pk])
    shown = client.get(address + "?role=ocr").content.decode()
    assert reverse("model_sample") not in shown  # no question is sent to it
    assert reverse("models_offered") not in client.get(address).content.decode()  # for administrators alone
    typed = {"role": "ocr", "address": server, "model": ""}
    assert client.post(address, typed | {"use": "1"}).status_code == 302


def test_an_owner_connects_a_server_for_one_datasource(
    contracts: Datasource, alice: User, work: Any, server: str
) -> None:
    disconnect("ocr")
    other = Datasource.objects.create(name="Other", owner=alice)
    client, address = browser_of(alice), reverse("own_model", args=[contracts.pk])
    form = {
        "role": "ocr",
        "provider": "openai",
        "address": server,
        "key": "mine",
        "model": "fine",
        "timeout": 60,
    }
    assert client.post(address, form | {"use": "1"}).status_code == 403
    allow_owners(connect=True, private_addresses=False)
    refused = client.post(address, form | {"use": "1"})
    assert refused.status_code == 422
    assert "not allowed here" in refused.content.decode()
    assert not Handler.requests
    allow_owners(connect=True, private_addresses=True)
    assert "Text recognition" in client.get(address).content.decode()
    assert "It reads" in client.post(address, form | {"test": "1"}).content.decode()
    assert client.post(address, form | {"use": "1"}).status_code == 302
    assert (
        "What reads scans"
        in client.get(reverse("settings_section", args=[contracts.pk, "reading"])).content.decode()
    )
    document = scan(Datasource.objects.get(pk=contracts.pk), alice, work)
    assert document.pages.get().text.split() == ["rent", "475", "EUR"]
    asked, headers, _ = Handler.requests[-1]
    assert (asked["model"], headers["Authorization"]) == (["fine"], "Bearer mine")
    with pytest.raises(ValidationError, match="No OCR server"):
        change_datasource(other, scan_reader=ScanReader.SERVER)
    allow_owners(connect=True, private_addresses=False)
    count = len(Handler.requests)
    with pytest.raises(ProviderError, match="private network"):
        text_recogniser(contracts).read(encoded(page(), "PNG"), [])  # type: ignore[union-attr]
    assert len(Handler.requests) == count
    client.post(reverse("disconnect_own_model", args=[contracts.pk]), {"role": "ocr"})
    contracts.refresh_from_db()
    assert contracts.scan_reader == ScanReader.SVQ


def test_a_server_that_fails_is_asked_again(
    contracts: Datasource, alice: User, work: Any, server: str
) -> None:
    change_datasource(contracts, scan_reader=ScanReader.SERVER)
    Handler.answers = [(503, b"busy")] * 50
    assert scan(contracts, alice, work).status == DocumentStatus.RECOGNISING  # later again


def test_a_picture_that_a_server_refuses_is_told(
    contracts: Datasource, alice: User, work: Any, server: str
) -> None:
    change_datasource(contracts, scan_reader=ScanReader.SERVER)
    Handler.answers = [(422, b"no picture")]
    document = scan(contracts, alice, work)
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "ocr_failed")


def test_only_what_is_there_can_be_chosen(contracts: Datasource, alice: User, client: Client) -> None:
    client.force_login(alice)
    shown = client.get(reverse("settings_section", args=[contracts.pk, "reading"])).content.decode()
    assert "Chinese, simplified" in shown
    assert "Russian" not in shown
    assert "Tesseract, on this server" not in shown
    with pytest.raises(ValidationError, match="cannot read Russian"):
        change_datasource(contracts, scan_languages=["eng", "rus"])
    with pytest.raises(ValidationError, match="No OCR server"):
        change_datasource(contracts, scan_reader=ScanReader.SERVER)
    chosen = {"field": "scan_languages", "scan_languages": ["deu", "eng"]}
    assert client.post(reverse("save_setting", args=[contracts.pk]), chosen).status_code == 302
    contracts.refresh_from_db()
    assert contracts.scan_languages == ["deu", "eng"]


def test_languages_of_other_readers_are_offered_with_their_name(
    contracts: Datasource, alice: User, client: Client, installed: Path
) -> None:
    client.force_login(alice)
    shown = client.get(reverse("settings_section", args=[contracts.pk, "reading"])).content.decode()
    assert "Russian (Tesseract only)" in shown
    assert "Tesseract, on this server" in shown
