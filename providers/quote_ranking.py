"""The parts of passages in the order in which they answer a question, and how surely they do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from providers.base import Embedder
from providers.quote_candidates import Candidate, Passage
from providers.quote_features import Asking, Holders, Question, measure, views
from providers.quote_weights import fitness, sureness

MAX_EMBEDDED = 40  # parts whose vectors are made for one question; the rest are left out by their words


def rank(
    questions: Sequence[Question],
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    holders: Holders,
    embedder: Embedder,
) -> list[list[Candidate]]:
    """For each question the candidates, the fittest first. The first question chooses which are looked at."""
    if not found or not questions:
        return [[] for _ in questions]
    askings = [Asking(question, passages, holders) for question in questions]
    looked_at = most_promising(askings[0], found)
    texts = [view for one in looked_at for view in views(one)]
    vectors = embedder.embed([*(question.text for question in questions), *texts])
    own = vectors[: len(questions)]
    theirs = vectors[len(questions) :].reshape(len(looked_at), -1, vectors.shape[1])
    rankings = []
    for asking, vector in zip(askings, own, strict=True):
        near = theirs @ vector
        measured = measure(asking, looked_at, near)
        ranked = zip(looked_at, fitness(measured), sureness(measured), theirs[:, 0], strict=True)
        scored = [
            replace(one, score=float(score), sure=float(sure), vector=headed)
            for one, score, sure, headed in ranked
        ]
        rankings.append(sorted(scored, key=lambda one: -one.score))
    return rankings


def most_promising(asking: Asking, found: Sequence[Candidate]) -> list[Candidate]:
    """At most MAX_EMBEDDED, in their order."""
    order = np.argsort([-asking.first_sight(one) for one in found], kind="stable")
    return [found[position] for position in sorted(order[:MAX_EMBEDDED])]
