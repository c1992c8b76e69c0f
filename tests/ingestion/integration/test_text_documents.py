"""A text file from its upload to an answer that is proved on the image of its page."""

import asyncio
import io
from io import BytesIO
from typing import Any

import pypdf
import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from answering.models import Models
from chat import services as chat
from chat.turns.run import run_turn
from citations.choices import Support
from datasources.models import Datasource, Document, DocumentStatus
from formats.registry import describe_formats
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from reader import page_images
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)

QUOTE = "The Customer may terminate this Agreement on not less than sixty (60) days' written notice"
TEXT = f"""MASTER SERVICES AGREEMENT

1. Invoices are payable within thirty days of receipt.
\f2. Term and termination

    {QUOTE}, and the Supplier has no such right while the Customer pays what it owes.
"""


def upload(datasource: Datasource, user: User, content: bytes, name: str = "agreement.txt") -> Document:
    return accept_upload(datasource, user, name, io.BytesIO(content))[0].document


def test_a_quote_of_a_text_file_is_shown_on_its_page(
    contracts: Datasource, alice: User, work: Any, client: Client
) -> None:
    document = upload(contracts, alice, TEXT.encode())
    work()
    document.refresh_from_db()
    assert (document.status, document.page_count) == (DocumentStatus.READY, 2)
    search = tools_reply(("search_literal", {"words": "may terminate this Agreement", "limit": 1}))
    answer = tools_reply(("answer", {"answer": f"Sixty days /citation[c1, {QUOTE}].", "found": "all"}))
    turn = chat.ask(alice, contracts, "How do we end it?", queued=False)
    with ScriptedOpenAI([search, answer]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    citation = turn.citations.get()
    assert (citation.support, citation.quote, citation.pages) == (Support.SUPPORTED, QUOTE, [2])
    rows = citation.boxes_on(2)
    assert len(rows) == 2  # the quote is wrapped at the page's edge
    assert rows[0][0] > rows[1][0]  # and begins at an indent
    client.force_login(alice)
    crop = client.get(reverse("api-citation-crop", args=[turn.pk, 1, 2]))
    shown = Image.open(BytesIO(crop.content))
    assert shown.width / 2 > 400  # two pixels for each CSS pixel
    assert shown.height < shown.width / 2  # a few lines of the page
    (page,) = pypdf.PdfReader(
        BytesIO(client.get(reverse("api-citation-pdf", args=[turn.pk, 1])).content)
    ).pages
    assert "sixty (60) days' written notice" in " ".join(page.extract_text().split())
    original = client.get(reverse("document_original", args=[contracts.pk, document.pk]))

    async def content() -> bytes:
        return b"".join([block async for block in original])  # type: ignore[attr-defined]

    assert async_to_sync(content)() == TEXT.encode()
    assert original["Content-Disposition"] == 'attachment; filename="agreement.txt"'


def test_the_reader_says_that_the_page_is_typeset(
    contracts: Datasource, alice: User, work: Any, client: Client
) -> None:
    document = upload(contracts, alice, TEXT.encode())
    work()
    client.force_login(alice)
    page = client.get(reverse("reader", args=[contracts.pk, document.pk])).content.decode()
    assert "Set by SVQ from the plain text file: not the file’s own look." in page
    printed = client.get(reverse("reader", args=[contracts.pk, make_document(contracts).pk]))
    assert "Set by SVQ" not in printed.content.decode()


def test_what_is_made_of_a_text_goes_with_it(
    contracts: Datasource, alice: User, work: Any, settings: Any
) -> None:
    document = upload(contracts, alice, TEXT.encode())
    work()
    assert page_images.page_image(document, 2, asker=1)
    assert list(settings.CACHE_DIR.rglob("rendition-*.pdf"))
    purge(document)
    work()
    assert not [path for path in settings.CACHE_DIR.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("blank.txt", b" \r\n\t\r\n", "empty"),
        ("nothing.txt", b"", "empty"),
        ("data.txt", b"\0\x01\x02\x03" * 500, "unsupported"),
    ],
)
def test_a_text_that_cannot_be_read_says_why(
    contracts: Datasource, alice: User, work: Any, name: str, content: bytes, code: str
) -> None:
    document = upload(contracts, alice, content, name)
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, code)
    assert "PDF" not in document.error_message
    assert document.error_hint


def test_a_mislabelled_file_is_read_as_what_it_is(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice, TEXT.encode(), "agreement.pdf")
    work()
    document.refresh_from_db()
    assert (document.mime, document.status) == ("text/plain", DocumentStatus.READY)


def test_people_are_told_what_can_be_added(contracts: Datasource, alice: User, client: Client) -> None:
    client.force_login(alice)
    page = client.get(reverse("documents", args=[contracts.pk])).content.decode()
    accepted = page.partition('accept="')[2].partition('"')[0].split(",")
    assert {".pdf", ".txt", ".docx", ".html", ".md", ".csv", ".jsonl"} <= set(accepted)
    assert f"{describe_formats()}, and .jsonl files of ready passages" in page


def test_a_name_that_is_too_long_keeps_its_ending(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice, TEXT.encode(), f"{'Agreement ' * 40}.txt")
    work()
    document.refresh_from_db()
    assert (document.status, len(document.filename), document.filename[-4:]) == ("ready", 300, ".txt")
