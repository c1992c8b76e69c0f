"""The ribbon of a document: its pages, its headings and its chunks, to scale."""

import re

import pytest

from ingestion.models import Chunk
from reader.ribbon import LABELS, WIDTH, PageSpan, draw, grade


def page(number: int, start: int, text: str) -> PageSpan:
    return PageSpan(number=number, start=start, end=start + len(text))


def chunk(start: int, end: int, quality: float = 0.9, **more: object) -> Chunk:
    return Chunk(start=start, end=end, quality=quality, token_count=end - start, kind="prose", **more)


def bars(path: str) -> list[tuple[float, float]]:
    """Left edge and width of each bar."""
    return [(float(x), float(w)) for x, w in re.findall(r"M([\d.]+) [\d.]+h([\d.]+)v", path)]


def test_chunks_fill_the_ribbon_in_proportion() -> None:
    drawn = draw([chunk(0, 25), chunk(25, 100)], [page(1, 0, "x" * 100)], None)
    ((kind, path),) = drawn.kinds
    first, second = bars(path)
    assert kind == "prose"
    assert first[0] == 0
    assert second[0] == pytest.approx(WIDTH / 4, abs=1)
    assert second[0] + second[1] == pytest.approx(WIDTH, abs=1)


def test_what_two_chunks_share_is_drawn_once() -> None:
    drawn = draw([chunk(0, 60), chunk(50, 100)], [page(1, 0, "x" * 100)], None)
    ((x, width),) = bars(drawn.overlap)
    assert (x, width) == (pytest.approx(WIDTH / 2, abs=0.1), pytest.approx(WIDTH / 10, abs=0.1))
    assert draw([chunk(0, 50), chunk(50, 100)], [page(1, 0, "x" * 100)], None).overlap == ""


def test_a_chunk_left_out_of_search_has_a_colour_of_its_own() -> None:
    drawn = draw([chunk(0, 50, left_out=True), chunk(50, 100)], [page(1, 0, "x" * 100)], None)
    assert [kind for kind, _ in drawn.kinds] == ["out", "prose"]


@pytest.mark.parametrize(
    ("quality", "word"), [(0, "poor"), (0.49, "poor"), (0.5, "fair"), (0.7, "good"), (1, "good")]
)
def test_quality_is_told_in_three_grades(quality: float, word: str) -> None:
    assert grade(quality) == word


def test_the_chosen_chunk_is_marked() -> None:
    drawn = draw([chunk(0, 50), chunk(50, 100)], [page(1, 0, "x" * 100)], chunk(50, 100))
    assert drawn.now
    assert (drawn.now.x, drawn.now.width) == (WIDTH / 2, WIDTH / 2)
    assert draw([chunk(0, 50)], [], None).now is None


def test_few_page_numbers_are_written_however_long_the_document() -> None:
    pages = [page(number, 10 * number, "x" * 9) for number in range(1, 101)]
    labels = [band.label for band in draw([], pages, None).pages if band.label]
    assert len(draw([], pages, None).pages) == 100
    assert labels[0] == "p. 1"
    assert len(labels) <= LABELS


def test_each_heading_is_a_section_up_to_the_next() -> None:
    drawn = draw(
        [chunk(0, 100)], [page(1, 0, "x" * 100)], None, [(10, "The year at a glance"), (60, "2. Fees")]
    )
    assert [band.label for band in drawn.sections] == ["The year at a glance", "2. Fees"]
    first, second = drawn.sections
    assert first.x == pytest.approx(WIDTH / 10, abs=1)
    assert first.x + first.width + 1 == pytest.approx(second.x, abs=0.2)
    assert second.x + second.width + 1 == pytest.approx(WIDTH, abs=0.2)


def test_an_empty_document_is_an_empty_ribbon() -> None:
    drawn = draw([], [], None)
    assert (drawn.pages, drawn.sections, drawn.kinds, drawn.tokens) == ([], [], [], "")
