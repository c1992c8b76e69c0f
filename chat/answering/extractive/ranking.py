"""The parts of passages in the order in which they answer a question, and how surely they do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chat.answering.extractive.candidates import Candidate, Passage
from chat.answering.extractive.coverage import coverage
from chat.answering.extractive.features import Asking, Holders, Question, measure, views
from chat.answering.extractive.weights import fitness, sureness
from providers.protocols import Reader, Reading, Vectors

MAX_EMBEDDED = 40  # parts whose vectors are made for one question; the rest are left out by their words


def rank(
    questions: Sequence[Question],
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    holders: Holders,
    reader: Reader,
) -> list[list[Candidate]]:
    """For each question the candidates, the fittest first. The first question chooses which are looked at."""
    if not found or not questions:
        return [[] for _ in questions]
    askings = [Asking(question, passages, holders) for question in questions]
    looked_at = most_promising(askings[0], found)
    asked = reader.read([question.text for question in questions])
    headed, theirs = seen(looked_at, reader)
    rankings = []
    for question, asking, own in zip(questions, askings, asked, strict=True):
        covering = coverage(question.text, own, headed)
        measured = measure(asking, looked_at, theirs @ own.vector, covering)
        ranked = zip(looked_at, fitness(measured), sureness(measured), theirs[:, 0], strict=True)
        scored = [
            replace(one, score=float(score), sure=float(sure), vector=headed)
            for one, score, sure, headed in ranked
        ]
        rankings.append(sorted(scored, key=lambda one: -one.score))
    return rankings


def seen(found: Sequence[Candidate], reader: Reader) -> tuple[list[Reading], Vectors]:
    """The readings of the candidates' first views, and the vectors of all views, (candidates, views, n)."""
    texts = [views(one) for one in found]
    headed = reader.read([first for first, *_ in texts])
    others = reader.embed([text for _, *rest in texts for text in rest])
    own = np.stack([one.vector for one in headed])[:, None]
    return headed, np.concatenate([own, others.reshape(len(found), -1, own.shape[2])], axis=1)


def most_promising(asking: Asking, found: Sequence[Candidate]) -> list[Candidate]:
    """At most MAX_EMBEDDED, in their order."""
    order = np.argsort([-asking.first_sight(one) for one in found], kind="stable")
    return [found[position] for position in sorted(order[:MAX_EMBEDDED])]
