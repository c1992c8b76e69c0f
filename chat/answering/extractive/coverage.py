"""Whether a sentence speaks of every word of a question, by the states of their tokens.

A vector tells what a sentence is about; a question about a sentence's matter that it does not answer has some
word that nothing in the sentence comes near.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chat.answering.extractive.words import FUNCTION_WORDS
from providers.protocols import Reading

SHARPNESS = 8.0  # how much more the words count that are covered worst; 0 would be their mean
NOTHING_ASKED = 0.4  # coverage of the words that ask, when a question has none

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def coverage(question: str, asked: Reading, sentences: Sequence[Reading]) -> NDArray[np.float64]:
    """Two columns, one row a sentence: how near it comes to the question's content words, the worst covered
    ones counting most, and to its other words ("how many", "who", "may"), which tell what is asked.
    """
    words = [_word_at(question, *span) for span in asked.spans]
    content = np.array([bool(word) and word not in FUNCTION_WORDS for word in words], dtype=bool)
    asking = np.array([word in FUNCTION_WORDS for word in words], dtype=bool)
    if not content.any():
        content = asking
    rows = np.zeros((len(sentences), 2))
    for row, one in zip(rows, sentences, strict=True):
        if content.any() and len(one.states):
            nearest = (asked.states @ one.states.T).max(axis=1)
            row[0] = -np.log(np.exp(-SHARPNESS * nearest[content]).mean()) / SHARPNESS
            row[1] = nearest[asking].mean() if asking.any() else NOTHING_ASKED
    return rows


def _word_at(question: str, start: int, end: int) -> str:
    """The word to which a token belongs; punctuation belongs to none."""
    return next(
        (
            one.group().lower()
            for one in _WORD.finditer(question)
            if one.start() <= start and end <= one.end()
        ),
        "",
    )
