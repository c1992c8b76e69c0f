"""The parts of passages in the order in which they answer a question, and how surely they do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from answering.extractive.by_words import language_asked_in, ranked_by_words
from answering.extractive.candidates import Candidate, Passage
from answering.extractive.choice import SOME, is_number_of, replaced_by
from answering.extractive.features import VIEWS, Asking, Holders, measure, views
from answering.extractive.question import Question
from answering.extractive.reading import read_too
from answering.extractive.weights import fitness, sureness
from providers.protocols import AnswerReader, Embedder, Vectors

MAX_EMBEDDED = 32  # parts whose vectors are made for one question; the rest are left out by their words
VIEWED = 12  # of these, the fittest by their own words: embedding their other views takes most of the time
BEHIND = 0.01  # by how much less the best of other documents counts than that of the one that is named
REPLACED_TOO = 4  # clauses that are looked at beyond these


def rank(
    questions: Sequence[Question],
    parts: Sequence[Candidate],
    passages: Sequence[Passage],
    holders: Holders,
    embedder: Embedder,
    reader: AnswerReader | None = None,
) -> list[list[Candidate]]:
    """For each question the parts that may be about it, the fittest first. Without a reader the weights alone
    say which that is, and what is no answer.

    Each has its own parts looked at: what one asks of a name or a year says nothing of another's answer.
    """
    if not parts or not questions:
        return [[] for _ in questions]
    if language := language_asked_in(questions[0].text, parts):
        return [ranked_by_words(question.text, language, parts) for question in questions]
    askings = [Asking(question, passages, holders) for question in questions]
    covered = [most_promising(asking, [part for part in parts if asking.covers(part)]) for asking in askings]
    rankings = [
        _ranked(asking, question.text, looked_at, embedder) if looked_at else []
        for asking, question, looked_at in zip(askings, questions, covered, strict=True)
    ]
    if reader is not None:
        rankings = [
            _read(asking, question.text, ranking, reader) if ranking else []
            for asking, question, ranking in zip(askings, questions, rankings, strict=True)
        ]
    return [_of_named(asking, ranking) for asking, ranking in zip(askings, rankings, strict=True)]


def _ranked(
    asking: Asking, question: str, looked_at: Sequence[Candidate], embedder: Embedder
) -> list[Candidate]:
    rows = [asking.row(part) for part in looked_at]
    asked = embedder.embed([question, *asking.statements])
    alone = embedder.embed([part.text for part in looked_at])[:, np.newaxis]
    cosines = np.repeat(nearness(asking, looked_at, alone, asked), len(VIEWS), axis=1)
    fittest = np.sort(np.argsort(-fitness(measure(rows, cosines)), kind="stable")[:VIEWED])
    viewed = [looked_at[position] for position in fittest]
    vectors = view_vectors(viewed, embedder)
    cosines[fittest] = nearness(asking, viewed, vectors, asked)
    measured = measure(rows, cosines)[fittest]
    ranked = zip(viewed, fitness(measured), sureness(measured), vectors[:, 0], strict=True)
    scored = [
        replace(
            part,
            score=float(score),
            sure=float(sure),
            vector=headed,
            said=asking.says_as_usual(part),
        )
        for part, score, sure, headed in ranked
        if asking.speaks_of_it(part)
    ]
    return _in_order(asking, scored)


def _read(
    asking: Asking, question: str, ranking: Sequence[Candidate], reader: AnswerReader
) -> list[Candidate]:
    """The order that the reader gives. How sure the first is does not depend on which one it puts first."""
    told = read_too(ranking, question, reader)
    first, *others = _in_order(asking, told)
    return [replace(first, sure=told[0].sure), *others]


def _in_order(asking: Asking, parts: Sequence[Candidate]) -> list[Candidate]:
    return sorted(_sources_first(asking, parts), key=lambda part: -part.score)


def _of_named(asking: Asking, parts: list[Candidate]) -> list[Candidate]:
    """The parts of the document that the question names by its kind, if one of them is to be shown."""
    named = [part for part in parts if asking.is_of_named(part)]
    return named if asking.only_named and any(part.sure >= SOME for part in named) else parts


def _sources_first(asking: Asking, parts: Sequence[Candidate]) -> list[Candidate]:
    """The parts, those of other documents than the question names behind the best of these, if it is one to
    be shown.
    """
    is_other = [asking.is_other_source(part) for part in parts]
    others = [part.score for part, other in zip(parts, is_other, strict=True) if other]
    own = [part for part, other in zip(parts, is_other, strict=True) if not other]
    best = max(own, key=lambda part: part.score, default=None)
    if not others or best is None or best.sure < SOME or max(others) < best.score:
        return list(parts)
    behind = max(others) - best.score + BEHIND
    return [
        replace(part, score=part.score - behind) if other else part
        for part, other in zip(parts, is_other, strict=True)
    ]


def view_vectors(parts: Sequence[Candidate], embedder: Embedder) -> Vectors:
    """The vectors of each part's views, (parts, views, dimensions)."""
    texts = [view for part in parts for view in views(part)]
    vectors = embedder.embed(texts)
    return vectors.reshape(len(parts), -1, vectors.shape[1])


def nearness(asking: Asking, parts: Sequence[Candidate], vectors: Vectors, asked: Vectors) -> Vectors:
    """Of each part's views to the question, (parts, views); of parts that state what is asked in the usual
    words to such a statement, if that is nearer. asked: the vectors of the question and of the statements.
    """
    cosines: Vectors = vectors @ asked[0]
    if asking.statements:
        says = np.array([asking.says_as_usual(part) for part in parts])
        cosines[says] = np.maximum(cosines[says], (vectors[says] @ asked[1:].T).max(axis=2))
    return cosines


def most_promising(asking: Asking, parts: Sequence[Candidate]) -> list[Candidate]:
    """At most MAX_EMBEDDED, in their order; beyond these the clauses that they replace."""
    order = np.argsort([-asking.first_sight(part) for part in parts], kind="stable")
    first, rest = sorted(order[:MAX_EMBEDDED]), order[MAX_EMBEDDED:]
    replaced = {clause for position in first for clause in replaced_by(parts[position])}
    too = [position for position in rest if is_number_of(parts[position], replaced)][:REPLACED_TOO]
    return [parts[position] for position in (*first, *too)]
