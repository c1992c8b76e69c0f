"""Rows of real tables under column heads of our own: the figure of the right column, and those of others."""

import re
from collections.abc import Iterator, Sequence
from random import Random

from benchmarks.perturbations.pairs import Pair

HEADS = (
    ("Three Months Ended July 1, 2023", "Three Months Ended July 2, 2022"),
    ("2024", "2023"),
    ("Six months ended 30 June 2025", "Six months ended 30 June 2024"),
    ("Q1", "Q2"),
)
# A cost in brackets is still that cost; income in brackets is a loss.
_CAN_BE_POSITIVE = re.compile(
    r"^(?!less|.*\b(?:cost|used|payment|paid|purchase|expense|loss included)|.*\((?!loss))"
    r".*\b(?:income|profit|gain|earnings|result)",
    re.IGNORECASE,
)
_SPOKEN = {"Q1": "the first quarter", "Q2": "the second quarter"}


def claims(rows: Sequence[tuple[str, ...]], random: Random) -> Iterator[tuple[str, bool, Pair]]:
    """Kind, whether the claim is faithful, and the pair, for each row in turn."""
    for place, (label, *figures) in enumerate(rows):
        one, other = figures[:2]
        if one == other or re.search(r"\d", label):
            continue
        heads = random.choice(HEADS)
        quote = f"\t{heads[0]}\t{heads[1]}\n{label}\t{one}\t{other}"
        yield "table row restated", True, _pair(label, heads[0], one, quote)
        yield "figure of the other column", False, _pair(label, heads[0], other, quote)
        another, *rest = rows[place - 1]
        if another != label and not {one, other} & set(rest):
            yield "figure of another row", False, _pair(another, heads[0], one, quote)
        if one.startswith("(") and one.endswith(")") and _CAN_BE_POSITIVE.search(label):
            yield "loss of a row without its sign", False, _pair(label, heads[0], one.strip("()"), quote)


def _pair(label: str, head: str, figure: str, quote: str) -> Pair:
    spoken = head if head.isdigit() else _SPOKEN.get(head, f"the {head[0].lower()}{head[1:]}")
    verb = "were" if re.search(r"[^s]s$", label) else "was"
    return Pair(claim=f"{label} {verb} {figure} in {spoken}.", quote=quote)
