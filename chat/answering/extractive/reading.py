"""What the reader, which reads question and sentence together, says of the fittest sentences: which of them
is the better answer, and whether they are an answer at all.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from chat.answering.extractive.candidates import Candidate
from providers.protocols import AnswerReader
from text.language import is_english
from text.table_lines import cells, is_figure_row

READ = 8  # sentences; the best of them speaks for all
COUNTS = 0.7  # what its log odds count beside those of the weights
ORDERS = 0.45  # what its log odds count beside the fitness


def read_too(ranking: Sequence[Candidate], question: str, reader: AnswerReader) -> list[Candidate]:
    """The ranking with order and sureness that rest on the reader as well. It has learned English prose: of
    rows of figures and other languages it is not asked.
    """
    read = ranking[:READ]
    texts = [(part.around, part.text) for part in read]
    if not read or _is_figures(read[0]) or not (is_english(question) and is_english(_joined(texts))):
        return list(ranking)
    told = reader.scores(question, texts)
    best = max(told)
    surer = [replace(part, sure=_moved(part.sure, COUNTS * best)) for part in ranking]
    return _in_order(surer, [score - best for score in told])


def _in_order(ranking: Sequence[Candidate], told: Sequence[float]) -> list[Candidate]:
    """The fittest first. told: of those that were read, 0 of the best and less of the others; what was not
    read counts as the last of them. How sure the first is does not change with the order.
    """
    shares = [*told, *[min(told)] * (len(ranking) - len(told))]
    moved = [
        replace(part, score=part.score + ORDERS * share) for part, share in zip(ranking, shares, strict=True)
    ]
    first, *others = sorted(moved, key=lambda part: -part.score)
    return [replace(first, sure=ranking[0].sure), *others]


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
