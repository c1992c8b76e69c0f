"""Questions about a cell of a table: its row and its column are named, and the table by its caption."""

import re
from collections.abc import Iterator

from answering.extractive.candidates import Candidate
from english.dates import RECENT_YEAR
from text.tables.table_lines import cells

_NUMBERED = re.compile(r"^(?:Table|Exhibit|Schedule)\s+\w{1,3}[.:]\s*")
_BRACKETS = re.compile(r"\s*\([^)]*\)?")  # "(In millions)"
_YEAR = re.compile(RECENT_YEAR)
_LABEL = re.compile(r"[A-Z][\w’',&() -]{2,70}")
_SIGNATURE = (
    "Name",
    "Position",
    "Title",
    "Witness",
    "Signature",
    "Signed",
    "Date",
)  # rows under an agreement
_CAPTION = 70  # characters


def cell_questions(part: Candidate, place: int) -> Iterator[tuple[str, str, str, str]]:
    """Question, value, expected answer, subject. `place` chooses the column, so that rows are asked for
    different ones.
    """
    heads = [head.strip() for head in part.heads.split(" | ") if head.strip()]
    row = cells(part.quote)
    if len(heads) != len(row) or len(row) < 3 or len(set(heads)) < len(heads):
        return
    label, column = row[0], 1 + place % (len(row) - 1)
    head, value = heads[column], row[column]
    if not _LABEL.fullmatch(label) or label in _SIGNATURE or not value or value == head or value in label:
        return
    caption = _caption(part, heads)
    shown = f"What does the table “{caption}” show" if caption else "What is shown"
    asked = f"for {label} in {head}" if _YEAR.fullmatch(head) else f"as “{head}” for {label}"
    yield f"{shown} {asked}?", value, f"{label}: {value} ({head})", label


def _caption(part: Candidate, heads: list[str]) -> str:
    """What stands over the heads of the columns, where it is short."""
    above = part.around.removesuffix(" ".join(heads)).strip()
    caption = _BRACKETS.sub("", _NUMBERED.sub("", above)).split(",")[0].strip(" .:")
    return caption if 3 < len(caption) <= _CAPTION else ""
