"""A link to a source works past many questions, after re-chunking, a replacement and a deletion."""

import re
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from accounts.models import User
from chat.models import Citation, Turn, TurnStatus
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.lifecycle.deletion import delete
from ingestion.models import Chunk, Page
from reader import page_images
from tests.factories import TEXT, make_document, make_turn
from tests.people import browser_of
from tests.responses import content_of, text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    return make_turn(alice, document)


@pytest.fixture
def web(alice: User) -> Client:
    return browser_of(alice)


def pane_of(web: Client, turn: Turn) -> str:
    return web.get(f"/turn/{turn.pk}/source/1/", headers=HTMX).content.decode()


def card_of(web: Client, turn: Turn) -> str:
    return web.get(f"/turn/{turn.pk}/source/1/card/", headers=HTMX).content.decode()


def replace(document: Document, text: str) -> Document:
    """As reading a newer version to its end leaves the rows."""
    new = make_document(
        document.datasource,
        text=text,
        replaces=document,
        version=document.version + 1,
        ready_at=timezone.now(),
    )
    document.chunks.all().delete()
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.SUPERSEDED)
    return new


def ask_more(turn: Turn, count: int) -> None:
    Turn.objects.bulk_create(
        Turn(
            conversation=turn.conversation,
            number=number,
            question=f"Question {number}",
            answer="Nothing.",
            status=TurnStatus.ANSWERED,
        )
        for number in range(2, count + 1)
    )


def test_a_link_to_an_early_answer_shows_it_with_its_source(web: Client, turn: Turn) -> None:
    ask_more(turn, 25)
    thread = f"/d/{turn.conversation.datasource_id}/chat/{turn.conversation_id}/"
    assert turn.question not in [view.turn.question for view in web.get(thread).context["views"]]
    page = web.get(f"{thread}?turn=1&cite=1")
    assert page.context["views"][0].turn == turn
    assert len(page.context["views"]) == 25
    assert page.context["source"].citation == turn.citations.get()
    for odd in ("0", "99999", "-1", "x", "²"):
        assert len(web.get(f"{thread}?turn={odd}&cite=1").context["views"]) == 20


def test_after_rechunking_the_source_leads_to_the_chunk_that_holds_it_now(
    web: Client, turn: Turn, document: Document
) -> None:
    Citation.objects.update(chunk_id_hint=document.chunks.get().pk)
    document.chunks.all().delete()
    chunks = [
        Chunk.objects.create(
            datasource=document.datasource,
            document=document,
            index=index,
            text=TEXT[start:end],
            start=start,
            end=end,
            first_page=1,
            last_page=1,
        )
        for index, (start, end) in enumerate(((0, 20), (20, len(TEXT))))
    ]
    pane = pane_of(web, turn)
    assert f"?chunk={chunks[0].pk}" in pane
    assert "On the page." in text_of(pane)


def test_a_replaced_document_shows_its_page_and_says_that_a_newer_version_exists(
    web: Client, turn: Turn, document: Document
) -> None:
    new = replace(document, f"New on this page: the heading. {TEXT.upper()} And more.")
    Page.objects.filter(document=new).update(number=3)
    pane = pane_of(web, turn)
    assert f"/documents/{document.pk}/pages/1.webp" in pane  # the page that was quoted
    assert "A newer version of this document exists. The same words are on its page 3" in text_of(pane)
    link = f"/d/{new.datasource_id}/documents/{new.pk}/?page=3&amp;q=Backups%20are"
    assert link in pane
    assert "A newer version of this document exists" in text_of(card_of(web, turn))
    assert "chunk=" not in pane  # its chunks are gone


def test_the_newest_of_several_versions_is_named_and_lost_words_are_said_to_be(
    web: Client, turn: Turn, document: Document
) -> None:
    newest = replace(replace(document, f"{TEXT} Version two."), "Nothing of the kind is in this version.")
    pane = pane_of(web, turn)
    assert "These words are not in it." in text_of(pane)
    assert f"/documents/{newest.pk}/" in pane
    Document.objects.filter(pk=newest.pk).update(status=DocumentStatus.DELETED)
    assert "newer version" not in text_of(pane_of(web, turn))


@pytest.mark.parametrize("is_purged", [False, True])
def test_a_deleted_document_leaves_its_quote_as_text(
    web: Client, turn: Turn, document: Document, is_purged: bool
) -> None:
    assert "<img" in card_of(web, turn)
    delete(document)
    if is_purged:
        document.delete()
    for html in (pane_of(web, turn), card_of(web, turn)):
        assert TEXT in text_of(html)
        assert "file was deleted" in text_of(html)
        assert "<img" not in html
        assert ".webp" not in html
        assert "On the page" not in text_of(html)


def test_a_hover_card_names_a_newer_version_without_reading_it(
    web: Client, turn: Turn, document: Document
) -> None:
    new = replace(document, f"A very long text. {TEXT}")
    with CaptureQueriesContext(connection) as queries:
        assert "A newer version of this document exists" in text_of(card_of(web, turn))
    read = [query["sql"] for query in queries if f'FROM "{Page._meta.db_table}"' in query["sql"]]
    assert not [sql for sql in read if f'"document_id" = {new.pk}' in sql]


def test_the_rest_of_a_cut_sentence_is_shown_underlined(web: Client, turn: Turn) -> None:
    Citation.objects.update(
        quote="kept for thirty days", start=12, end=32, before="Backups are", after="in a second region."
    )
    for html in (pane_of(web, turn), card_of(web, turn)):
        assert '<u class="rest">Backups are </u>' in html
        assert '<u class="rest"> in a second region.</u>' in html


def test_the_card_gives_the_crop_its_place_before_it_is_drawn(
    web: Client, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a card that is asked for at once comes at once, and nothing moves when its picture arrives."""
    with monkeypatch.context() as patch:
        patch.setattr(page_images, "format_of", lambda mime: pytest.fail("drawn"))
        card = card_of(web, turn)
    found = re.search(r'<img src="(\S+)" width="(\d+)"\s+height="(\d+)"', card)
    assert found
    address, width, height = found.groups()
    drawn = Image.open(BytesIO(content_of(web.get(address))))
    assert drawn.width / 2 == pytest.approx(int(width), abs=1)
    assert drawn.height / 2 == pytest.approx(int(height), abs=1)
