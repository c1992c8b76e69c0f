"""A text file has pages that are drawn once, in a process of their own, and give each character its box."""

from io import BytesIO

import numpy as np
import pypdf
import pytest
from PIL import Image

from formats import DocumentInfo, ExtractionError, Limits, PageText, SourceFile, pictures
from formats.base.values import Rect
from formats.boxes import boxes_of
from formats.registry import PLAIN_TEXT, identify
from tests.formats.pdfs import boxes_of as boxes_of_characters
from tests.processes import readers

LETTER = """Lease of the flat

    The rent is 1,200 euros a month.
    It is due on the first.
\fNotice: thirty days, in writing. Grüße, Привет, 合同 😀
"""


@pytest.fixture
def text_file(tmp_path):
    def make(content: bytes | str = LETTER, name: str = "letter") -> SourceFile:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return SourceFile(path=path, derived=tmp_path / f"derived-{name}")

    return make


def read(file: SourceFile, **options) -> tuple[DocumentInfo, list[PageText]]:
    info, *pages = PLAIN_TEXT.read(file, **options)
    assert isinstance(info, DocumentInfo)
    return info, [page for page in pages if isinstance(page, PageText)]


def test_facts_and_pages(text_file):
    info, pages = read(text_file())
    assert info == DocumentInfo(pages=2)
    assert [page.number for page in pages] == [1, 2]
    assert "\n".join(page.text for page in pages) == LETTER.replace("\f", "").rstrip()
    assert {(round(page.width), round(page.height)) for page in pages} == {(595, 842)}


def test_accents_apart_and_unseen_letters_keep_every_box_at_its_character(text_file):
    _, (page,) = read(text_file("The cafe\u0301 Mu\u0308ller\u2063 closes\U000e0041 at ten.\n"))
    assert page.text == "The café Müller closes at ten."
    inked = [bool(box.any()) for box in boxes_of_characters(page)]
    assert [letter for letter, ink in zip(page.text, inked, strict=True) if not ink] == [" "] * 5


def test_reading_goes_on_at_any_page(text_file):
    info, (page,) = read(text_file(), first_page=2)
    assert info.pages == 2
    assert page.number == 2
    assert page.text.startswith("Notice: thirty days")


def test_boxes_lie_on_the_ink_of_the_page(text_file):
    file = text_file()
    page = read(file)[1][0]
    start = page.text.index("1,200 euros")
    (rect,) = boxes_of(start, start + len("1,200 euros"), page.boxes, len(page.text))
    image = pictures.page_image(PLAIN_TEXT.render(file, 1, 1240))
    grey = np.asarray(Image.open(BytesIO(image)).convert("L"))
    height, width = grey.shape
    inside = grey[
        int(rect.y0 * height / 1000) : int(rect.y1 * height / 1000) + 1,
        int(rect.x0 * width / 1000) : int(rect.x1 * width / 1000) + 1,
    ]
    assert (inside < 128).mean() > 0.1
    assert 0.1 < rect.x0 / 1000 < rect.x1 / 1000 < 0.6
    part = Rect(x0=0, y0=rect.y0 - 5, x1=1000, y1=rect.y1 + 5)
    crop = Image.open(BytesIO(pictures.crop([(PLAIN_TEXT.render(file, 1, 1240, part=part), part)], [rect])))
    assert crop.width == 1240
    assert crop.height < 60


def test_chinese_has_boxes_where_its_font_is_installed(text_file):
    pytest.importorskip("noto_cjk_sans_otc")
    _, (page,) = read(text_file("合同自签字之日起生效，有效期为三十天。"))
    (rect,) = boxes_of(0, len(page.text), page.boxes, len(page.text))
    assert rect.x1 - rect.x0 == pytest.approx(19 * 9 / 595 * 1000, abs=20)  # a square of nine points a letter


def test_cut_pages_are_just_these(text_file):
    (page,) = pypdf.PdfReader(BytesIO(PLAIN_TEXT.cut(text_file(), [2]))).pages
    assert "Notice: thirty days" in page.extract_text()


def test_the_rendition_is_made_once_and_the_same_each_time(text_file):
    file = text_file()
    path = PLAIN_TEXT.as_pdf(file)
    made = path.stat().st_mtime_ns
    assert file.derived in path.parents
    assert PLAIN_TEXT.as_pdf(file).stat().st_mtime_ns == made
    again = PLAIN_TEXT.as_pdf(text_file(name="another"))
    assert again.read_bytes() == path.read_bytes()


def test_the_text_is_never_a_program(text_file):
    evil = '#import "@preview/cetz:0.3.0"\n#read("/etc/passwd") $x^2$ *bold* // gone? \\u{41} #panic("x")'
    _, (page,) = read(text_file(evil))
    assert page.text == evil
    (drawn,) = pypdf.PdfReader(PLAIN_TEXT.as_pdf(text_file(evil))).pages
    assert '#read("/etc/passwd") $x^2$ *bold* // gone?' in drawn.extract_text()


def test_long_texts_stay_within_the_limits(text_file):
    line = "The tenant shall give notice in writing, not later than thirty days before the end.\n"
    info, pages = read(text_file(line * 60 * 150), limits=Limits(memory_bytes=300 * 2**20))
    assert info.pages == 150
    assert all(page.text.count("tenant") == 60 and len(page.boxes) > 100 for page in pages)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b" \n\n\t", "empty"),
        (b"\0\x01\x02" * 1000, "unsupported"),
        (b"a\n" * 400_000, "too_large"),
        (b"x" * (20 * 2**20 + 1), "too_large"),
    ],
)
def test_what_cannot_be_read_has_a_reason_and_leaves_nothing(text_file, content, code):
    file = text_file(content)
    with pytest.raises(ExtractionError) as caught:
        list(PLAIN_TEXT.read(file))
    assert caught.value.code == code
    assert caught.value.hint
    assert not file.derived.exists()


def test_a_bomb_is_stopped_by_the_memory_limit(text_file):
    with pytest.raises(ExtractionError) as caught:
        list(PLAIN_TEXT.read(text_file("words " * 1_000_000), limits=Limits(memory_bytes=60 * 2**20)))
    assert caught.value.code == "memory"


def test_stopping_early_leaves_no_process(text_file):
    reader = PLAIN_TEXT.read(text_file())
    next(reader)
    next(reader)
    reader.close()
    assert not readers()


@pytest.mark.parametrize("name", ["letter.md", "letter.txt"])
def test_lines_from_right_to_left_are_set_from_the_right_and_every_letter_has_its_box(text_file, name):
    arabic = "بلغ الإيراد 1,250 دولار في 2023 (SVQ Ltd) للسنة، ولا يجوز نقل النسخ."
    hebrew = "השוכר ישלם 1,250 ש״ח (כולל מע״מ) עד ה-5 בכל חודש."
    file = text_file(f"{arabic}\n\n{hebrew}\n\nThe rent is due.\n", name)
    form = identify(name, b"") or PLAIN_TEXT
    (page,) = [item for item in form.read(file) if isinstance(item, PageText)]
    boxes = boxes_of_characters(page)
    for line, begins_right in ((arabic, True), (hebrew, True), ("The rent is due.", False)):
        start = page.text.index(line)
        placed = [boxes[start + n] for n, letter in enumerate(line) if not letter.isspace()]
        # In calligraphic print two letters may be one drawing, of which PDFium names a single one.
        assert sum(bool(box.any()) for box in placed) >= len(placed) - 1, line
        assert (placed[0][0] > 0.8, placed[0][0] < 0.1) == (begins_right, not begins_right)
        assert (placed[0][0] > placed[-1][0]) == begins_right  # the full stop stands at the line's end
