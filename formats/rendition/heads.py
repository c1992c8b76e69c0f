"""Whether the first row of a table without marks names its columns. Pure."""

import re
from collections.abc import Sequence

LOOKED_AT = 200  # rows
_FIGURE = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,  ]*%?\)?$|\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}")
_YEAR = re.compile(r"(?:19|20)\d\d$")


def has_heads(rows: Sequence[Sequence[str]]) -> bool:
    """Words, none twice, years among them at most; with several columns, or with figures below."""
    if len(rows) < 2:
        return False
    heads = [cell.strip() for cell in rows[0]]
    named = [head for head in heads if head]
    words = [head for head in named if not _YEAR.match(head)]
    if not words or len(set(named)) < len(named) or any(_FIGURE.match(head) for head in words):
        return False
    below = (row[column] for row in rows[1:LOOKED_AT] for column in range(min(len(row), len(heads))))
    return len(named) > 1 or any(_FIGURE.match(cell.strip()) for cell in below)
