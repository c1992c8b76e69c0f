"""The parts of passages in the order in which they answer a question, and how surely they do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chat.answering.extractive.candidates import Candidate, Passage
from chat.answering.extractive.features import Asking, Holders, measure, views
from chat.answering.extractive.question import Question
from chat.answering.extractive.weights import fitness, sureness
from providers.protocols import Embedder, Vectors

MAX_EMBEDDED = 40  # parts whose vectors are made for one question; the rest are left out by their words


def rank(
    questions: Sequence[Question],
    parts: Sequence[Candidate],
    passages: Sequence[Passage],
    holders: Holders,
    embedder: Embedder,
) -> list[list[Candidate]]:
    """For each question the parts, the fittest first. The first question chooses which are looked at."""
    if not parts or not questions:
        return [[] for _ in questions]
    askings = [Asking(question, passages, holders) for question in questions]
    looked_at = most_promising(askings[0], [part for part in parts if askings[0].covers(part)])
    if not looked_at:
        return [[] for _ in questions]
    asked = embedder.embed([question.text for question in questions])
    vectors = view_vectors(looked_at, embedder)
    rankings = []
    for asking, vector in zip(askings, asked, strict=True):
        measured = measure(asking, looked_at, vectors @ vector)
        ranked = zip(looked_at, fitness(measured), sureness(measured), vectors[:, 0], strict=True)
        scored = [
            replace(part, score=float(score), sure=float(sure), vector=headed)
            for part, score, sure, headed in ranked
            if asking.speaks_of_it(part)
        ]
        rankings.append(sorted(scored, key=lambda part: -part.score))
    return rankings


def view_vectors(parts: Sequence[Candidate], embedder: Embedder) -> Vectors:
    """The vectors of each part's views, (parts, views, dimensions)."""
    texts = [view for part in parts for view in views(part)]
    vectors = embedder.embed(texts)
    return vectors.reshape(len(parts), -1, vectors.shape[1])


def most_promising(asking: Asking, parts: Sequence[Candidate]) -> list[Candidate]:
    """At most MAX_EMBEDDED, in their order."""
    order = np.argsort([-asking.first_sight(part) for part in parts], kind="stable")
    return [parts[position] for position in sorted(order[:MAX_EMBEDDED])]
