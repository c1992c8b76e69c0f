"""How well the label of a table's row names what a question asks for: “Total net sales” of “net sales”."""

from collections.abc import Callable

from chat.answering.extractive.candidates import Candidate
from chat.answering.extractive.words import stems
from text.table_lines import cells

Share = Callable[[set[str]], float]

_ALL = frozenset(stems("total overall all consolidated aggregate"))  # say nothing about what is counted


def label_fit(part: Candidate, asked: set[str], covered: Share) -> float:
    """0 to 1: the share of the label that is asked for, times the share of what is asked that label and group
    name. 0 for what is no row under heads. `asked`: stems; `covered`: the share of them that some stems are.
    """
    if part.kind != "row" or not part.heads:
        return 0.0
    label = set(stems(cells(part.quote)[0])) - _ALL
    if not label:
        return 0.0
    return len(label & asked) / len(label) * covered(label.union(stems(part.around)))
