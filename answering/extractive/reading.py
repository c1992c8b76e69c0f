"""What the reader, which reads question and sentence together, says of the fittest sentences: which of them
is the better answer, and whether they are an answer at all.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from answering.extractive.candidates import Candidate
from providers.protocols import AnswerReader
from text.language import is_english
from text.tables.table_lines import cells, is_figure_row

READ = 8  # sentences; the best of them speaks for all
COUNTS = 0.7  # what its log odds count beside those of the weights
ORDERS = 0.45  # what its log odds count beside the fitness


def read_too(ranking: Sequence[Candidate], question: str, reader: AnswerReader) -> list[Candidate]:
    """The same parts in the same places, with scores and sureness that rest on the reader as well. It has
    learned English prose: of rows of figures and other languages it is not asked.

    ranking: the fittest first. What is not read counts as the worst of what is.
    """
    read = ranking[:READ]
    texts = [(part.around, part.text) for part in read]
    if not read or _is_figures(read[0]) or not (is_english(question) and is_english(_joined(texts))):
        return list(ranking)
    told = reader.scores(question, texts)
    best = max(told)
    behind = [score - best for score in told] + [min(told) - best] * (len(ranking) - len(told))
    return [
        replace(part, score=part.score + ORDERS * less, sure=_moved(part.sure, COUNTS * best))
        for part, less in zip(ranking, behind, strict=True)
    ]


def _is_figures(part: Candidate) -> bool:
    """A row that has words beside its label, such as a question and its answer, reads as prose does."""
    if part.kind != "row":
        return False
    has_one_cell = len(cells(part.quote)) == 1
    return has_one_cell or is_figure_row(part.quote)


def _joined(texts: Sequence[tuple[str, str]]) -> str:
    return " ".join(text for _, text in texts)


def _moved(chance: float, log_odds: float) -> float:
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-math.log(kept / (1 - kept)) - log_odds))
