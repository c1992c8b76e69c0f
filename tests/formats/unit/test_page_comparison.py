"""Where a page and its text disagree, that is told; where they agree, nothing is."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.base import sandbox
from formats.base.doubts import MOST, Doubt, DoubtKind, at_most
from formats.base.errors import ExtractionError
from formats.base.values import Limits
from formats.pdf import child_process, looking, reader, rendering
from formats.pdf.compared import contrast, unread
from formats.pdf.compared.comparison import Compared
from formats.pdf.compared.drawing import Drawing, shades
from formats.pdf.compared.paint_kinds import ONE_COLOUR
from tests.formats import disagreeing
from tests.formats.pdfs import pages_of


def only_doubt(path: Path) -> tuple[Doubt, str]:
    (read,) = pages_of(path)
    (doubt,) = read.doubts
    return doubt, read.text[doubt.start : doubt.end]


@pytest.mark.parametrize(
    "hidden",
    [
        disagreeing.white,
        disagreeing.nearly_white,
        disagreeing.unpainted,
        disagreeing.clipping,
        disagreeing.covered,
        disagreeing.white_on_a_rule,
        disagreeing.white_in_a_field,
        disagreeing.unpainted_over_print,
    ],
)
def test_words_that_nobody_can_see(tmp_path, hidden):
    doubt, words = only_doubt(disagreeing.page(tmp_path / "hidden.pdf", hidden))
    assert (doubt.kind, words) == (DoubtKind.UNSEEN, disagreeing.SECRET)
    x0, y0, _, y1 = doubt.box or (0, 0, 0, 0)
    assert x0 == pytest.approx(72 / 612, abs=0.01)
    assert y0 < 1 - 400 / 792 < y1 + 0.001


@pytest.mark.parametrize("over", [disagreeing.white_over_print, disagreeing.white_over_print_on_its_head])
def test_white_words_over_print_are_told_and_the_print_is_not(tmp_path, over):
    doubt, words = only_doubt(disagreeing.page(tmp_path / "over.pdf", over))
    assert doubt.kind == DoubtKind.UNSEEN
    assert disagreeing.SECRET.startswith(words)
    assert len(words) > 0.9 * len(disagreeing.SECRET)


def test_a_stamp_is_compared_with_its_text_as_the_page_is(tmp_path):
    doubt, words = only_doubt(disagreeing.stamped(tmp_path / "white.pdf", disagreeing.white))
    assert (doubt.kind, words) == (DoubtKind.UNSEEN, disagreeing.SECRET)
    doubt, _ = only_doubt(disagreeing.stamped(tmp_path / "pictured.pdf", disagreeing.pictured))
    assert doubt.kind == DoubtKind.UNREAD


def test_print_under_a_square_that_somebody_put_there_is_not_seen(tmp_path):
    doubt, words = only_doubt(disagreeing.stamped(tmp_path / "square.pdf", disagreeing.black_square))
    assert (doubt.kind, words) == (DoubtKind.UNSEEN, "\n".join(disagreeing.PROSE[:2]))


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


@pytest.mark.parametrize(
    "shown",
    [
        disagreeing.watermark,
        disagreeing.gradient,
        disagreeing.drawings,
        disagreeing.scanned,
        disagreeing.highlighted_in_a_field,
        disagreeing.struck_through,
    ],
)
def test_what_can_be_read_is_not_marked(tmp_path, shown):
    (read,) = pages_of(disagreeing.page(tmp_path / "right.pdf", shown))
    assert read.doubts == ()


@pytest.mark.parametrize("size", [7, 11])
def test_pages_that_agree_with_their_text(tmp_path, size):
    path = disagreeing.page(tmp_path / "right.pdf", disagreeing.blue_on_blue, size=size)
    (read,) = pages_of(path)
    assert read.doubts == ()
    assert not read.suspect


def test_a_page_that_is_slow_to_draw_keeps_its_text_and_says_that_it_was_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(rendering, "DRAWN_WITHIN", -1)
    path = disagreeing.page(tmp_path / "slow.pdf", many_lines)
    request: dict[str, Any] = {
        "path": str(path),
        "password": None,
        "first_page": 1,
        "characters": 10_000,
        "shapes": True,
        "compare": True,
    }
    _, (head, body) = child_process.read(request)
    read, compared = reader._page_text(sandbox.Frame(head=head, body=body), [])
    assert read.text == "\n".join(disagreeing.PROSE)
    assert read.doubts == (Doubt(kind=DoubtKind.SKIPPED, end=len(read.text)),)
    assert compared is None


def many_lines(canvas: Any) -> None:
    for row in range(300):
        canvas.line(72, row, 540, row)


def test_a_page_that_no_time_is_left_to_look_at_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "LOOKED_AT", 0.0)
    doubt, words = only_doubt(disagreeing.page(tmp_path / "hidden.pdf", disagreeing.white))
    assert doubt.kind == DoubtKind.SKIPPED
    assert disagreeing.SECRET in words
    (read,) = pages_of(disagreeing.page(tmp_path / "right.pdf"))
    assert read.doubts == (), "the small drawing is enough"


def test_a_page_that_takes_too_long_to_look_at_says_so(tmp_path, monkeypatch):
    def too_slow(request: dict[str, Any], limits: Limits) -> sandbox.Frame:
        assert limits.page_seconds == looking.SECONDS
        raise ExtractionError("timeout")

    monkeypatch.setattr(looking, "answer", too_slow)
    doubt, _ = only_doubt(disagreeing.page(tmp_path / "hidden.pdf", disagreeing.white))
    assert doubt.kind == DoubtKind.SKIPPED


RIGHT = {"width": 8, "height": 4, "pictures": [], "rotation": 0, "frame": [0, 0, 8, 4]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": -8, "height": -4},
        {"width": 0},
        {"width": "8"},
        {"width": 8.5},
        {"height": None},
        {"height": 10**30},
        {"pictures": [[0, 0, 1]]},
        {"pictures": [[0, 0, 1, "one"]]},
        {"pictures": [[0, 0, 1, 10**400]]},
        {"pictures": 1_001 * [[0, 0, 1, 1]]},
        {"frame": [0, 0, 8]},
        {"frame": None},
        {"rotation": "%d"},
        {"rotation": 0.5},
    ],
)
def test_a_child_that_sends_a_wrong_drawing_leaves_the_page_not_compared(monkeypatch, wrong):
    assert doubts_after(monkeypatch, RIGHT) == []
    assert doubts_after(monkeypatch, RIGHT | wrong) is None


@pytest.mark.parametrize("missing", RIGHT)
def test_a_child_that_leaves_something_out_leaves_the_page_not_compared(monkeypatch, missing):
    assert doubts_after(monkeypatch, {name: RIGHT[name] for name in RIGHT if name != missing}) is None


def test_a_child_that_sends_more_than_was_asked_for_leaves_the_page_not_compared(monkeypatch):
    side = 1 + math.isqrt(looking.LARGEST)
    assert doubts_after(monkeypatch, RIGHT | {"width": side, "height": side}, bytes(3 * side**2)) is None


def doubts_after(monkeypatch: Any, head: dict[str, Any], body: bytes = bytes(3 * 8 * 4)) -> Any:
    """What is told of a page without letters after the child has sent this."""
    monkeypatch.setattr(looking, "answer", lambda *_: sandbox.Frame(head=head, body=body))
    compared = Compared(
        text="",
        boxes=np.zeros((0, 4)),
        numbers=np.zeros(0, dtype=np.intp),
        rules=np.zeros((0, 3)),
        width=8.0,
        height=4.0,
    )
    return looking.look(Path("any.pdf"), 1, compared, None, Limits())


def hidden_letters(count: int, shade: int) -> list[bool]:
    """Of letters as large as their page, which is white, those that nobody can see."""
    paint = contrast.Paint(
        how=np.full(count, ONE_COLOUR, np.uint8),
        colours=np.tile(np.array([shade, shade, shade, 255], np.uint8), (count, 1)),
        pictures=np.zeros((0, 4)),
    )
    white = Drawing(shades(np.full((1605, 1240, 3), 255, np.uint8)))
    boxes = np.tile([0.0, 0.0, 1.0, 1.0], (count, 1))
    return paint.hides(boxes, np.ones(count, dtype=np.bool_), white).tolist()


def test_little_of_the_paper_of_large_letters_is_looked_at(monkeypatch):
    looked_at = []
    paper = contrast._paper

    def counted(shown: np.ndarray) -> np.ndarray:
        looked_at.append(shown.shape[1])
        return paper(shown)

    monkeypatch.setattr(contrast, "_paper", counted)
    assert hidden_letters(200, shade=255) == 200 * [True]
    assert hidden_letters(200, shade=0) == 200 * [False]
    assert len(looked_at) == 100
    assert max(looked_at) <= contrast.MOST_PIXELS


@pytest.mark.parametrize("shape", [(1, 16_000), (16_000, 1), (65, 65), (63, 4_000)])
def test_what_is_looked_at_is_from_all_over_the_paper(shape):
    pixels = np.zeros((4, *shape), np.uint8)
    pixels[:, 3 * shape[0] // 4 :, 3 * shape[1] // 4 :] = 255
    some = contrast._some(pixels)
    assert some.shape[1] <= contrast.MOST_PIXELS
    assert some.mean() == pytest.approx(pixels.mean(), rel=0.1)


def test_the_papers_of_a_page_are_looked_at_until_the_time_is_over(monkeypatch):
    seconds = map(float, range(100))
    monkeypatch.setattr(contrast, "thread_time", lambda: next(seconds))
    with pytest.raises(TimeoutError):
        hidden_letters(2_000, shade=255)
    assert next(seconds) == contrast.SECONDS + 2


def test_a_page_whose_letters_take_too_long_says_that_it_was_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(contrast, "SECONDS", -1.0)
    doubt, words = only_doubt(disagreeing.page(tmp_path / "hidden.pdf", disagreeing.white))
    assert doubt.kind == DoubtKind.SKIPPED
    assert disagreeing.SECRET in words


def test_many_marks_hide_none():
    found = [
        Doubt(kind=DoubtKind.UNSEEN, start=10 * place, end=10 * place + 9, box=(0.1, place / 500, 0.2, 0.9))
        for place in range(MOST + 50)
    ]
    kept = at_most(found)
    assert kept[: MOST - 1] == found[: MOST - 1]
    (last,) = kept[MOST - 1 :]
    assert (last.start, last.end) == (found[MOST - 1].start, found[-1].end)
    assert last.box == (0.1, (MOST - 1) / 500, 0.2, 0.9)
    assert at_most(found[:MOST]) == found[:MOST]


def test_pages_that_are_narrower_than_what_is_compared_are_read(tmp_path):
    sizes = [(612, 5), (5, 612), (612, 1), (1, 1), (0, 0)]
    strip, *others = pages_of(disagreeing.strips(tmp_path / "strips.pdf", sizes))
    assert (strip.text, strip.doubts) == (disagreeing.PRINTED, ())
    assert [(page.text, page.readable) for page in others] == 4 * [(disagreeing.PRINTED, True)]


@pytest.mark.parametrize("shape", [(1, 3, 336), (1, 336, 3), (4, 1, 1), (4, 2, 300)])
def test_nothing_is_told_to_be_drawn_on_less_than_a_cell(shape):
    drawing = Drawing(np.full(shape, 255, np.uint8))
    boxes = np.array([[0.1, 0.1, 0.2, 0.9], [0.0, 0.0, 1.0, 1.0]])
    assert not drawing.has_ink(boxes).any()
    assert not drawing.has_ink(boxes, faint=True).any()


@pytest.mark.parametrize("height", [792, 14_000])
def test_a_large_page_is_looked_at_less_finely(tmp_path, monkeypatch, height):
    asked = []
    answer = looking.answer

    def noted(request: dict[str, Any], limits: Limits) -> sandbox.Frame:
        asked.append(request)
        return answer(request, limits)

    monkeypatch.setattr(looking, "answer", noted)
    doubt, words = only_doubt(disagreeing.with_empty_space(tmp_path / "long.pdf", height))
    assert (doubt.kind, words) == (DoubtKind.UNSEEN, disagreeing.SECRET)
    (request,) = asked
    width = min(1240, math.isqrt(4_000_000 * 612 // height))
    assert request["width"] == pytest.approx(width, abs=1)


def test_a_page_full_of_short_pieces_has_few_regions(monkeypatch):
    compared = []
    follows = unread._follows

    def counted(*both: Any) -> bool:
        compared.append(both)
        return follows(*both)

    monkeypatch.setattr(unread, "_follows", counted)
    lines = [(x * 30, y * 20, x * 30 + 20, y * 20 + 4) for y in range(0, 300, 3) for x in range(0, 200, 2)]
    regions = unread._joined(lines)
    assert len(regions) <= unread.MOST_REGIONS + 1
    assert min(region[1] for region in regions) == 0
    assert max(region[3] for region in regions) == max(line[3] for line in lines)
    assert len(compared) <= unread.MOST_LINES * unread.MOST_REGIONS
