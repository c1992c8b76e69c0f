"""Office files and mail from their upload to an answer that is proved on the image of a page."""

import asyncio
import io
from io import BytesIO
from typing import Any

import pypdf
import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from accounts.models import User
from answering.models import Models
from benchmarks.office_files import docx, paragraph, row, xlsx
from chat import services as chat
from chat.turns.run import run_turn
from citations.choices import Support
from datasources.models import Datasource, DocumentStatus
from exchange.packs.facts import answer_facts
from exchange.shares.services import make_link
from ingestion.adding.upload import accept_upload
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.openai_server import ScriptedOpenAI, tools_reply
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

QUOTE = "The Customer may terminate this Agreement on not less than sixty (60) days' written notice"
REST = ", and the Supplier has no such right while the Customer pays what it owes."
FIRST = "Invoices are payable within thirty days of receipt."


def presentation() -> bytes:
    made = Presentation()
    for words in (FIRST, QUOTE + REST):
        slide = made.slides.add_slide(made.slide_layouts[6])
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(5), Inches(2)).text_frame
        box.word_wrap, box.text = True, words
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def heading(text: str, level: int) -> str:
    properties = f'<w:pPr><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
    return paragraph(text).replace("<w:p>", f"<w:p>{properties}")


FILES = {
    "agreement.docx": docx(
        paragraph(FIRST)
        + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        + heading("Terms", 1)
        + heading("Ending", 2)
        + paragraph(QUOTE + REST)
    ),
    "agreement.pptx": presentation(),
    "agreement.xlsx": xlsx(
        {"Terms": row(1, FIRST, 30), "Ending": row(7, QUOTE + REST, 60) + row(9, "Else", 0)}
    ),
}
ADDRESSES = {  # of the page, and of the quote on it
    "agreement.docx": ("Terms", "Terms › Ending"),
    "agreement.pptx": ("Slide 2", "Slide 2"),
    "agreement.xlsx": ("Sheet “Ending”, rows 7 to 9", "Sheet “Ending”, row 7"),
}
KINDS = {"agreement.docx": "Word", "agreement.pptx": "PowerPoint", "agreement.xlsx": "Excel"}


@pytest.mark.parametrize("name", FILES)
def test_a_quote_is_shown_on_its_page(
    contracts: Datasource, alice: User, work: Any, client: Client, name: str
) -> None:
    document = accept_upload(contracts, alice, name, io.BytesIO(FILES[name]))[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.page_count) == (DocumentStatus.READY, 2), document.error_message
    search = tools_reply(("search_literal", {"words": "may terminate this Agreement", "limit": 1}))
    answer = tools_reply(("answer", {"answer": f"Sixty days /citation[c1, {QUOTE}].", "found": "all"}))
    turn = chat.ask(alice, contracts, "How do we end it?", queued=False)
    with ScriptedOpenAI([search, answer]) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    citation = turn.citations.get()
    assert (citation.support, citation.quote, citation.pages) == (Support.SUPPORTED, QUOTE, [2])
    assert citation.boxes_on(2)
    client.force_login(alice)
    crop = client.get(reverse("api-citation-crop", args=[turn.pk, 1, 2]))
    shown = Image.open(BytesIO(crop.content))
    assert shown.width / 2 > 200
    assert shown.height < shown.width
    cut = client.get(reverse("api-citation-pdf", args=[turn.pk, 1])).content
    (page,) = pypdf.PdfReader(BytesIO(cut)).pages
    assert "sixty (60) days' written notice" in " ".join(page.extract_text().split())
    of_page, of_quote = ADDRESSES[name]
    assert document.pages.get(number=2).address == of_page
    assert citation.where == of_quote
    card = text_of(client.get(reverse("source_card", args=[turn.pk, 1])))
    assert of_quote in card
    reader = text_of(client.get(reverse("reader", args=[contracts.pk, document.pk]), {"page": 2}))
    assert of_page in reader
    pane = text_of(client.get(reverse("source", args=[turn.pk, 1]), headers={"HX-Request": "true"}))
    shared = text_of(
        Client().get(reverse("shared", args=[make_link(alice, turn, recipient="Dora", days=7)[1]]))
    )
    packed = " ".join(answer_facts(turn, {})["citations"][0]["checked"])
    for told in (reader, pane, shared, packed):
        assert f"Set by SVQ from the {KINDS[name]} file: not the file’s own look." in told


def test_files_that_are_not_read_say_what_to_do(contracts: Datasource, alice: User, work: Any) -> None:
    """Without LibreOffice; with it, see `test_old_office_files`."""
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 22 + b"\x09\0" + b"\0" * 480
    old = content + "WordDocument".encode("utf-16-le") + b"\0" * 512
    document = accept_upload(contracts, alice, "minutes.doc", io.BytesIO(old))[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "unsupported")
    assert "before 2007" in document.error_message
    assert ".docx" in document.error_hint


def test_a_letter_with_a_password_asks_for_a_copy_without(
    contracts: Datasource, alice: User, work: Any
) -> None:
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 22 + b"\x09\0" + b"\0" * 480
    locked = content + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512
    document = accept_upload(contracts, alice, "letter.docx", io.BytesIO(locked))[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "encrypted")
    assert "remove the password" in document.error_hint
