"""Web pages and pasted texts as documents, from a server on this machine."""

import gzip
import hashlib
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, WebPage
from ingestion.lifecycle import deletion
from ingestion.web_pages import client as fetching
from ingestion.web_pages.client import fetch
from ingestion.web_pages.errors import FetchError
from tests.people import browser_of
from tests.processes import PATIENCE
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "<html><head><title>Harbour fees</title></head><body><h1>Fees</h1><p>{}</p></body></html>"
FEE = "The mooring fee is nineteen euro a night."


class Site(ThreadingHTTPServer):
    """Answers each path with what `pages` has for it: status, headers, body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.address = f"http://127.0.0.1:{self.server_port}"

    def put(
        self, path: str, body: bytes | str, kind: str = "text/html", status: int = 200, **more: str
    ) -> str:
        content = body.encode() if isinstance(body, str) else body
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        self.pages[path] = (status, {"Content-Type": kind, **headers}, content)
        return self.address + path


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        status, headers, body = self.server.pages.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.path == "/slow":
            for _ in range(round(PATIENCE / 0.1)):
                time.sleep(0.1)
                self.wfile.write(b"x")
                self.wfile.flush()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def allowed(settings: Any) -> None:
    settings.FETCH_WEB_PAGES = settings.FETCH_PRIVATE_ADDRESSES = True


@pytest.fixture
def client(alice: User) -> Client:
    return browser_of(alice)


def add(client: Client, datasource: Datasource, address: str) -> Any:
    return client.post(reverse("add_web_page", args=[datasource.pk]), {"address": address})


def page_of(client: Client, document: Document) -> str:
    return text_of(client.get(reverse("reader", args=[document.datasource_id, document.pk])))


def test_a_page_becomes_a_document_and_a_new_version_of_it(
    contracts: Datasource,
    client: Client,
    work: Any,
    site: Site,
    allowed: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = PAGE.format(FEE)
    site.put("/fees", body)
    site.put("/", "", status=302, Location="/fees")
    assert add(client, contracts, site.address).status_code == 302
    waiting = contracts.documents.get()
    assert not waiting.file
    assert client.get(reverse("document_original", args=[contracts.pk, waiting.pk])).status_code == 404
    work()
    document = contracts.documents.get()
    assert (document.status, document.title) == (DocumentStatus.READY, "Harbour fees"), document.error_message
    assert FEE in document.chunks.get().text
    sha256 = hashlib.sha256(body.encode()).hexdigest()
    assert document.sha256 == sha256
    page = page_of(client, document)
    assert f"{site.address}/fees" in page
    assert sha256 in page
    assert "Already here as “Harbour fees”" in text_of(add(client, contracts, site.address))

    again = reverse("document_fetch", args=[contracts.pk, document.pk])
    assert client.post(again).status_code == 302
    work()
    assert "It has not changed since it was fetched." in page_of(client, document)
    site.put("/fees", PAGE.format("The fee is twenty euro."))
    client.post(again)
    work()
    newer = contracts.documents.current().get()
    assert (newer.version, newer.replaces, newer.status) == (2, document, DocumentStatus.READY)
    assert newer.web_page.final_address == f"{site.address}/fees"
    site.put("/fees", "", status=503)
    client.post(reverse("document_fetch", args=[contracts.pk, newer.pk]))
    work()
    assert "could not be fetched again: The server answered 503" in page_of(client, newer)
    in_german = client.get(
        reverse("reader", args=[contracts.pk, newer.pk]), headers={"Accept-Language": "de"}
    )
    assert "Sie konnte nicht erneut geholt werden: Der Server" in in_german.content.decode()

    monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)
    deletion.delete(newer)
    work()
    assert not Document.objects.exists()
    assert not WebPage.objects.exists()


def test_a_page_that_cannot_be_fetched_fails_with_the_reason_and_is_tried_again(
    contracts: Datasource, client: Client, work: Any, site: Site, allowed: None
) -> None:
    add(client, contracts, f"{site.address}/missing")
    work()
    document = contracts.documents.get()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "http_status")
    assert "404 Not Found" in document.error_message
    told = page_of(client, document)
    assert "Not fetched:" in told
    for untrue in ("A snapshot of", "SHA-256", "The file is kept as it was added", "Download"):
        assert untrue not in told, "there is no file"
    site.put("/missing", PAGE.format(FEE))
    client.post(reverse("document_retry", args=[contracts.pk, document.pk]))
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


def test_a_page_that_is_here_under_another_address_says_where(
    contracts: Datasource, client: Client, work: Any, site: Site, allowed: None
) -> None:
    for path in ("/a", "/b"):
        site.put(path, PAGE.format(FEE))
        add(client, contracts, site.address + path)
        work()
    failed = contracts.documents.get(status=DocumentStatus.FAILED)
    assert "already here as “Harbour fees”" in failed.error_message


def test_where_it_is_off_the_dialog_says_so(contracts: Datasource, client: Client, site: Site) -> None:
    shown = text_of(client.get(reverse("add_web_page", args=[contracts.pk])))
    assert "This server fetches no web pages." in shown
    refused = add(client, contracts, site.put("/x", PAGE))
    assert refused.status_code == 422
    assert not contracts.documents.exists()


def test_private_addresses_are_not_fetched_not_even_through_a_redirect(
    contracts: Datasource,
    client: Client,
    work: Any,
    site: Site,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.FETCH_WEB_PAGES = True
    site.put("/secret", PAGE.format("secret"))
    monkeypatch.setattr("ingestion.web_pages.addresses.PORTS", (site.server_port,))
    add(client, contracts, f"{site.address}/secret")
    work()
    document = contracts.documents.get()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "private_address")
    assert site.asked == []
    # The first hop counts as public here, the second does not.
    site.put("/hop", "", status=302, Location=f"http://127.0.0.2:{site.server_port}/secret")
    monkeypatch.setattr("ingestion.web_pages.addresses.is_public", lambda ip: ip == "127.0.0.1")
    with pytest.raises(FetchError, match="inside a private network"):
        fetch(f"{site.address}/hop", private_allowed=False)
    assert site.asked == ["/hop"]


def test_the_connection_goes_to_the_address_that_was_checked(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that stands for another address at the second look is not looked up a second time."""
    site.put("/x", PAGE.format(FEE))
    looked_up: list[str] = []
    real = fetching.target_of

    def once(address: str, **more: Any) -> Any:
        looked_up.append(address)
        target = real(site.address + "/x", **more)
        return type(target)(
            address=address,
            host="rebinding.example.org",
            port=target.port,
            is_tls=False,
            path="/x",
            ips=("127.0.0.1",),
        )

    monkeypatch.setattr(fetching, "target_of", once)
    assert FEE.encode() in fetch("http://rebinding.example.org/x", private_allowed=True).content
    assert len(looked_up) == 1


def test_limits_and_kinds(site: Site) -> None:
    def refusal(address: str, **limits: Any) -> str:
        with pytest.raises(FetchError) as refused:
            fetch(address, private_allowed=True, **limits)
        return refused.value.code

    assert refusal(site.put("/big", "x" * 5000), most_bytes=4000) == "too_large"
    packed = gzip.compress(b"x" * 5_000_000)
    assert refusal(site.put("/bomb", packed, Content_Encoding="gzip"), most_bytes=100_000) == "too_large"
    assert refusal(site.put("/run", "MZ", "application/x-msdownload")) == "type"
    assert refusal(site.put("/none", "")) == "empty"
    assert refusal(site.put("/loop", "", status=302, Location="/loop")) == "redirect"
    assert refusal(site.put("/file", "", status=302, Location="file:///etc/passwd")) == "address"
    assert refusal(site.put("/short", "x", Content_Length="50")) in {"cut_off", "unreachable"}
    began = time.monotonic()
    assert refusal(site.put("/slow", ""), seconds=0.5) == "timeout"
    assert time.monotonic() - began < PATIENCE
    small = site.put("/packed", gzip.compress(b"<html>Fine"), Content_Encoding="gzip")
    assert fetch(small, private_allowed=True).content == b"<html>Fine"


def test_the_encoding_that_only_the_server_says_is_kept(
    contracts: Datasource, client: Client, work: Any, site: Site, allowed: None
) -> None:
    site.put("/ru", PAGE.format("Причал стоит дорого").encode("koi8-r"), "text/html; charset=koi8-r")
    add(client, contracts, f"{site.address}/ru")
    work()
    assert "Причал стоит дорого" in contracts.documents.get().chunks.get().text


def test_a_page_over_https_is_read_where_its_certificate_holds(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tls_files(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    site.socket = context.wrap_socket(site.socket, server_side=True)
    site.put("/fees", PAGE.format(FEE))
    address = f"https://localhost:{site.server_port}/fees"
    with pytest.raises(FetchError) as refused:
        fetch(address, private_allowed=True)
    assert refused.value.code == "certificate"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert FEE.encode() in fetch(address, private_allowed=True).content
    with pytest.raises(FetchError) as refused:
        fetch(address.replace("localhost", "127.0.0.1"), private_allowed=True)  # a name that it is not for
    assert refused.value.code == "certificate"


def tls_files(folder: Path) -> tuple[Path, Path]:
    """A new key, and a certificate for localhost that it has signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "key.pem", folder / "certificate.pem"
    paths[0].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    paths[1].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return paths


# --- over REST -------------------------------------------------------------------------------------------
def test_rest_adds_texts_and_pages(
    contracts: Datasource, client: Client, work: Any, site: Site, allowed: None
) -> None:
    text, page = (reverse(f"api-documents-{kind}", args=[contracts.pk]) for kind in ("text", "web-page"))
    given = {"title": "Call", "text": FEE}
    added = client.post(text, given, content_type="application/json")
    assert added.status_code == 201, added.content
    again = client.post(text, given, content_type="application/json")
    assert (again.status_code, again.json()["id"]) == (200, added.json()["id"])
    site.put("/fees", PAGE.format("Boats stay until noon."))
    assert client.post(page, {"address": f"{site.address}/fees"}, "application/json").status_code == 201
    work()
    texts = " ".join(chunk.text for document in contracts.documents.all() for chunk in document.chunks.all())
    assert FEE in texts
    assert "Boats stay until noon." in texts
    refused = client.post(text, {"title": " ", "text": "x"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "name_missing")
    refused = client.post(page, {"address": "file:///etc/passwd"}, content_type="application/json")
    assert refused.status_code == 400


# --- pasted text -----------------------------------------------------------------------------------------
def test_pasted_text_is_a_document(contracts: Datasource, client: Client, work: Any) -> None:
    address = reverse("paste_text", args=[contracts.pk])
    assert client.post(address, {"title": "Call / Tuesday", "text": f"%PDF-1.4\r\n{FEE}"}).status_code == 302
    work()
    document = contracts.documents.get()
    assert (document.title, document.filename) == ("Call / Tuesday", "Call - Tuesday.txt")
    assert document.status == DocumentStatus.READY, document.error_message
    assert FEE in document.chunks.get().text
    again = client.post(address, {"title": "Call", "text": f"%PDF-1.4\n{FEE}"})
    assert "Already here as “Call / Tuesday”" in text_of(again)
    for given, said in (
        ({"title": " ", "text": "x"}, "The text needs a name. Nothing was added."),
        ({"title": "x", "text": " \n"}, "There is no text."),
        ({"title": "x", "text": "y" * 300_001}, "the limit is 300,000"),
    ):
        refused = client.post(address, given)
        assert refused.status_code == 422
        assert said in text_of(refused)
    assert contracts.documents.count() == 1


def test_viewers_add_nothing(contracts: Datasource, bob: User, allowed: None) -> None:
    for name in ("paste_text", "add_web_page"):
        given = {"title": "x", "text": "x", "address": "https://example.org/"}
        assert browser_of(bob).post(reverse(name, args=[contracts.pk]), given).status_code == 403
    assert not contracts.documents.exists()
