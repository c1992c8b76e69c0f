"""How large a page is drawn in the source pane."""

from chat.web.answers.source import readable_scale
from reader.page_boxes import Box


def line(height: float) -> Box:
    return Box(x=50, y=100, width=300, height=height)


def test_print_of_ten_points_is_drawn_at_twelve_pixels_or_more() -> None:
    assert 10 * readable_scale([line(12), line(12.4), line(10)]) >= 12
    assert 10 * readable_scale([]) >= 12


def test_a_slide_with_large_print_is_drawn_smaller_and_its_print_no_smaller_than_other_print() -> None:
    slide = readable_scale([line(26), line(26)])
    assert 832 * slide < 700  # an ordinary slide, in points: most of it is in a pane of 588 pixels
    assert 26 * slide >= 12 * readable_scale([line(12)])
