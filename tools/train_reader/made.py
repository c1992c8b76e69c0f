"""Examples that code makes from others: questions with another year, figure or name, claims that say other
than their quote, and windows of passages.
"""

import re
from dataclasses import replace
from random import Random

from tools.train_reader.examples import LABELS, Example

ALTERED = 0.1  # of the answered questions become ones that the passage does not answer
TITLED = 0.6  # keep the title of their passage
ELSEWHERE = 0.2  # are shown sentences of the passage that do not answer, alone
FOREIGN = 0.25  # of the passages begin or end with a sentence from elsewhere
WINDOWS = (1, 1, 2, 2, 3, 4, 6)  # sentences

_FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+|(?<![\w.,])\d+(?:\.\d+)?(?![\w,])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?: [A-Z][a-z]{3,})*")
OPPOSITES = {
    "increase": "decrease",
    "increased": "decreased",
    "higher": "lower",
    "more": "less",
    "rose": "fell",
    "before": "after",
    "largest": "smallest",
    "first": "last",
    "always": "never",
    "all": "none of the",
    "may": "may not",
    "is": "is not",
    "was": "was not",
    "are": "are not",
    "were": "were not",
    "can": "cannot",
    "will": "will not",
    "has": "has no",
    "above": "below",
    "includes": "excludes",
    "won": "lost",
    "north": "south",
    "east": "west",
    "early": "late",
    "highest": "lowest",
    "allowed": "forbidden",
    "must": "need not",
    "with": "without",
    "minimum": "maximum",
    "most": "least",
    "began": "ended",
}
_OPPOSED = {**OPPOSITES, **{other: word for word, other in OPPOSITES.items() if " " not in other}}


def varied(example: Example, foreign: str, random: Random) -> Example:
    """A question as it is shown this time: a window of its passage, with or without the title."""
    if example.label >= 0:
        return example
    if random.random() > TITLED:
        example = replace(example, title="")
    example = _window(example, random)
    if random.random() < ALTERED and example.right:
        example = _altered(example, random)
    if random.random() < FOREIGN and foreign:
        example = _beside(example, foreign, random)
    return example


def claim_of(sentence: str, random: Random) -> Example | None:
    """A claim about a sentence: other in one figure, name or word, or the same; None where nothing fits."""
    kind = random.random()
    if kind < 0.3:
        return Example(asked=sentence, sentences=(sentence,), label=LABELS.index("supported"))
    change = _other_word if kind < 0.65 else _other_figure if kind < 0.9 else _other_name
    claim = change(sentence, random)
    if claim is None:
        return None
    return Example(asked=claim, sentences=(sentence,), label=LABELS.index("contradicted"))


def _window(example: Example, random: Random) -> Example:
    """Some sentences in a row, with one that is right if any is; all where only all together answer."""
    count = len(example.sentences)
    if len(example.right) == count:
        return example
    size = min(count, random.choice(WINDOWS))
    wrong = [place for place in range(count) if place not in example.right | example.left_out]
    if wrong and random.random() < ELSEWHERE:
        place = random.choice(wrong)
        return replace(
            example, sentences=(example.sentences[place],), right=frozenset(), left_out=frozenset()
        )
    if example.right:
        anchor = random.choice(sorted(example.right))
        start = random.randint(max(0, anchor - size + 1), min(anchor, count - size))
    else:
        start = random.randint(0, count - size)
    return replace(
        example,
        sentences=example.sentences[start : start + size],
        right=frozenset(place - start for place in example.right if start <= place < start + size),
        left_out=frozenset(place - start for place in example.left_out if start <= place < start + size),
    )


def _altered(example: Example, random: Random) -> Example:
    """The question with another figure than the passage has, where it asks about one of the passage."""
    passage = " ".join(example.sentences)
    for figure in _FIGURE.finditer(example.asked):
        other = _changed(figure.group(), random)
        if figure.group() in passage and other not in passage:
            question = example.asked[: figure.start()] + other + example.asked[figure.end() :]
            return replace(example, asked=question, right=frozenset(), left_out=frozenset())
    return example


def _beside(example: Example, foreign: str, random: Random) -> Example:
    if random.random() < 0.5:
        return replace(example, sentences=(*example.sentences, foreign))
    return replace(
        example,
        sentences=(foreign, *example.sentences),
        right=frozenset(place + 1 for place in example.right),
        left_out=frozenset(place + 1 for place in example.left_out),
    )


def _other_figure(text: str, random: Random) -> str | None:
    figures = list(_FIGURE.finditer(text))
    if not figures:
        return None
    figure = random.choice(figures)
    return text[: figure.start()] + _changed(figure.group(), random) + text[figure.end() :]


def _changed(figure: str, random: Random) -> str:
    """The figure with another digit in one place."""
    place = random.choice([place for place, letter in enumerate(figure) if letter.isdigit()])
    digit = random.choice([digit for digit in "123456789" if digit != figure[place]])
    return figure[:place] + digit + figure[place + 1 :]


def _other_name(text: str, random: Random) -> str | None:
    """Two names change places."""
    names = list(_NAME.finditer(text))
    if len(names) < 2:
        return None
    first, second = sorted(random.sample(names, 2), key=lambda name: name.start())
    if first.group() == second.group():
        return None
    between = text[first.end() : second.start()]
    return text[: first.start()] + second.group() + between + first.group() + text[second.end() :]


def _other_word(text: str, random: Random) -> str | None:
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if word in _OPPOSED]
    if not places:
        return None
    place = random.choice(places)
    return " ".join([*words[:place], _OPPOSED[words[place]], *words[place + 1 :]])
