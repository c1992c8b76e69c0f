"""Whether a part of a passage speaks of what a question asks of somebody or something: "What is Acme's credit
rating?", "What does the handbook say about attendance?".
"""

import math
import re
from collections.abc import Sequence

from answering.extractive.answer_kinds import Kind
from answering.extractive.candidates import Candidate, Passage
from answering.extractive.question import Question
from answering.extractive.words import possessed, stem, stems, topic
from english.lexicon import carriers, root
from text.words import tokens

NAMED = 0.5  # share of its words, rare ones counting more, that stand about a part which speaks of it
COMMONEST = 0.05  # what a word counts at least
FAMILY = 4  # letters that two stems of one family share at least: "auditor" and "audit"
LONG = 3  # letters of a word that an abbreviation may leave out
# Names of one figure that are no synonyms elsewhere: units that are sold are no revenue.
_FIGURES = [{*map(stem, names.split())} for names in ("revenue sales turnover", "profit income earnings")]
_ABBREVIATION = re.compile(r"\b[A-Z]{3,}\b")


class Attribute:
    """Of a question among the passages that were found for it."""

    def __init__(self, question: Question, passages: Sequence[Passage]) -> None:
        figure = Kind(question.asked).is_figure
        asked = () if question.parts else possessed(question.text, figure=figure) or topic(question.text)
        short = {stem(word) for word in _ABBREVIATION.findall(question.text)}
        self._words = [_Word(word, is_short=word in short) for word in dict.fromkeys(asked)]
        texts = [_Text(f"{each.of} {each.text}") for each in (passages if asked else ())]
        counts = [sum(word.is_in(text) for text in texts) for word in self._words]
        self._weights = [max(math.log((len(texts) + 1) / (count + 0.5)), COMMONEST) for count in counts]

    def is_named(self, part: Candidate) -> bool:
        """By the part, what stands around it or the title. True where the question asks for no attribute."""
        if not self._words:
            return True
        text = _Text(f"{part.passage.of} {part.around} {part.text} {part.beside}")
        said = sum(
            weight for word, weight in zip(self._words, self._weights, strict=True) if word.is_in(text)
        )
        return said >= NAMED * sum(self._weights)


class _Text:
    """The stems of a text, and the initials of its words, with and without the short ones."""

    def __init__(self, text: str) -> None:
        self.stems = set(stems(text))
        written = tokens(text)
        self.initials = (
            "".join(word[0] for word in written),
            "".join(word[0] for word in written if len(word) > LONG),
        )


class _Word:
    """A stem that a text may have, with its synonyms."""

    def __init__(self, word: str, *, is_short: bool) -> None:
        self._stem, self._is_short = word, is_short
        self._near = {word, *map(stem, carriers(root(word)))}.union(
            *(figure for figure in _FIGURES if word in figure)
        )

    def is_in(self, text: _Text) -> bool:
        """In any form, by a synonym, or an abbreviation spelt out."""
        if not self._near.isdisjoint(text.stems) or any(self._is_of_family(other) for other in text.stems):
            return True
        return self._is_short and any(self._stem in initials for initials in text.initials)

    def _is_of_family(self, other: str) -> bool:
        shorter, longer = sorted((self._stem, other), key=len)
        return len(shorter) >= FAMILY and longer.startswith(shorter)
