"""Where a page and its text disagree, that is told; where they agree, nothing is."""

from pathlib import Path

import pytest

from formats.base.doubts import Doubt, DoubtKind
from tests.formats import disagreeing
from tests.formats.pdfs import pages_of


def only_doubt(path: Path) -> tuple[Doubt, str]:
    (read,) = pages_of(path)
    (doubt,) = read.doubts
    return doubt, read.text[doubt.start : doubt.end]


@pytest.mark.parametrize("hidden", [disagreeing.white, disagreeing.unpainted, disagreeing.covered])
def test_words_that_nobody_can_see(tmp_path, hidden):
    doubt, words = only_doubt(disagreeing.page(tmp_path / "hidden.pdf", hidden))
    assert (doubt.kind, words) == (DoubtKind.UNSEEN, disagreeing.SECRET)
    x0, y0, _, y1 = doubt.box or (0, 0, 0, 0)
    assert x0 == pytest.approx(72 / 612, abs=0.01)
    assert y0 < 1 - 400 / 792 < y1 + 0.001


def test_words_outside_of_the_page(tmp_path):
    doubt, words = only_doubt(disagreeing.page(tmp_path / "outside.pdf", disagreeing.outside))
    assert (doubt.kind, words, doubt.box) == (DoubtKind.UNSEEN, disagreeing.SECRET, None)


def test_print_in_a_picture_is_not_in_the_text(tmp_path):
    doubt, words = only_doubt(disagreeing.page(tmp_path / "pictured.pdf", disagreeing.pictured))
    assert (doubt.kind, words) == (DoubtKind.UNREAD, "")
    x0, y0, x1, y1 = doubt.box or (0, 0, 0, 0)
    assert 0.1 < x0 < 0.14 < 0.6 < x1
    assert 1 - 432 / 792 < y0 < y1 < 1 - 380 / 792


def test_a_font_that_says_its_letters_are_others(tmp_path):
    (read,) = pages_of(disagreeing.other_letters(tmp_path / "other.pdf"))
    assert read.text.startswith("Tif tvqqmjfs tibmm efmjwfs")
    assert [doubt.kind for doubt in read.doubts] == [DoubtKind.LETTERS]
    assert read.suspect, "OCR reads it again"


@pytest.mark.parametrize("size", [7, 11])
def test_pages_that_agree_with_their_text(tmp_path, size):
    path = disagreeing.page(tmp_path / "right.pdf", disagreeing.blue_on_blue, size=size)
    (read,) = pages_of(path)
    assert read.doubts == ()
    assert not read.suspect
