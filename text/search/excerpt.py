"""The beginning of a passage for a list: whole sentences, with an ellipsis wherever something is left out."""

import re

from text.normal_forms.spaceless import CLOSING, ENDS, on_a_line
from text.sentences import sentences
from text.tables.table_lines import cells, is_table_line

LONGEST = 240  # characters
ELLIPSIS = "…"

# What is left of a sentence whose beginning is not in the passage: “it took no account”, “2024. We charge”.
_REST = re.compile(r"[a-z,;:.)\]]|(?:18|19|20)\d\d[.,;)]")
_ENDED = re.compile(rf"[.!?:;…{ENDS}：][\"'{CLOSING})\]]*$")


def excerpt(passage: str) -> str:
    """One line; headings, rows and sentences that end without a full stop are kept apart by a dot."""
    pieces = [_on_a_line(passage[start:end]) for start, end in sentences(passage)]
    if not pieces:
        return ""
    is_cut = bool(_REST.match(pieces[0]))
    if is_cut and len(pieces) > 1:
        pieces = pieces[1:]
    shown, used = pieces[0], 1
    for piece in pieces[1:]:
        longer = f"{shown} {piece}" if _ENDED.search(shown) else f"{shown} · {piece}"
        if len(longer) > LONGEST:
            break
        shown, used = longer, used + 1
    if len(shown) > LONGEST:
        shown = f"{shown[:LONGEST].rpartition(' ')[0] or shown[:LONGEST]} {ELLIPSIS}"
    elif used < len(pieces):
        shown = f"{shown} {ELLIPSIS}"
    return f"{ELLIPSIS} {shown}" if is_cut else shown


def _on_a_line(piece: str) -> str:
    if is_table_line(piece):
        return " | ".join(cells(piece))
    return on_a_line(piece)
