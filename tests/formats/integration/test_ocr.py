"""Pages that are pictures: their words, the places of these, which way up they lie, all in the sandbox."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from formats.base import sandbox
from formats.base.errors import ExtractionError
from formats.boxes import boxes_of
from formats.ocr import reader
from formats.ocr.certainty import doubtful_words
from formats.ocr.reader import RecognisedPage, ScannedPage, recognise
from formats.pdf.compared.suspicion import is_suspect
from formats.pdf.reader import page_pixels
from tests.formats import disagreeing
from tests.formats.pdfs import pages_of
from tests.formats.scans import LINES, font_of, page, scan

TABLE = (
    "Fees           2023       2024",
    "Rent           1,250      1,375",
    "Heating         310        298",
)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, RecognisedPage]]:
    """Upright with a table, upside down, on its side, blank."""
    path = scan(
        tmp_path_factory.mktemp("ocr") / "scan.pdf",
        page((*LINES, *TABLE), size=(900, 620)),
        page().rotate(180),
        page().rotate(-90, expand=True),
        Image.new("RGB", (600, 400), "white"),
    )
    return path, {each.number: each for each in recognise(path, [ScannedPage(number=n) for n in range(1, 5)])}


@pytest.mark.parametrize(("number", "turns"), [(1, 0), (2, 2), (3, 3)])
def test_print_is_read_whichever_way_up_it_lies(
    read: tuple[Path, dict[int, RecognisedPage]], number: int, turns: int
) -> None:
    found = read[1][number]
    assert found.quarter_turns == turns
    assert found.page
    assert found.page.text.splitlines()[:3] == list(LINES)
    assert found.page.width > found.page.height
    assert (found.confidence or 0) > 0.9


def test_what_cannot_be_read_is_named_and_what_can_be_is_read(tmp_path: Path) -> None:
    hebrew = font_of("justmytype_intl_rtl", "fonts/ofl/notosanshebrew/NotoSansHebrew[wdth,wght].ttf", 36)
    foreign = scan(
        tmp_path / "foreign.pdf",
        page(("The notice was received on 27 August.", "Signed for the company:"), size=(900, 420)),
        page(
            (
                "אישור קבלה: ההודעה התקבלה במשרד הרשום",
                "ונמסרה לידי מזכיר החברה בשעות הבוקר",
                "בתאריך זה בנוכחות שני עדים",
            ),
            used=hebrew,
        ),
        page(
            (
                "임대료는 매월 말일까지 지급한다",
                "계약은 서면으로만 해지할 수 있다",
                "보증금은 계약이 끝나면 돌려준다",
            )
        ),
    )
    english, second, third = recognise(foreign, [ScannedPage(number=number) for number in (1, 2, 3)])
    assert english.page
    assert "received on 27 August" in english.page.text
    assert english.unread == ()
    for read, script in ((second, "Hebrew"), (third, "Korean")):
        assert read.page
        assert read.page.text == "", "no word is made up"
        assert {doubt.script for doubt in read.unread} == {script}


def test_print_beside_the_text_is_read_where_it_is(tmp_path: Path) -> None:
    path = disagreeing.page(tmp_path / "pictured.pdf", disagreeing.pictured)
    (own,) = pages_of(path)
    regions = tuple(doubt.box for doubt in own.doubts if doubt.box)
    (read,) = recognise(path, [ScannedPage(number=1, regions=regions)])
    assert read.page
    assert read.page.text.splitlines() == [
        "Each party keeps what it learns of the other to itself,",
        "for five years.",
    ]
    first, *_ = boxes_of(0, 9, read.page.boxes, len(read.page.text))
    assert first.x0 == pytest.approx(1000 * 75 / 612, abs=5)


def test_a_blank_page_has_no_words(read: tuple[Path, dict[int, RecognisedPage]]) -> None:
    blank = read[1][4].page
    assert blank
    assert blank.text == ""


def test_cells_of_a_table_are_told_apart(read: tuple[Path, dict[int, RecognisedPage]]) -> None:
    table = read[1][1].page
    assert table
    rows = [line.split("\t") for line in table.text.splitlines()[3:]]
    assert rows == [["Fees", "2023", "2024"], ["Rent", "1,250", "1,375"], ["Heating", "310", "298"]]


@pytest.mark.parametrize("words", ["12,500", "writing", "支付租金"])
def test_the_boxes_of_words_stand_on_their_ink(
    read: tuple[Path, dict[int, RecognisedPage]], words: str
) -> None:
    path, pages = read
    found = pages[1].page
    assert found
    start = found.text.index(words)
    (box,) = boxes_of(start, start + len(words), found.boxes, len(found.text))
    pixels = page_pixels(path, 1, 900)
    ink = np.frombuffer(pixels.rgb, dtype="u1").reshape(pixels.height, pixels.width, 3).min(axis=2) < 128
    x0, x1 = round(box.x0 * 0.9), round(box.x1 * 0.9)
    y0, y1 = (round(side * pixels.height / 1000) for side in (box.y0, box.y1))
    row = np.flatnonzero(ink[y0 - 12 : y1 + 12, x0:x1].any(axis=1)) + y0 - 12
    assert abs(row[0] - y0) <= 2
    assert abs(row[-1] - y1) <= 2
    beside = ink[y0:y1, :]
    assert beside[:, x0 : x0 + 8].any()
    assert beside[:, x1 - 8 : x1].any()


def _with_text(path: Path, text: str) -> Path:
    """A page that shows a line and has another one as its text, as scanners add it: invisible."""
    canvas = Canvas(str(path), pagesize=(590, 330))
    content = io.BytesIO()
    page().save(content, "PNG")
    canvas.drawInlineImage(Image.open(content), 0, 0, 590, 330)
    lines = canvas.beginText(38, 270)
    lines.setTextRenderMode(3)
    lines.setFont("Helvetica", 22)
    for line in text.splitlines():
        lines.textLine(line)
    canvas.drawText(lines)
    canvas.save()
    return path


def test_a_text_that_is_not_what_the_page_shows_gives_way(tmp_path: Path) -> None:
    right = _with_text(
        tmp_path / "right.pdf", "The tenant pays 12,500 EUR a month.\nNotice is given in writing."
    )
    wrong = _with_text(
        tmp_path / "wrong.pdf", "Wkh whqdqw sdbv 45,833 HXU d prqwk.\nQrwlfh lv jlyhq lq zulwlqj."
    )
    (kept,) = recognise(right, [ScannedPage(number=1, has_text=True)])
    (replaced,) = recognise(wrong, [ScannedPage(number=1, has_text=True)])
    assert kept.page is None
    assert not kept.lost
    assert replaced.page
    assert "The tenant pays" in replaced.page.text


def test_a_page_that_ends_the_reader_costs_that_page_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = scan(tmp_path / "scan.pdf", page(LINES[:1]), page(LINES[1:2]))
    real = reader._frames

    def dying(path: Path, pages: list[ScannedPage], *given: Any) -> object:
        if pages[0].number == 1:
            raise ExtractionError("memory")
        yield from real(path, pages, *given)

    monkeypatch.setattr(reader, "_frames", dying)
    first, second = recognise(path, [ScannedPage(number=1), ScannedPage(number=2)])
    assert first.lost
    assert second.page
    assert second.page.text == LINES[1]


def _frame(head: dict[str, object], *codes: int, place: float = 0.9) -> sandbox.Frame:
    """As the child sends it, in which one thing may be changed."""
    sent = {"page": 1, "kept": False, "quarter_turns": 0, "width": 500.0, "height": 300.0} | head
    body = np.array(codes, dtype="<u4").tobytes() + np.full((len(codes), 5), place).tobytes()
    return sandbox.Frame(head=sent, body=body)


@pytest.mark.parametrize(
    "sent",
    [
        [_frame({"page": 7}, 65)],
        [_frame({"page": "1"}, 65)],
        [_frame({"quarter_turns": 4}, 65)],
        [_frame({"quarter_turns": None}, 65)],
        [_frame({"width": float("nan")}, 65)],
        [_frame({"height": "300"}, 65)],
        [_frame({"kept": True, "width": None})],
        [_frame({}, 65, place=float("nan"))],
        [_frame({"unread": [["Hebrew", 0.1, 0.1, 0.9, float("nan")]]})],
        [_frame({"unread": [[7, 0.1, 0.1, 0.9, 0.2]]})],
        [_frame({}, 65, place=1e30)],
        [sandbox.Frame(head=_frame({}).head, body=b"odd")],
        [sandbox.Frame(head={}, body=b"")],
        [],
    ],
)
def test_of_what_no_reader_sends_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: list[sandbox.Frame]
) -> None:
    """A file may take over the process that reads it."""
    monkeypatch.setattr(reader, "_frames", lambda *_: (frame for frame in sent))
    (lost,) = recognise(tmp_path, [ScannedPage(number=1)])
    assert lost == RecognisedPage(number=1, lost=True)


def test_frames_of_more_pages_than_were_asked_for_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = [_frame({}, 0x48, 0xD800, 0x69), _frame({"page": 2}, 65)]
    monkeypatch.setattr(reader, "_frames", lambda *_: (frame for frame in sent))
    (read,) = recognise(tmp_path, [ScannedPage(number=1)])
    assert read.page
    assert read.page.text == "H\ufffdi"


def test_a_page_of_five_metres_takes_no_more_memory_than_others(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    canvas = Canvas(str(path), pagesize=(14_000, 14_000 * 5 / 9))
    canvas.drawInlineImage(page(LINES[:1]), 0, 0, 14_000, 14_000 * 5 / 9)
    canvas.save()
    (read,) = recognise(path, [ScannedPage(number=1)], memory_bytes=800 * 2**20)
    assert read.page
    assert read.page.text == LINES[0]


def test_a_reader_that_cannot_load_its_models_costs_the_page_alone(tmp_path: Path) -> None:
    path = scan(tmp_path / "scan.pdf", page())
    (lost,) = recognise(path, [ScannedPage(number=1)], memory_bytes=60 * 2**20)
    assert lost.lost


def test_formulas_with_unknown_letters_are_no_broken_text() -> None:
    assert not is_suspect("We show that the loss of the model is bounded by the sum of the terms.", 0.9)
    assert is_suspect("\ufffd\ufffd\ufffd Wkh \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd whqdqw sdbv", 0.0)
    assert is_suspect("Wkh whqdqw sdbv wkh uhqw hdfk prqwk lq dgydqfh", 0.9)
    assert not is_suspect("12", 1.0)


def test_doubtful_words_are_told_whole() -> None:
    text = "pays 12,500 EUR 租金"
    sure = np.ones(len(text))
    sure[6] = 0.4
    sure[-1] = 0.5
    certainty = reader.pack_certainty(sure)
    assert doubtful_words(text, certainty) == ["12,500", "金"]
    assert doubtful_words(text, certainty, 0, 4) == []
    assert doubtful_words(text, b"") == []


def test_the_reader_of_pictures_is_confined_as_others_are(tmp_path: Path) -> None:
    """Threads of a library would keep it out of its namespaces, in silence."""
    measures, _ = sandbox.examine([], None)
    in_force = {measure.name for measure in measures if measure.in_force}
    (frame,) = sandbox.frames(
        Path(__file__).parents[1] / "confined_ocr.py",
        {},
        memory_bytes=10**9,
        frame_seconds=60,
        cpu_seconds=60,
    )
    assert {measure["name"] for measure in frame.head["measures"] if measure["in_force"]} == in_force


def test_letters_of_languages_that_were_not_chosen_are_not_read(tmp_path: Path) -> None:
    path = scan(tmp_path / "scan.pdf", page(("Notice 475 支付租金",), size=(560, 180)))
    (read,) = recognise(path, [ScannedPage(number=1)], languages=["eng"])
    assert read.page
    assert "Notice 475" in read.page.text
    assert read.page.text.isascii()
