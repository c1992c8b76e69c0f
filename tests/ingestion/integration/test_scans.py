"""Scans and pictures from upload to an answer: read by OCR, kept page by page, switched per datasource."""

import io
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, Recognition
from datasources.services import change_datasource
from formats.base.values import PageText
from formats.boxes import boxes_of
from formats.ocr.certainty import is_recognised
from formats.ocr.reader import RecognisedPage, ScannedPage, pack_certainty
from formats.pdf.page_text.clean import pack
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.recognising import recognise
from ingestion.lifecycle.retrying import retry
from ingestion.models import PageSource
from ingestion.run import DocumentRun, start
from ingestion.steps import recognise as step
from ingestion.steps.extract import Extract
from ingestion.steps.recognise import Recognise
from jobs.runs import Stopped
from reader import page_images
from retrieval.legs import fuzzy
from retrieval.query import Scope
from svq_site.management.commands import worker
from tests.formats.scans import LINES, encoded, mixed, page

pytestmark = pytest.mark.django_db(transaction=True)


def add(datasource: Datasource, user: User, name: str, content: bytes) -> Document:
    return accept_upload(datasource, user, name, io.BytesIO(content))[0].document


def scanned_pdf(*pictures: Image.Image) -> bytes:
    first, *others = pictures
    return encoded(first, "PDF", save_all=True, append_images=others, resolution=110)


def read_quickly(monkeypatch: pytest.MonkeyPatch, read: list[int], dies_at: int = 0) -> None:
    """OCR that says which pages it read, at once; at one page its worker is stopped."""

    def pages(path: object, scans: list[ScannedPage], **_: Any) -> Any:
        for scan in scans:
            if scan.number == dies_at:
                raise Stopped
            read.append(scan.number)
            text = f"The tenant of flat {scan.number} pays the rent each month in advance."
            sure = np.full(len(text), 0.95)
            sure[text.index("rent")] = 0.3
            boxes = np.tile([0.1, 0.1, 0.2, 0.2], (len(text), 1))
            found = PageText(number=scan.number, text=text, boxes=pack(text, boxes), width=500, height=300)
            yield RecognisedPage(
                number=scan.number, page=found, certainty=pack_certainty(sure), confidence=0.95
            )

    monkeypatch.setattr(step, "recognise", pages)


def test_a_picture_can_be_asked_about(contracts: Datasource, alice: User, work: Any) -> None:
    """The whole way, with the real models."""
    document = add(contracts, alice, "lease.png", encoded(page().rotate(180), "PNG"))
    work()
    document.refresh_from_db()
    assert (document.status, document.pages_recognised, document.pages_unsure) == (DocumentStatus.READY, 1, 0)
    row = document.pages.get()
    assert (row.source, row.quarter_turns) == (PageSource.OCR, 2)
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    (hit,) = fuzzy.search(scope, "12,500 EUR a month")
    assert hit.document_id == document.pk
    start = row.text.index("Notice")
    ((number, boxes),) = page_images.place(document, start, start + 6).items()
    assert number == 1
    shown = Image.open(io.BytesIO(page_images.crop(document, 1, boxes, asker=alice.pk)))
    marked = np.asarray(shown.convert("RGB")).astype(int)
    yellow = (marked[..., 0] - marked[..., 2] > 60).mean()
    assert yellow > 0.01
    x0, y0, _, y1 = boxes[0]
    assert x0 < 100  # upright, the line begins at the left and is the second from the top
    assert 200 < y0 < y1 < 350
    assert LINES[2][:6] in row.text


def test_a_page_read_stays_read(contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    document = add(contracts, alice, "scan.pdf", scanned_pdf(page(), page(), page()))
    read: list[int] = []
    read_quickly(monkeypatch, read, dies_at=3)
    run = start(document.pk)
    assert run
    Extract().run(run)
    with pytest.raises(Stopped):
        Recognise().run(run)
    assert [row.source for row in document.pages.order_by("number")] == ["ocr", "ocr", "text"]
    read_quickly(monkeypatch, read)
    again = start(document.pk)
    assert again
    Recognise().run(again)
    assert read == [1, 2, 3]
    document.refresh_from_db()
    assert (document.stage_done, document.stage_total) == (3, 3)
    with pytest.raises(Stopped):  # the first run was fenced off by the second
        run.enter(DocumentStatus.RECOGNISING, 1)


def test_scans_that_wait_keep_no_file_with_text_waiting(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    read_quickly(monkeypatch, read)
    scans = [add(contracts, alice, f"{name}.pdf", scanned_pdf(page((name,)))) for name in ("one", "two")]
    text = add(contracts, alice, "short.txt", b"The lessor keeps the roof in repair.")
    work("ingest")  # while others are read by OCR
    for document in (*scans, text):
        document.refresh_from_db()
    assert text.status == DocumentStatus.READY
    assert [(scan.status, scan.page_count, read) for scan in scans] == [(DocumentStatus.QUEUED, 1, [])] * 2
    work()
    for document in scans:
        document.refresh_from_db()
        assert (document.status, document.pages_recognised) == (DocumentStatus.READY, 1)


def test_scans_take_turns(
    contracts: Datasource, alice: User, bob: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step, "PAGES_A_TURN", 2)
    read: list[int] = []
    read_quickly(monkeypatch, read)
    long = add(contracts, alice, "long.pdf", scanned_pdf(*[page((f"Page {n}",)) for n in range(3)]))
    work("ingest")
    add(contracts, bob, "short.png", encoded(page(), "PNG"))
    work("ingest")
    work()
    assert read == [1, 2, 1, 3]
    long.refresh_from_db()
    assert (long.status, long.pages_recognised) == (DocumentStatus.READY, 3)


def test_a_scan_makes_no_way_for_what_is_tried_again_later(
    contracts: Datasource, alice: User, work: Any
) -> None:
    add(contracts, alice, "scan.png", encoded(page(), "PNG"))
    assert not step.others_wait()
    work("ingest")
    assert step.others_wait()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour'")
    assert not step.others_wait()


def test_who_reads_files_reads_scans_too() -> None:
    assert worker.served(["ingest", "upkeep"]) == ["ingest", "ocr", "rescue", "upkeep"]
    assert worker.served(["agent"]) == ["agent", "quotes", "rescue"]
    assert settings.JOB_LIMITS["ocr"]["worker"] == settings.OCR_AT_ONCE


def slides(title: str) -> bytes:
    """Words, a photograph alone, a photograph below a title."""
    made = Presentation()
    for words, shows in (("The lessor keeps the roof in repair.", False), ("", True), (title, True)):
        slide = made.slides.add_slide(made.slide_layouts[6])
        if words:
            slide.shapes.add_textbox(Inches(1), Inches(0.5), Inches(8), Inches(1)).text_frame.text = words
        if shows:
            picture = io.BytesIO(encoded(page(), "PNG"))
            slide.shapes.add_picture(picture, Inches(1), Inches(2), Inches(8), Inches(5))
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def test_of_slides_those_without_text_are_read_and_no_others(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_datasource(contracts, recognition=Recognition.OFF)
    read: list[int] = []
    read_quickly(monkeypatch, read)
    document = add(contracts, alice, "deck.pptx", slides("What the tenant pays"))
    work()
    document.refresh_from_db()
    assert (document.status, document.pages_without_text) == (DocumentStatus.READY, 1)
    recognise(document)
    work()
    document.refresh_from_db()
    assert (document.status, document.pages_without_text, read) == (DocumentStatus.READY, 0, [2])
    assert document.chunks.filter(text__contains="flat 2").exists()
    assert document.chunks.filter(text__contains="What the tenant pays").exists()
    with pytest.raises(ValidationError, match="No page of this document needs OCR"):
        recognise(document)


def test_print_in_a_picture_beside_text_is_read_where_everything_is(
    client: Client, contracts: Datasource, alice: User, work: Any
) -> None:
    """With the real models: the slide's own words stay, each once; those of its picture come behind them."""
    change_datasource(contracts, recognition=Recognition.ALWAYS)
    document = add(contracts, alice, "deck.pptx", slides("What the tenant pays"))
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    words, _, beside = document.pages.order_by("number")
    assert (words.source, words.text.strip()) == (PageSource.TEXT, "The lessor keeps the roof in repair.")
    assert beside.source == PageSource.BOTH
    assert beside.text.splitlines() == ["What the tenant pays", *LINES]
    start = beside.text.index("12,500")
    boxes = boxes_of(start, start + 6, bytes(beside.boxes), len(beside.text))
    title = boxes_of(0, 4, bytes(beside.boxes), len(beside.text))
    assert len(boxes) == len(title) == 1
    assert boxes[0].y0 > title[0].y1
    assert not is_recognised(bytes(beside.certainty), 0, 20)
    assert is_recognised(bytes(beside.certainty), start, start + 6)
    client.force_login(alice)
    opened = client.get(reverse("reader", args=[contracts.pk, document.pk]), {"page": 3}).content.decode()
    assert "The words in its pictures were read by OCR" in opened


def test_only_pictures_are_read_when_needed_and_every_page_when_always(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    read_quickly(monkeypatch, read)
    document = add(contracts, alice, "mixed.pdf", mixed("text", "picture", "text"))
    work()
    document.refresh_from_db()
    assert (read, document.status, document.pages_without_text) == ([2], DocumentStatus.READY, 0)
    change_datasource(contracts, recognition=Recognition.ALWAYS)
    read.clear()
    add(contracts, alice, "other.pdf", mixed("picture", "text"))
    work()
    assert read == [1, 2]


def test_of_a_converted_file_only_pages_without_text_are_read(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_datasource(contracts, recognition=Recognition.ALWAYS)
    read: list[int] = []
    read_quickly(monkeypatch, read)
    document = add(contracts, alice, "a.html", b"<p>The lessor keeps the roof in repair.</p>")
    run = start(document.pk)
    assert run
    Extract().run(run)
    Recognise().run(run)
    assert read == []
    document.pages.update(text="")  # as a page that is nothing but a picture
    Recognise().run(run)
    assert read == [1]


def test_ocr_that_is_off_can_be_asked_for(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_datasource(contracts, recognition=Recognition.OFF)
    read: list[int] = []
    read_quickly(monkeypatch, read)
    scan = add(contracts, alice, "scan.pdf", scanned_pdf(page(), page()))
    partly = add(contracts, alice, "partly.pdf", mixed("text", "picture"))
    work()
    scan.refresh_from_db()
    partly.refresh_from_db()
    assert (read, scan.error_code, partly.status) == ([], "needs_ocr", DocumentStatus.READY)
    chunks = partly.chunk_count
    recognise(scan)
    recognise(partly)
    work()
    scan.refresh_from_db()
    partly.refresh_from_db()
    assert sorted(read) == [1, 2, 2]
    assert (scan.status, scan.pages_recognised) == (DocumentStatus.READY, 2)
    assert (partly.status, partly.pages_without_text) == (DocumentStatus.READY, 0)
    assert partly.chunk_count == partly.chunks.count() > 0
    assert partly.chunks.filter(text__contains="flat 2").exists()
    assert chunks
    with pytest.raises(ValidationError, match="No page of this document needs OCR"):
        recognise(partly)


def fail_at_pictures(monkeypatch: pytest.MonkeyPatch, read: list[int]) -> None:
    def lost(path: object, scans: list[ScannedPage], **_: Any) -> Any:
        read.extend(scan.number for scan in scans)
        yield from (RecognisedPage(number=scan.number, lost=True) for scan in scans)

    monkeypatch.setattr(step, "recognise", lost)


def test_pages_at_which_ocr_fails_are_told_apart_and_not_read_again(
    client: Client, contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    read: list[int] = []
    fail_at_pictures(monkeypatch, read)
    document = add(contracts, alice, "mixed.pdf", mixed("text", "picture"))
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert (document.pages_without_text, document.pages_unreadable) == (0, 1)
    listed = " ".join(client.get(reverse("documents", args=[contracts.pk])).content.decode().split())
    assert "Page 2 could not be read by OCR." in listed
    assert "by OCR; about" not in listed
    with pytest.raises(ValidationError, match="No page of this document needs OCR"):
        recognise(document)
    assert read == [2]


def test_a_scan_at_which_ocr_fails_can_be_read_again(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_at_pictures(monkeypatch, [])
    document = add(contracts, alice, "scan.pdf", scanned_pdf(page()))
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "ocr_failed")
    read_quickly(monkeypatch, [])
    retry(document)
    work()
    document.refresh_from_db()
    assert (document.status, document.pages_recognised) == (DocumentStatus.READY, 1)


def test_text_stays_the_files_own_where_ocr_finds_no_words(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(path: object, scans: list[ScannedPage], **_: Any) -> Any:
        for scan in scans:
            yield RecognisedPage(
                number=scan.number,
                page=PageText(number=scan.number, text="", boxes=b"", width=9, height=9),
            )

    monkeypatch.setattr(step, "recognise", nothing)
    change_datasource(contracts, recognition=Recognition.ALWAYS)
    document = add(contracts, alice, "text.pdf", mixed("text"))
    work()
    document.refresh_from_db()
    assert (document.status, document.pages_recognised) == (DocumentStatus.READY, 0)
    assert document.pages.get().source == PageSource.TEXT


def test_a_picture_without_words_says_so(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = add(contracts, alice, "blank.png", encoded(Image.new("RGB", (400, 300), "white"), "PNG"))
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "no_words")
    assert "Chinese" in document.error_hint


@pytest.mark.parametrize(("right", "checked"), [(True, [1, 2, 5]), (False, [1, 2, 3, 4, 5])])
def test_two_right_texts_prove_the_others(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, right: bool, checked: list[int]
) -> None:
    read: list[int] = []

    def pages(path: object, scans: list[ScannedPage], **_: Any) -> Any:
        for scan in scans:
            read.append(scan.number)
            text = "" if scan.has_text and right else "Read anew."
            found = PageText(
                number=scan.number, text=text, boxes=pack(text, np.zeros((len(text), 4))), width=9, height=9
            )
            yield RecognisedPage(number=scan.number, page=found if text else None)

    monkeypatch.setattr(step, "recognise", pages)
    document = add(contracts, alice, "old.pdf", mixed("text", "text", "text", "text", "picture"))
    run = start(document.pk)
    assert isinstance(run, DocumentRun)
    Extract().run(run)
    document.pages.filter(number__lt=5).update(suspect=True)
    Recognise().run(run)
    assert read == checked
    assert not document.pages.filter(suspect=True).exists()
    assert document.pages.recognised().count() == (1 if right else 5)
    document.refresh_from_db()
    assert (document.stage_done, document.stage_total) == (5, 5)


def test_the_button_reads_the_pages_that_it_names(
    client: Client, contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    chosen = {"field": "recognition", "recognition": "off"}
    client.post(reverse("save_setting", args=[contracts.pk]), chosen)
    contracts.refresh_from_db()
    assert contracts.recognition == Recognition.OFF
    read_quickly(monkeypatch, [])
    document = add(contracts, alice, "scan.pdf", scanned_pdf(page(), page()))
    work()
    address = reverse("documents", args=[contracts.pk])
    listed = " ".join(client.get(address).content.decode().split())
    assert "Pages 1-2 need OCR, about 10 s." in listed
    label = "Read 2 pages by OCR: 1-2; about 10 s"
    assert f'aria-label="{label}: {document.title}"' in listed
    assert f"{label} </button>" in listed  # in its menu
    opened = " ".join(
        client.get(reverse("reader", args=[contracts.pk, document.pk])).content.decode().split()
    )
    assert f"{label}</button>" in " ".join(opened.split())
    assert client.post(reverse("document_recognise", args=[contracts.pk, document.pk])).status_code == 302
    work()
    listed = " ".join(client.get(address).content.decode().split())
    assert "read by OCR" in listed
    assert "pages by OCR:" not in listed
    again = client.post(reverse("api-document-recognise", args=[document.pk]))
    assert again.status_code == 400
    assert "No page of this document needs OCR" in again.content.decode()


def test_a_scan_that_was_hard_to_read_says_so(
    client: Client, contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    read_quickly(monkeypatch, [])
    document = add(contracts, alice, "scan.pdf", scanned_pdf(page()))
    work()
    document.pages.update(confidence=0.7)
    document.refresh_from_db()
    document.write(pages_unsure=1)
    listed = " ".join(client.get(reverse("documents", args=[contracts.pk])).content.decode().split())
    assert "Ready, check the text" in listed
    assert "Page 1 was hard to read." in listed
