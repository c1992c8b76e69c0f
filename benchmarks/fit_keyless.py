"""Fits the weights of the keyless model: prints the text of answering/extractive/weights.py's constants.

    SVQ_BENCH_DATA=folder python -m benchmarks.fit_keyless

The folder holds hotpot_train and musique_train. Fitted on are three in four of their questions and of those
about invented documents, and all of the development list; the rest are held out and only counted. Every
question is also put to the passages without those that answer it.
"""

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from answering.extractive.candidates import Passage, candidates
from answering.extractive.choice import QUOTES
from answering.extractive.features import FEATURES, FIRST_PAGE, Asking, Holders, measure
from answering.extractive.question import Question
from answering.extractive.ranking import most_promising, nearness, view_vectors
from answering.extractive.searches import (
    LITERAL_LIKENESS,
    LITERAL_PASSAGES,
    NAMED_PASSAGES,
    PASSAGES,
    literal_words,
)
from answering.extractive.weights import weighed
from benchmarks.keyless_data import Collection, Labelled, collections, without_gold
from providers.minilm.embedder import MiniLM
from providers.protocols import Embedder, Vectors
from text.normal_forms.normal_form import lower_in_place
from text.search import fuzzy_match

MOST = {"hotpot": 60, "musique": 60}  # questions of a collection, chosen by their hash
HELD_OUT = 4  # every fourth question
STEPS = 2000
RATE = 0.05
NEAR_PRIOR = 0.2  # pull of PRIOR on standardised weights of fitness
NEAR_NOTHING = 0.02  # pull of 0 on those of sureness
COUNTS = {"samples": 2.0, "invented": 2.0}  # questions in everyday words; every other collection counts 1
# What ranks, and how strongly before anything is fitted: what the questions fitted on seldom show (the change
# of a clause, a row of a table) keeps its weight. A weight never changes its sign.
PRIOR = {
    "meaning": 4.0,
    "meaning_alone": 4.0,
    "meaning_wide": 4.0,
    "words": 2.0,
    "matter": 1.0,
    "kind": 1.5,
    "wrong_year": -1.5,
    "name_absent": -0.8,
    "other_subject": -2.5,
    "other_edition": -0.5,
    "other_source": -4.0,
    "other_number": -2.0,
    "boilerplate": -2.5,
    "short": -0.8,
    "title": -2.0,
    "label": 3.5,
    "change": -1.5,
    "time_unnamed": -0.5,
    "usual": 4.5,
    "plainly": 2.0,
    "another": -3.0,
}
# What speaks for an answer, and what against.
SIGNS = {
    "meaning": 1,
    "meaning_alone": 1,
    "meaning_wide": 1,
    "lead": 1,
    "words": 1,
    "matter": 1,
    "kind": 1,
    "name_absent": -1,
    "other_subject": -1,
    "other_edition": -1,
    "other_source": -1,
    "other_number": -1,
    "boilerplate": -1,
    "wrong_year": -1,
    "short": -1,
    "title": -1,
    "label": 1,
    "time_unnamed": -1,
    "plainly": 1,
    "otherwise": -1,
    "another": -1,
}

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question among the passages found for it. measured: (candidates, FEATURES); right: which answer."""

    collection: str
    question: str
    measured: Matrix
    right: NDArray[np.bool_]

    @property
    def held_out(self) -> bool:
        return self.collection != "samples" and crc32(self.question.encode()) % HELD_OUT == 0


def examples(collection: Collection, embedder: Embedder) -> Iterator[Example]:
    """Each question twice: with the passages that answer it, and without."""
    texts = [text for _, text in collection.passages]
    vectors = np.concatenate([embedder.embed(texts[i : i + 64]) for i in range(0, len(texts), 64)])
    folded = [lower_in_place(text) for text in texts]
    for labelled in sorted(collection.questions, key=lambda one: crc32(one.question[::-1].encode()))[
        : MOST.get(collection.name)
    ]:
        for kept in (list(range(len(texts))), without_gold(collection, labelled)):
            passages, holders = _found(collection, labelled, vectors, folded, kept, embedder)
            if (one := _example(collection.name, labelled, passages, holders, embedder)) is not None:
                yield one


def _found(
    collection: Collection,
    labelled: Labelled,
    vectors: Vectors,
    folded: Sequence[str],
    kept: Sequence[int],
    embedder: Embedder,
) -> tuple[list[Passage], Holders]:
    """What the model's searches give."""
    nearness = vectors[kept] @ embedder.embed([labelled.question])[0]
    openings = {title: i for i, (title, _) in reversed([*enumerate(collection.passages)])}.values()
    scores = {kept[i]: float(nearness[i]) for i in np.argsort(-nearness)[:PASSAGES]}
    least = min(scores.values())
    texts, lower = [collection.passages[i][1] for i in kept], [folded[i] for i in kept]
    holders: dict[str, dict[str, int]] = {}
    for words in literal_words(labelled.question):
        matches = fuzzy_match.search(words, texts, limit=NAMED_PASSAGES, folded=lower)
        having = [kept[match.index] for match in matches if match.score >= 100 * LITERAL_LIKENESS]
        holders[words] = {collection.passages[i][0]: FIRST_PAGE for i in having if i in openings}
        for i in having[:LITERAL_PASSAGES]:
            scores.setdefault(i, least)
    passages = [
        Passage(
            key=str(i),
            document=collection.passages[i][0],
            text=collection.passages[i][1],
            score=score,
        )
        for i, score in scores.items()
    ]
    return passages, holders


def _example(
    name: str, labelled: Labelled, passages: Sequence[Passage], holders: Holders, embedder: Embedder
) -> Example | None:
    asking = Asking(Question(text=labelled.question, asked=labelled.question), passages, holders)
    found = most_promising(asking, [part for part in candidates(passages) if asking.covers(part)])
    if not found:
        return None
    asked = embedder.embed([labelled.question, *asking.statements])
    near = nearness(asking, found, view_vectors(found, embedder), asked)
    right = [labelled.answered_by(one.passage.document, one.text) for one in found]
    measured = measure([asking.row(one) for one in found], near).astype(np.float64)
    return Example(
        collection=name, question=labelled.question, measured=measured, right=np.array(right, dtype=bool)
    )


def fit_fitness(given: Sequence[Example]) -> dict[str, float]:
    """Raises the odds of the right sentences among all of their question; stays near PRIOR."""
    answered = [one for one in given if one.right.any() and not one.right.all()]
    scale = np.concatenate([one.measured for one in answered]).std(axis=0) + 1e-6
    prior = np.array([PRIOR.get(name, 0.0) for name in FEATURES])
    ranks = np.array([name in PRIOR for name in FEATURES])
    shares = _shares(answered)
    weights = prior * scale
    for _ in range(STEPS // 5):
        slope = np.zeros_like(weights)
        for one, share in zip(answered, shares, strict=True):
            odds = np.exp(one.measured / scale @ weights)
            right_ones = odds * one.right / (odds * one.right).sum()
            slope += share * ((right_ones - odds / odds.sum()) @ (one.measured / scale))
        weights += 10 * RATE * ranks * (slope - NEAR_PRIOR * (weights - prior * scale))
        weights = np.where(weights * np.sign(prior) >= 0, weights, 0.0)
    return {
        name: round(value, 3) for name, value in zip(FEATURES, weights / scale, strict=True) if name in PRIOR
    }


def _shares(given: Sequence[Example]) -> list[float]:
    """What each example counts: a collection counts as a whole, whatever its size."""
    sizes = Counter(one.collection for one in given)
    whole = sum(COUNTS.get(name, 1.0) for name in sizes)
    return [COUNTS.get(one.collection, 1.0) / sizes[one.collection] / whole for one in given]


def fit_sureness(given: Sequence[Example], fitness: dict[str, float]) -> tuple[dict[str, float], float]:
    """Whether each question's best candidates are right. Weights and the constant."""
    rows, right = _decisions(given, fitness)
    shares = np.array(_shares(given))
    middle, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    rows = (rows - middle) / scale
    signs = np.array([SIGNS.get(name, 0) for name in FEATURES])
    weights, constant = np.zeros(len(FEATURES)), 0.0
    for _ in range(STEPS):
        error = shares * (right - 1 / (1 + np.exp(-rows @ weights - constant)))
        weights += 10 * RATE * (rows.T @ error - NEAR_NOTHING * weights)
        weights = np.where(weights * signs > 0, weights, 0.0)
        constant += 10 * RATE * error.sum()
    plain = weights / scale
    kept = {name: round(value, 3) for name, value in zip(FEATURES, plain.tolist(), strict=True) if value}
    return kept, round(float(constant - plain @ middle), 3)


def _decisions(given: Sequence[Example], fitness: dict[str, float]) -> tuple[Matrix, NDArray[np.bool_]]:
    """Of each question's best candidate: what decides, and whether it or one of the next is right."""
    rows, right = [], []
    for one in given:
        scores = weighed(one.measured, fitness)
        best = np.argsort(-scores)[:QUOTES]
        rows.append(one.measured[best[0]])
        right.append(one.right[best].any())
    return np.array(rows), np.array(right)


def report(given: Sequence[Example], fitness: dict[str, float], sure: dict[str, float], bias: float) -> str:
    """Right at first place and among three; and at several thresholds, what is answered."""
    answered = [one for one in given if one.right.any()]
    orders = [one.right[np.argsort(-weighed(one.measured, fitness))] for one in answered]
    rows, right = _decisions(given, fitness)
    chance = 1 / (1 + np.exp(-(weighed(rows, sure) + bias)))
    nothing = np.array([not one.right.any() for one in given])
    lines = [
        f"{len(answered)} with an answer: first {sum(order[0] for order in orders)}, "
        f"in three {sum(order[:3].any() for order in orders)}; {nothing.sum()} without"
    ]
    lines += [
        f"  sure {cut:.2f}: right ones kept {(chance[right] >= cut).mean():.2f}, "
        f"refused where nothing answers {(chance[nothing] < cut).mean():.2f}"
        for cut in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
    ]
    return "\n".join(lines)


def main() -> None:
    folder = Path(os.environ["SVQ_BENCH_DATA"])
    with tempfile.TemporaryDirectory() as models:
        embedder = MiniLM(Path(os.environ.get("SVQ_MODELS_DIR", models)))
        given = [one for each in collections(folder) for one in examples(each, embedder)]
    fitted_on = [one for one in given if not one.held_out]
    fitness = fit_fitness(fitted_on)
    sure, bias = fit_sureness(fitted_on, fitness)
    print(
        f"FITNESS = {json.dumps(fitness, indent=4)}\nSURENESS = {json.dumps(sure, indent=4)}\nBIAS = {bias}"
    )
    print("Fitted on:", report(fitted_on, fitness, sure, bias))
    for name in dict.fromkeys(one.collection for one in given if one.held_out):
        held = [one for one in given if one.held_out and one.collection == name]
        print(f"Held out, {name}:", report(held, fitness, sure, bias))


if __name__ == "__main__":
    main()
