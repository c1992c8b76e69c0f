"""Lines that stand at the edges of several pages."""

from text.running_lines import running_lines, running_places, without_places

BODY = [
    "The first mill stands beside the river.\nIt has a yard.",
    "The second mill burned down.\nNobody lives there.",
    "The third mill is a ruin.\nIt may be visited.",
]
PAGES = [
    f"Annual Report 2025\nPage {number}\n{body}\nAshby, Leeds" for number, body in enumerate(BODY, start=1)
]


def test_heads_feet_and_page_numbers_become_spaces_and_all_else_stays_where_it_is() -> None:
    running = running_lines([*PAGES, "Another text.\nAshby, Leeds"])
    for page, body in zip(PAGES, BODY, strict=True):
        left = without_places(page, running_places(page, running))
        assert left.strip() == body
        assert left.index(body) == page.index(body)


def test_a_line_of_two_pages_is_none() -> None:
    assert not running_lines(PAGES[:2])
