"""Where a page and its text disagree: words that nobody can see, letters other than the printed ones, print
that was not read.
"""

from dataclasses import dataclass
from enum import StrEnum

MOST = 200  # of a page


class DoubtKind(StrEnum):
    """UNSEEN: the text has words of which the page shows nothing. LETTERS: the page shows other letters than
    the text has. UNREAD: the page shows print of which the text has nothing.
    """

    UNSEEN = "unseen"
    LETTERS = "letters"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """start, end: of the words in the page's text; equal where it has none. box: x0, y0, x1, y1 in fractions
    of the displayed page; None for words outside of it. script: of print that was not read, such as
    "Hebrew", where it is known.
    """

    kind: DoubtKind
    start: int = 0
    end: int = 0
    box: tuple[float, float, float, float] | None = None
    script: str = ""
