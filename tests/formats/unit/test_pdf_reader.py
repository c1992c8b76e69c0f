"""Reading documents: whatever the file, its text comes with a box for each character, or a clear reason
comes instead.
"""

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pypdf
import pytest
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import DocumentInfo, ExtractionError, Limits
from formats.pdf import reader
from formats.pdf.page_text.clean import clean
from formats.pdf.page_text.column_order import in_rows
from formats.pdf.reader import read_pdf
from tests.formats.pdfs import boxes_of, error_of, make_pdf, pages_of, photographed


def test_document_facts_come_first_then_each_page(contract):
    info = next(read_pdf(contract))
    assert isinstance(info, DocumentInfo)
    assert info.pages == 2
    pages = pages_of(contract)
    assert [page.number for page in pages] == [1, 2]
    assert pages[0].text == "The rent is 1,200 euros a month.\nIt is due on the first."
    assert (pages[0].width, pages[0].height) == letter


def test_title_is_taken_from_the_metadata(contract):
    info = next(iter(read_pdf(contract)))
    assert isinstance(info, DocumentInfo)
    assert (info.pages, info.properties.title) == (2, "Lease of the flat")


def test_boxes_lie_where_the_characters_are_drawn(contract):
    page = pages_of(contract)[0]
    boxes = boxes_of(page)
    assert len(boxes) == len(page.text)
    assert boxes[0, 0] == pytest.approx(72 / 612, abs=0.003)
    assert boxes[0, 3] == pytest.approx(1 - 700 / 792, abs=0.003)
    second_line = page.text.index("It is")
    assert boxes[second_line, 3] == pytest.approx(1 - 680 / 792, abs=0.003)
    for space in (page.text.index(" "), page.text.index("\n")):
        assert boxes[space].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_follow_the_page_as_it_is_displayed(contract, tmp_path, turn):
    writer = pypdf.PdfWriter(clone_from=contract)
    writer.pages[0].rotate(turn)
    writer.pages[0].cropbox = pypdf.generic.RectangleObject((36, 36, 576, 756))
    writer.write(tmp_path / "turned.pdf")
    page = pages_of(tmp_path / "turned.pdf")[0]
    x0, y0, x1, y1 = boxes_of(page)[page.text.index("The rent")]
    across, down = (72 - 36) / 540, (756 - 700) / 720  # the baseline start of the first letter, upright
    width, height = (720, 540) if turn in (90, 270) else (540, 720)
    assert (page.width, page.height) == (width, height)
    expected = {90: (1 - down, across), 180: (1 - across, 1 - down), 270: (down, 1 - across)}[turn]
    assert min(abs(x0 - expected[0]), abs(x1 - expected[0])) < 0.01
    assert min(abs(y0 - expected[1]), abs(y1 - expected[1])) < 0.01


def test_reading_resumes_at_any_page(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [[f"Page number {n}."] for n in range(1, 8)])
    info = next(read_pdf(path, first_page=6))
    assert isinstance(info, DocumentInfo)
    assert info.pages == 7
    pages = pages_of(path, first_page=6)
    assert [(page.number, page.text) for page in pages] == [(6, "Page number 6."), (7, "Page number 7.")]


def test_page_of_only_an_image_has_empty_text(tmp_path):
    from PIL import Image

    Image.new("RGB", (400, 300), "navy").save(tmp_path / "scan.pdf")
    (page,) = pages_of(tmp_path / "scan.pdf")
    assert page.text == ""
    assert page.readable
    assert len(boxes_of(page)) == 0


def encrypt(source: Path, target: Path, password: str) -> Path:
    writer = pypdf.PdfWriter(clone_from=source)
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    writer.write(target)
    return target


def test_encrypted_file_says_so(contract, tmp_path):
    path = encrypt(contract, tmp_path / "locked.pdf", "secret")
    assert error_of(path).code == "encrypted"
    assert len(pages_of(path, password="secret")) == 2


def test_encrypted_file_with_an_empty_password_is_read(contract, tmp_path):
    path = encrypt(contract, tmp_path / "owner-only.pdf", "")
    assert "1,200 euros" in pages_of(path)[0].text


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"Dear Sir, this is a plain text renamed.", "unsupported"),
        (b"PK\x03\x04 a zip archive", "unsupported"),
        (b"\0" * 5000, "corrupt"),
        (b"%PDF-1.7\nnothing of use follows", "corrupt"),
    ],
)
def test_what_is_no_pdf_ends_with_a_reason(tmp_path, content, code):
    path = tmp_path / "file.pdf"
    path.write_bytes(content)
    assert error_of(path).code == code


def test_truncated_file_is_read_as_far_as_it_goes_or_called_damaged(contract, tmp_path):
    whole = contract.read_bytes()
    codes = set()
    for share in (0.2, 0.5, 0.9):
        path = tmp_path / "truncated.pdf"
        path.write_bytes(whole[: int(len(whole) * share)])
        try:
            pages_of(path)
        except ExtractionError as error:
            codes.add(error.code)
    assert codes <= {"corrupt", "empty"}
    assert codes


def test_pdf_without_pages_is_empty(tmp_path):
    pypdf.PdfWriter().write(tmp_path / "no-pages.pdf")
    assert error_of(tmp_path / "no-pages.pdf").code == "empty"


def test_too_large_is_said_before_reading(contract):
    assert error_of(contract, limits=Limits(file_bytes=100)).code == "too_large"
    assert error_of(contract, limits=Limits(pages=1)).code == "too_large"


def test_time_limit_of_the_whole_document(contract):
    assert (
        error_of(contract, limits=Limits(document_seconds=0, document_seconds_per_page=0)).code == "timeout"
    )


def test_time_for_putting_a_page_in_order_counts(contract, monkeypatch):
    ahead = [0.0]

    def slow(*args):
        ahead[0] += 10_000
        return in_rows(*args)

    monkeypatch.setattr(reader, "in_rows", slow)
    monkeypatch.setattr(reader, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0]))
    assert error_of(contract).code == "timeout"


def cleaned(codes: str | list[int]) -> str:
    numbers = [ord(code) for code in codes] if isinstance(codes, str) else codes
    array = np.array(numbers, dtype=np.uint32)
    left = np.arange(len(array)) / 100
    boxes = np.column_stack([left, np.zeros_like(left), left + 0.01, np.full_like(left, 0.01)])
    text, kept = clean(array, boxes)
    assert len(text) == len(kept)
    return text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\0b\x07c\x7fd\x9fe", "abcde"),
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("co\u00adoperate\u200b", "cooperate"),
        ("e\ufb03cient \ufb01g", "efficient fig"),
        ("a\u00a0b\u2003c\td", "a b c d"),
        ("an exam\x02ple of it", "an example of it"),
        ("an exam\ufffeple of it", "an example of it"),
        ("our long\x02term debt, a long term", "our long-term debt, a long term"),
        ("an exchange, not exchange\x02traded", "an exchange, not exchange-traded"),
        ("in all in\x02vestments", "in all investments"),
        ("long-term and long\x02term", "long-term and long-term"),
        ("from 2019\x022020 on", "from 2019-2020 on"),
        ("Jean\x02Paul", "Jean-Paul"),
        ("Mu\u0308ller, the cafe\u0301", "Müller, the café"),
        ("depo\u2063sit of 0\u202e0\u202c5", "deposit of 005"),
        ("", ""),
    ],
)
def test_text_is_clean_and_keeps_its_boxes(raw, text):
    assert cleaned(raw) == text


def test_a_tab_stands_between_the_cells_of_a_row(tmp_path):
    canvas = Canvas(str(tmp_path / "table.pdf"), pagesize=letter)
    canvas.drawString(72, 700, "The parties sign here, and a line of prose has plain spaces only.")
    for left, cell in ((72, "Name"), (150, "Imogen Varley"), (260, "Marguerite Ashdown")):
        canvas.drawString(left, 660, cell)
    canvas.setFont("Helvetica", 30)
    canvas.drawString(72, 600, "A Large Title")
    canvas.save()
    (page,) = pages_of(tmp_path / "table.pdf")
    prose, row, title = page.text.split("\n")
    assert "\t" not in prose + title
    assert row == "Name\tImogen Varley\tMarguerite Ashdown"
    assert not boxes_of(page)[page.text.index("\t")].any()


def test_surrogates_are_paired_or_replaced():
    assert cleaned([0xD83D, 0xDE00, 0x41, 0xD800, 0x42]) == "\U0001f600A\ufffdB"
    assert cleaned([0x110000, 0x41]) == "\ufffdA"


def test_letters_of_a_ligature_share_its_box():
    codes = np.array([0x61, 0xFB01, 0x62], dtype=np.uint32)
    text, boxes = clean(codes, np.array([[1.0] * 4, [2.0] * 4, [3.0] * 4]))
    assert text == "afib"
    assert boxes[:, 0].tolist() == [1, 2, 2, 3]


def test_a_letter_and_its_accent_are_one_character_with_a_box_around_both():
    codes = np.array([ord(letter) for letter in "au\u0308b"], dtype=np.uint32)
    text, boxes = clean(codes, np.array([[0, 0, 1, 2], [1, 0, 2, 2], [1.2, 2, 1.8, 3], [2, 0, 3, 2.0]]))
    assert text == "aüb"
    assert boxes.tolist() == [[0, 0, 1, 2], [1, 0, 2, 3], [2, 0, 3, 2]]


def test_a_photographed_page_with_a_running_head_is_a_picture(contract, tmp_path):
    head = "robertson.jpg (JPEG Image, 585 x 890 pixels)"
    (page,) = pages_of(photographed(tmp_path / "scan.pdf", head))
    assert (page.text, page.picture) == (head, True)
    (slide,) = pages_of(photographed(tmp_path / "slide.pdf", "Results of 2023", at=(100, 400)))
    assert not slide.picture, "the words stand on the picture: it is a background"
    assert not any(page.picture for page in pages_of(contract))


def test_marks_follow_their_words_without_a_space_that_nobody_sees(tmp_path):
    canvas = Canvas(str(tmp_path / "marks.pdf"), pagesize=letter)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 700, "Sales of AirPods")
    after = 72 + canvas.stringWidth("Sales of AirPods")
    canvas.drawString(after + 8, 700, ", cases and more.")
    canvas.drawString(72, 680, "A loss of (260")
    canvas.drawString(72 + canvas.stringWidth("A loss of (260") + 2, 680, ") and no more.")
    canvas.drawString(72, 660, "Il dit : costs .5 percent")
    canvas.drawString(72, 640, "Note 1")
    canvas.drawString(72 + canvas.stringWidth("Note 1") + 5, 640, ": Basis")
    canvas.setFont("Helvetica", 7)
    canvas.drawString(after, 704, "\u00ae")
    canvas.save()
    (page,) = pages_of(tmp_path / "marks.pdf")
    lines = page.text.split("\n")
    assert lines[0] == "Sales of AirPods, cases and more."
    assert lines[1:4] == ["A loss of (260) and no more.", "Il dit : costs .5 percent", "Note 1 : Basis"]
    boxes = boxes_of(page)
    assert len(boxes) == len(page.text)
    comma = boxes[page.text.index(",")]
    assert comma[0] == pytest.approx((after + 8) / 612, abs=0.003)
    assert comma[3] > boxes[0, 3]
