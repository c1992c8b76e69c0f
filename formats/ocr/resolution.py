"""How large a page is drawn to be read."""

POINTS_TO_PIXELS = 200 / 72  # 200 dots an inch
LEAST_PIXELS, MOST_PIXELS = 300, 12_000  # across the page


def pixels_across(points: float) -> int:
    """The width in pixels of a page of this width in points."""
    return max(LEAST_PIXELS, min(round(points * POINTS_TO_PIXELS), MOST_PIXELS))
