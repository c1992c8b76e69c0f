"""Which way a text is read."""

import unicodedata


def runs_to_the_left(text: str) -> bool:
    """By its first letter that has a direction, as browsers do it (Unicode's bidirectional algorithm, P2)."""
    directions = map(unicodedata.bidirectional, text)
    return next((each in ("R", "AL") for each in directions if each in ("L", "R", "AL")), False)
