"""How well the label of a table's row names what a question asks for: “Total net sales” of “net sales”."""

import re
from collections.abc import Callable

from answering.extractive.candidates import Candidate
from answering.extractive.words import stem, stems
from text.tables.table_lines import cells
from text.word_lists import words
from text.words import COMPOUND

Share = Callable[[set[str]], float]

_BRACKETS = re.compile(r"\([^)]*\)?")  # "Net income (loss)"
# Say nothing of what is counted; "other" and "before" do, in a label.
_SILENT = words(
    "total overall all consolidated aggregate and or of the a an in on to for from by at with its our"
)


def label_fit(part: Candidate, asked: set[str], covered: Share) -> float:
    """0 to 1: the share of the label that is asked for, squared, times the share of what is asked that it
    and its group name: half of “Net income” is asked for by “net revenue”. 0 for what is no row under heads.
    `asked`: the stems of the question; `covered`: the share of what it asks that some stems are.
    """
    if part.kind != "row" or not part.heads:
        return 0.0
    label = _stems(cells(part.quote)[0])
    if not label:
        return 0.0
    group = part.around.removesuffix(part.heads.replace(" |", ""))
    return (len(label & asked) / len(label)) ** 2 * covered(label.union(stems(group)))


def _stems(label: str) -> set[str]:
    written = _BRACKETS.sub(" ", label).lower()
    return {stem(word) for word in COMPOUND.findall(written) if word not in _SILENT}
